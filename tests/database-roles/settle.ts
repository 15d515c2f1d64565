import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { settlementLineSql } from '../settlement-line.ts';
import type { Operators } from './operator.ts';

interface Settle extends Pick<Operators, 'act'> {
  /** Runs SQL as superuser. */
  rows(sql: string): Promise<unknown[]>;
}

/** Every operation of settlements. A draft of today's money would be due on a later day, so it is written here. */
export async function doSettlement({ act, rows }: Settle, merchantId: string): Promise<void> {
  const account = { holder: 'A Shop', number: '1234567890', bank: 'ABCDEFGH' };
  await act('setSettlementCycle', { merchantId, account });
  await act('draftSettlements', { country: 'IN', day: '2026-11-20' });
  const [found] = (await rows(`select tag from merchant where merchant_id = '${merchantId}'`)) as { tag: string }[];
  const named = { merchantId, settlementNo: `ST${found?.tag}000001` };
  await drafted(rows, named, 1);
  await act('approveSettlement', named);
  await act('paySettlement', { ...named, reference: 'R-1' });
  await act('confirmSettlement', { ...named, reference: 'R-1' });
  await act('failSettlement', { ...named, detail: 'account closed' });
  const filed = { merchantId, settlementNo: `ST${found?.tag}000002` };
  await drafted(rows, filed, 2);
  await act('approveSettlement', filed);
  await act('createSettlementFile', { country: 'IN', account });
  await proves(rows, filed.settlementNo, 'out', 'confirmed');
  await proves(rows, filed.settlementNo, 'in', 'failed');
  const sent = { merchantId, settlementNo: `ST${found?.tag}000003` };
  await drafted(rows, sent, 3);
  await act('approveSettlement', sent);
  await act('sendSettlement', sent);
  const paid = `select from settlement where settlement_no = '${sent.settlementNo}' and state = 'confirmed' and transfer_no is not null`;
  await waitUntil('the channel pays it', async () => (await rows(paid)).length > 0, { timeoutMs: 30_000 });
  await drafts(rows, merchantId);
  await act('removeSettlementCycle', { merchantId });
}

/** The worker drafts a cycle whose last run is long ago. */
async function drafts(rows: Settle['rows'], merchantId: string): Promise<void> {
  await rows(`insert into settlement_run (merchant_id, day, state) values ('${merchantId}', '2026-11-02', 'done')
    on conflict (merchant_id) do update set day = excluded.day, state = 'done'`);
  const sql = `select from audit_record where merchant_id = '${merchantId}' and action = 'draftSettlement' and actor = 'the schedule'`;
  await waitUntil('the schedule drafts', async () => (await rows(sql)).length > 0, { timeoutMs: 30_000 });
}

/** The worker confirms or fails a settlement by a line that names it. */
async function proves(
  rows: Settle['rows'],
  settlementNo: string,
  direction: 'out' | 'in',
  state: string,
): Promise<void> {
  await rows(settlementLineSql(settlementNo, direction));
  const sql = `select from settlement where settlement_no = '${settlementNo}' and state = '${state}'`;
  await waitUntil(`a line makes it ${state}`, async () => (await rows(sql)).length > 0, { timeoutMs: 30_000 });
}

function drafted(rows: Settle['rows'], named: { merchantId: string; settlementNo: string }, seq: number) {
  return rows(`insert into settlement (merchant_id, seq, settlement_no, state, currency, version, run_day, cut_off, opening, sums, closing,
      pending, keep, amount, settled_before, settled_days, scan_after, after_entry_no, through_entry_no, pending_after, account_id, drafted_at)
    select merchant_id, ${seq}, '${named.settlementNo}', 'draft', currency, 1, '2026-11-20', '2026-11-19', available, '[]', available,
      0, 0, 1.00, '{}', '{}', last_entry_no, last_entry_no, last_entry_no, last_entry_no, account_id, clock_timestamp()
    from wallet join settlement_account using (merchant_id) where merchant_id = '${named.merchantId}'`);
}
