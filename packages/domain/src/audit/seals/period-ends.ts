import { endOfPeriod, type LedgerEnd } from '../../core/period-seal.ts';
import type { Read } from '../snapshot.ts';

/** A merchant's period that is over, from where it was read, and the last rows that the wallet knows. */
export interface PeriodToEnd {
  period: string;
  from: LedgerEnd;
  last: LedgerEnd;
}

const sequences = [
  { name: 'entryNo', table: 'wallet_entry', no: 'entry_no', at: 'created_at' },
  { name: 'transferNo', table: 'transfer', no: 'transfer_no', at: 'created_at' },
  { name: 'auditNo', table: 'audit_record', no: 'audit_no', at: 'at' },
  { name: 'batchNo', table: 'ledger_batch', no: 'batch_no', at: 'at' },
] as const;

/**
 * Where periods end that are over: in each sequence a row whose time is within the month, while that of the next one
 * is not. Times rise with the numbers, but for rows of the same moment. So the row is found by halving, in about 20
 * reads of a key, however many rows came since.
 */
export async function endsOfPeriods(
  read: Read,
  periods: ReadonlyMap<string, PeriodToEnd>,
): Promise<Map<string, LedgerEnd>> {
  const merchantIds = [...periods.keys()];
  const found = new Map([...periods].map(([merchantId, { from }]) => [merchantId, { ...lastOf(from) }]));
  if (merchantIds.length === 0) return found;
  const all = [...periods.values()];
  const ends = all.map(({ period }) => endOfPeriod(period));
  for (const { name, ...columns } of sequences) {
    const values = [merchantIds, ends, all.map(({ from }) => from[name]), all.map(({ last }) => last[name])];
    for (const { merchantId, no } of await read<{ merchantId: string; no: number }>(endSql(columns), values)) {
      const end = found.get(merchantId);
      if (end) end[name] = no;
    }
  }
  return found;
}

function lastOf({ entryNo, transferNo, auditNo, batchNo }: LedgerEnd): { -readonly [name in keyof LedgerEnd]: number } {
  return { entryNo, transferNo, auditNo, batchNo };
}

// The row `lo` is within the month or before it, and the row after `hi` is not.
const endSql = ({ table, no, at }: { table: string; no: string; at: string }): string => `with recursive halved as (
  select m, to_timestamp(e / 1000) as until, lo, hi from unnest($1::text[], $2::float8[], $3::bigint[], $4::bigint[]) as u(m, e, lo, hi)
  union all
  select h.m, h.until, case when r.within then x.mid else h.lo end, case when r.within then h.hi else x.mid - 1 end
  from halved h cross join lateral (select (h.lo + h.hi + 1) / 2 as mid offset 0) x
  cross join lateral (select coalesce((
    select t.${at} < h.until from ${table} t where t.merchant_id = h.m and t.${no} >= x.mid order by t.${no} limit 1), false) as within offset 0) r
  where h.lo < h.hi)
select m as "merchantId", lo::float8 as no from halved where lo >= hi`;
