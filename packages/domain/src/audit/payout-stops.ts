import { type Decision, isAlone } from '../core/operator.ts';
import type { Outcome } from '../core/rejection.ts';
import type { Database } from '../database/database.ts';
import { type ChangeAccess, changeConfiguration, isItsLastEntry } from '../ledger/index.ts';
import { type Scope, withinScope } from '../lists/scope.ts';
import { collectValues, whereAll } from '../lists/values.ts';

/**
 * The payouts of a merchant are stopped since this Unix time in milliseconds, first by this finding. Nothing releases
 * them but two operators.
 */
export interface PayoutStop {
  merchantId: string;
  findingNo: number;
  stoppedAt: number;
}

/** Since when the payouts of each of these merchants are stopped, in Unix ms; null: they are not. */
export async function loadPayoutStops(
  { database }: { database: Database },
  scope: Scope,
  merchantIds: readonly string[],
): Promise<(number | null)[]> {
  if (merchantIds.length > 1_000) throw new RangeError(`at most 1000 merchants, not ${merchantIds.length}`);
  const { values, add } = collectValues();
  const wanted = `s.merchant_id = any(${add([...merchantIds])}::text[])`;
  const { rows } = await database.reading.query<PayoutStop>(
    `select ${columns} from payout_stop s ${whereAll([wanted, 's.released_at is null', ...withinScope(scope, 's.merchant_id', add)])} limit 1000`,
    values,
  );
  const stops = new Map(rows.map(({ merchantId, stoppedAt }) => [merchantId, stoppedAt]));
  return merchantIds.map((merchantId) => stops.get(merchantId) ?? null);
}

/**
 * Releases the payouts of a merchant, once its findings are closed and its wallet is what its last entry left. Two
 * operators have to agree. Payouts that were frozen before are sent from now on. Refusals: second_operator_needed,
 * payouts_not_stopped, findings_open, wallet_not_its_entries.
 */
export function releasePayouts(
  domain: ChangeAccess,
  { merchantId }: { merchantId: string },
  by: Decision,
): Promise<Outcome<PayoutStop>> {
  if (isAlone(by)) return Promise.resolve({ ok: false, rejection: 'second_operator_needed' });
  return changeConfiguration<PayoutStop>(
    domain,
    { tenant: merchantId, change: 'releasePayouts' },
    by,
    async (within) => {
      const { pool } = within.database;
      // A finding that is being recorded holds this row, or waits for it and then stops the payouts again.
      const [stop] = (await pool.query<PayoutStop & object>(lockStopSql, [merchantId])).rows;
      if (!stop) return { ok: false, rejection: 'payouts_not_stopped' };
      const { rows } = await pool.query<{ open: number; isItsLastEntry: boolean }>(factsSql, [merchantId]);
      const [facts] = rows;
      if (!facts || facts.open > 0) return { ok: false, rejection: 'findings_open' };
      if (!facts.isItsLastEntry) return { ok: false, rejection: 'wallet_not_its_entries' };
      await pool.query(releaseSql, [merchantId, stop.findingNo]);
      const change = { before: { payoutsStopped: true, findingNo: stop.findingNo }, after: { payoutsStopped: false } };
      return { ok: true, value: { subject: `payouts of ${merchantId}`, ...change, value: stop } };
    },
  );
}

const columns = `s.merchant_id as "merchantId", s.finding_no::float8 as "findingNo", round(extract(epoch from s.stopped_at) * 1000)::float8 as "stoppedAt"`;

const lockStopSql = `select ${columns} from payout_stop s where s.merchant_id = $1 and s.released_at is null for update`;

const factsSql = `select (select count(*) from audit_finding f where f.merchant_id = t.merchant_id and f.state = 'open')::integer as open,
    ${isItsLastEntry} as "isItsLastEntry"
  from wallet t left join wallet_entry e on e.merchant_id = t.merchant_id and e.entry_no = t.last_entry_no where t.merchant_id = $1`;

const releaseSql = `update payout_stop set released_at = clock_timestamp() where merchant_id = $1 and finding_no = $2`;
