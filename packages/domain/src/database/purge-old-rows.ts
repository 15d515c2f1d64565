import type { DatabaseAccess } from './database.ts';
import { runPinned } from './run-pinned.ts';

/** The rows that retention may purge. Orders, transfers, entries, payments and decisions are never purged. */
export const purgeableKinds = ['notification', 'notification_attempt', 'channel_call', 'channel_memory'] as const;
export type PurgeableKind = (typeof purgeableKinds)[number];

/** Stores rows durably, each as the text of a JSON object with the table's columns. A row may come twice. */
export type Archive = (kind: PurgeableKind, rows: readonly string[]) => Promise<void>;

// By the indexes of open orders.
const oldestOpen = (kind: string, statuses: string): string =>
  `(select coalesce(min(created_at), 'infinity') from orders where kind = '${kind}' and status in (${statuses}))`;
const oldestPayin = oldestOpen('payin', "'created', 'processing', 'partial_paid'");
const oldestPayout = oldestOpen('payout', "'created', 'processing', 'market_available'");

const facts: Record<PurgeableKind, { time: string; key: Record<string, string>; settled: string }> = {
  // An undelivered notification is kept until its attempts are exhausted.
  notification: {
    time: 'created_at',
    key: { merchant_id: 'text', order_no: 'text', status: 'text' },
    settled: "t.state <> 'pending'",
  },
  notification_attempt: {
    time: 'started_at',
    key: { merchant_id: 'text', order_no: 'text', status: 'text', attempt: 'integer' },
    settled: 'true',
  },
  channel_call: {
    time: 'started_at',
    key: { merchant_id: 'text', order_no: 'text', call_id: 'text' },
    settled: 'true',
  },
  // What is stored about an order is younger than the order. So this leaves what an open order may need.
  channel_memory: {
    time: 'created_at',
    key: { channel_id: 'text', key: 'text' },
    settled: `t.of_order and t.created_at < ${oldestPayin} and t.created_at < ${oldestPayout}`,
  },
};

/** The lease of a purge, in milliseconds. Another process begins after it, or when the purge ends. */
const lease = 60_000;

/**
 * Purges one batch of the rows of `kind` that are older than `days`: archives them, if configured, then deletes them.
 * Resolves to whether there may be more. If the process is killed between the two steps, the rows are archived again;
 * none is lost.
 */
export async function purgeOldRows(
  domain: DatabaseAccess,
  {
    kind,
    days,
    archive,
    limit = 2_000,
  }: { kind: PurgeableKind; days: number; archive: Archive | null; limit?: number },
): Promise<boolean> {
  const { pool } = domain.database;
  const { rows: rounds } = await pool.query<{ cutoff: string }>(takeRoundSql, [kind, days, lease]);
  const cutoff = rounds[0]?.cutoff;
  if (cutoff === undefined) return false;
  const { time, key, settled } = facts[kind];
  const isOld = `t.${time} < $2::timestamptz and ${settled}`;
  const { rows } = await pool.query<{ row: string; key: object }>(
    `select to_json(t)::text as row, json_build_object(${Object.keys(key)
      .map((column) => `'${column}', t.${column}`)
      .join(', ')}) as key
     from ${kind} t where ${isOld.replace('$2', '$1')} limit $2`,
    [cutoff, limit],
  );
  if (rows.length > 0) {
    await archive?.(
      kind,
      rows.map(({ row }) => row),
    );
    const columns = Object.entries(key).map(([column, type]) => `${column} ${type}`);
    const matches = Object.keys(key).map((column) => `t.${column} = k.${column}`);
    const text = `delete from ${kind} t using json_to_recordset($1::json) as k(${columns.join(', ')}) where ${matches.join(' and ')} and ${isOld}`;
    const values = [JSON.stringify(rows.map((found) => found.key)), cutoff];
    await runPinned(pool, [{ statement: { name: `purge-${kind}`, text }, values }]);
  }
  await pool.query('update retention set held_until = null where kind = $1', [kind]);
  return rows.length === limit;
}

// Recorded before the first row is deleted: the audit no longer expects older notifications, and no younger row can be
// deleted.
const takeRoundSql = `update retention set held_until = clock_timestamp() + $3 * interval '1 ms',
    until = greatest(until, clock_timestamp() - $2 * interval '1 day')
  where kind = $1 and (held_until is null or held_until < clock_timestamp())
  returning (clock_timestamp() - $2 * interval '1 day')::text as cutoff`;
