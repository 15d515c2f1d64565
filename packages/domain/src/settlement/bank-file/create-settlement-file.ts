import { type Country, platformMerchantOf } from '../../core/country.ts';
import type { Decision } from '../../core/operator.ts';
import type { Outcome } from '../../core/rejection.ts';
import { currencyOf } from '../../countries/index.ts';
import { SettlementFileRow } from '../../database/entities/settlement.ts';
import {
  type ChangeAccess,
  type ChangeTransaction,
  changeConfiguration,
  type LedgerAccess,
} from '../../ledger/index.ts';
import { paySettlement } from '../change-settlement.ts';
import { todayOf } from '../draft-settlements.ts';
import { addAccount, type BankAccount } from '../set-cycle.ts';
import { claimableSql, fileSql, lockFileSql, newestAccountSql, nextFileSql, openFileSql } from './queries.ts';
import { readBankFile } from './read-bank-file.ts';
import type { SettlementFile } from './types.ts';

/** How many payments one file has at most. What is left goes into the next file. */
const mostPayments = 1_000;

type Access = LedgerAccess & ChangeAccess;

/** `account`: pays from now on. Left out: the account that paid the previous file. `executionDay`: left out, today in the country. */
export interface FileRequest {
  country: Country;
  executionDay?: string | undefined;
  account?: BankAccount | undefined;
}

/**
 * Claims the approved settlements of a country, the oldest first, and puts them into a bank file. A settlement is claimed once, so it is in one file,
 * and no operator transfers it by hand. A file that a crash left open is finished first. Refusals: nothing_to_settle,
 * no_bank_account.
 */
export async function createSettlementFile(
  domain: Access,
  request: FileRequest,
  by: Decision,
): Promise<Outcome<SettlementFile>> {
  const { country } = request;
  const opened = await openFile(domain, request, by);
  if (!opened.ok || by.rehearsal === true) return opened;
  const { fileNo } = opened.value;
  const { rows } = await domain.database.pool.query<{ merchantId: string; settlementNo: string }>(claimableSql, [
    country,
    mostPayments,
  ]);
  const { approvalId: _, expectedVersion: __, ...claim } = by;
  const inFile = (await readBankFile(domain, opened.value))?.payments.length ?? 0;
  // A refusal means that another operator was faster.
  for (const ref of rows.slice(0, mostPayments - inFile)) await paySettlement(domain, ref, fileNo, claim, fileNo);
  return finishFile(domain, opened.value, claim);
}

/** The open file of the country, or a new one. */
function openFile(
  domain: Access,
  { country, executionDay, account }: FileRequest,
  by: Decision,
): Promise<Outcome<SettlementFile>> {
  const tenant = platformMerchantOf(country);
  return changeConfiguration<SettlementFile>(domain, { tenant, change: 'createSettlementFile' }, by, async (within) => {
    const { pool } = within.database;
    const [open] = (await pool.query<{ fileNo: string }>(openFileSql, [tenant])).rows;
    const { rows: claimable } = await pool.query(claimableSql, [country, 1]);
    if (!open && claimable.length === 0) return { ok: false, rejection: 'nothing_to_settle' };
    const accountId = account ? await addAccount(within, tenant, account) : await newestAccount(within, tenant);
    if (accountId === null) return { ok: false, rejection: 'no_bank_account' };
    if (!open) {
      const { rows } = await pool.query<{ next: number }>(nextFileSql, [tenant]);
      const em = within.database.unitOfWork();
      const fileNo = `SF${country}${String(rows[0]?.next ?? 1).padStart(6, '0')}`;
      const day = executionDay ?? (await todayOf(within, country));
      const file = { merchantId: tenant, fileNo, state: 'open', currency: currencyOf[country], accountId };
      await em.persist(em.create(SettlementFileRow, { ...file, executionDay: day, createdBy: by.actor })).flush();
    }
    const fileNo = open?.fileNo ?? (await pool.query<{ fileNo: string }>(openFileSql, [tenant])).rows[0]?.fileNo ?? '';
    const value = await fileOf(within, fileNo);
    const { executionDay: day } = value;
    return {
      ok: true,
      value: {
        subject: fileNo,
        after: { fileNo, executionDay: day, isNewAccount: !!account, ...(account && { accountId }) },
        value,
      },
    };
  });
}

/**
 * Closes the file for further claims and fixes its content. The file stays open if others have claimed all approved
 * settlements.
 */
function finishFile(
  domain: Access,
  { merchantId, fileNo }: SettlementFile,
  by: Decision,
): Promise<Outcome<SettlementFile>> {
  const named = { tenant: merchantId, change: 'finishSettlementFile' };
  return changeConfiguration<SettlementFile>(domain, named, by, async (within) => {
    // The lock waits for claims that are being written. After it, no claim can enter the file.
    await within.database.pool.query(lockFileSql, [merchantId, fileNo]);
    const em = within.database.unitOfWork();
    const row = await em.findOneOrFail(SettlementFileRow, { merchantId, fileNo });
    const file = await fileOf(within, fileNo);
    const bankFile = await readBankFile(within, file);
    if (!bankFile) return { ok: false, rejection: 'nothing_to_settle' };
    if (row.state === 'open') {
      em.assign(row, {
        state: 'ready',
        settlements: bankFile.payments.length,
        total: bankFile.total,
        sha256: bankFile.sha256,
      });
      await em.flush();
    }
    const value = await fileOf(within, fileNo);
    const { settlements, total, sha256 } = value;
    return { ok: true, value: { subject: fileNo, after: { fileNo, settlements, total, sha256 }, value } };
  });
}

async function fileOf({ database }: ChangeTransaction, fileNo: string): Promise<SettlementFile> {
  const { rows } = await database.pool.query<SettlementFile & object>(fileSql, [fileNo]);
  const [found] = rows;
  if (!found) throw new Error(`there is no bank file ${fileNo}`);
  return found;
}

async function newestAccount({ database }: ChangeTransaction, tenant: string): Promise<string | null> {
  const { rows } = await database.pool.query<{ accountId: string }>(newestAccountSql, [tenant]);
  return rows[0]?.accountId ?? null;
}
