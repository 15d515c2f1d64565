import { createHash } from 'node:crypto';
import type { Currency } from '../../core/country.ts';
import { Money } from '../../core/money.ts';
import type { VaultAccess } from '../../database/vault.ts';
import { type BankAccount, openAccount } from '../set-cycle.ts';
import { type BankPayment, bankFileOf } from './decide-bank-file.ts';
import { ofFileSql, sealedAccountsSql } from './queries.ts';
import type { SettlementFile } from './types.ts';

export interface BankFileContent {
  content: Buffer;
  sha256: string;
  payments: readonly (BankPayment & { merchantId: string })[];
  /** The sum of the payments, decimal text. */
  total: string;
}

interface Paid {
  merchantId: string;
  settlementNo: string;
  amount: string;
  accountId: string;
  isFailed: boolean;
}

/** The domain, or one transaction of `changeConfiguration`. */
type Access = VaultAccess & {
  database: { pool: { query<Row extends object>(text: string, values: unknown[]): Promise<{ rows: Row[] }> } };
};

/** The content of a file from its settlements without those that failed, at most as many as a file takes. Null: it has none. */
export async function readBankFile(domain: Access, file: SettlementFile): Promise<BankFileContent | null> {
  const { fileNo, createdAt, executionDay, merchantId, accountId } = file;
  const all = await domain.database.pool.query<Paid>(ofFileSql, [fileNo]);
  const rows = all.rows.filter(({ isFailed }) => !isFailed);
  if (rows.length === 0) return null;
  const accounts = await openSealed(domain, [...rows, { merchantId, accountId }]);
  const accountOf = (id: string): BankAccount => {
    const found = accounts.get(id);
    if (!found) throw new Error(`the bank file ${fileNo} has lost an account`);
    return found;
  };
  const payments = rows.map((one) => ({ ...one, payee: accountOf(one.accountId) }));
  const currency = file.currency as Currency;
  const text = bankFileOf({ fileNo, createdAt, executionDay, currency, payer: accountOf(accountId), payments });
  const content = Buffer.from(text, 'utf8');
  const total = payments
    .reduce((sum, { amount }) => sum.plus(Money.of(amount, currency)), Money.zero(currency))
    .toString();
  return { content, payments, total, sha256: createHash('sha256').update(content).digest('hex') };
}

async function openSealed(
  { database, vault }: Access,
  refs: readonly { merchantId: string; accountId: string }[],
): Promise<Map<string, BankAccount>> {
  const { rows } = await database.pool.query<{ accountId: string; sealed: Buffer }>(sealedAccountsSql, [
    refs.map(({ merchantId }) => merchantId),
    refs.map(({ accountId }) => accountId),
  ]);
  return new Map(rows.map(({ accountId, sealed }) => [accountId, openAccount(vault, accountId, sealed)]));
}
