import { setChannel } from '../channels/set-channel.ts';
import { readWallet } from '../ledger/read-wallet.ts';
import { findSettlement, type SettlementRef } from '../settlement/change-settlement.ts';
import { proveSettlements } from '../settlement/proof/prove-settlements.ts';
import type { TestDomain } from './open-test-domain.ts';
import { anAccount, ourAccount } from './settlements.ts';
import { aLine, anImport, dayAgo, noSummary, reconcileAll, violationsOfMoved } from './statements.ts';

/** Today in Thailand, where all of this happens. */
export const provingDay = dayAgo('TH', 0);

/** A line of a payment that names a settlement or a bank file. */
export const debitLine = (settlementRef: string, gross: string, more: object = {}) =>
  aLine({ currency: 'THB', bookedOn: provingDay, type: 'payout', direction: 'out', gross, settlementRef, ...more });

/** A line of a returned payment. */
export const creditLine = (settlementRef: string, gross: string, more: object = {}) =>
  debitLine(settlementRef, gross, { type: 'payout_return', direction: 'in', ...more });

/** The channel `bank` of our account that pays in Thailand, and what its statements prove. */
export async function openPayingBank({ domain }: TestDomain) {
  const { pool } = domain.database;
  await setChannel(domain, { channelId: 'bank', adapter: 'fake', baseUrl: 'http://bank.test', credentials: {} });
  await ourAccount(domain, 'TH');
  let files = 0;
  const proveAll = async (): Promise<void> => {
    await reconcileAll(domain);
    while ((await proveSettlements(domain)) === 'found');
  };
  return {
    proveAll,
    /** Imports a statement with these lines, matches it, and lets it prove what it can. Resolves to its number. */
    async shows(...lines: object[]): Promise<number> {
      files += 1;
      const summary = { ...noSummary, account: anAccount.number, from: provingDay, to: provingDay, n: files };
      const fileNo = await anImport(domain, 'TH', [...lines, summary], 'bank');
      await proveAll();
      return fileNo;
    },
    async breaksOf(fileNo: number) {
      const { rows } = await pool.query<{ state: string; names: string; reason: string; no: number }>(
        'select state, names, reason, break_no::integer as no from reconciliation_break where file_no = $1 order by break_no',
        [fileNo],
      );
      return rows;
    },
    availableOf: async (merchantId: string) => (await readWallet(domain, merchantId)).available,
    /** The postings that the lines of a statement caused, as `debit > credit amount`. */
    async postedFor(fileNo: number): Promise<string[]> {
      const { rows } = await pool.query<{ moved: string }>(
        `select t.debit || ' > ' || t.credit || ' ' || t.amount as moved from transfer t join audit_record a on a.merchant_id = t.merchant_id
           and a.at = t.created_at and a.action = 'proveSettlement'
         where t.cause = 'reconciliation' and a.reason like 'line ' || $1::text || '/%' order by t.transfer_no`,
        [fileNo],
      );
      return rows.map(({ moved }) => moved);
    },
    /** What the audit finds at these merchants and their tenant. */
    async violationsAt(...refs: readonly { merchantId: string }[]) {
      const merchants = [...refs.map(({ merchantId }) => merchantId), 'PLATFORM-TH'];
      return (await violationsOfMoved(domain)).filter(({ merchantId }) => merchants.includes(merchantId));
    },
    found: (ref: SettlementRef) => findSettlement(domain, ref),
  };
}
