import type { DatabaseAccess } from './database.ts';
import { runPinned } from './run-pinned.ts';

/** The rows that retention may purge. `data_export` is deleted with its file. Orders, transfers, entries, payments and audit records are never purged. */
export const purgeableKinds = [
  ...(['notification', 'notification_attempt', 'channel_call', 'channel_memory', 'data_export'] as const),
] as const;
export type PurgeableKind = (typeof purgeableKinds)[number];

/** Stores rows durably, each as the text of a JSON object with the table's columns. A row may come twice. */
export type Archive = (kind: PurgeableKind, rows: readonly string[]) => Promise<void>;

// The oldest open orders, read by the indexes of open orders.
const oldestOpen = (kind: string, statuses: string): string =>
  `(select coalesce(min(created_at), 'infinity') from orders where kind = '${kind}' and status in (${statuses}))`;
const oldestPayin = oldestOpen('payin', "'created', 'processing', 'partial_paid'");
const oldestPayout = oldestOpen('payout', "'created', 'processing', 'market_available'");

interface PurgeRule {
  ageColumn: string;
  key: readonly string[];
  purgeableWhen: string;
  /** Maximum rows per batch, where one row deletes much data. */
  maxRows?: number;
  /** A copy of rows that are kept elsewhere: it is never archived. */
  isCopy?: true;
}

/** The rows of a period that was restored lately. */
const isRestored = (ageColumn: string): string =>
  `exists (select from restored_period p where p.keep_until > clock_timestamp() and t.${ageColumn} >= p.period_from and t.${ageColumn} < p.period_to)`;

const purgeRules: Record<PurgeableKind, PurgeRule> = {
  // An undelivered notification is kept until its attempts are exhausted.
  notification: {
    ageColumn: 'created_at',
    key: ['merchant_id', 'order_no', 'status'],
    purgeableWhen: "t.state <> 'pending'",
  },
  notification_attempt: {
    ageColumn: 'started_at',
    key: ['merchant_id', 'order_no', 'status', 'attempt'],
    purgeableWhen: 'true',
  },
  channel_call: {
    ageColumn: 'started_at',
    key: ['merchant_id', 'order_no', 'call_id'],
    purgeableWhen: 'true',
  },
  // Rows about an order are younger than the order. So this keeps every row that an open order may need.
  channel_memory: {
    ageColumn: 'created_at',
    key: ['channel_id', 'key'],
    purgeableWhen: `t.of_order and t.created_at < ${oldestPayin} and t.created_at < ${oldestPayout}`,
  },
  // Deleted together with the chunks of its file.
  data_export: { ageColumn: 'ended_at', key: ['export_id'], purgeableWhen: 'true', maxRows: 1, isCopy: true },
};

/** The column that says how old a row `t` is, and the condition on which it may be purged, whatever its age. */
export function purgeRuleOf(kind: PurgeableKind): Pick<PurgeRule, 'ageColumn' | 'purgeableWhen'> {
  return purgeRules[kind];
}

/** The lease of a purge, in ms. Another process begins after it, or when the purge ends. */
const leaseMs = 60_000;

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
    limit: wanted = 2_000,
  }: { kind: PurgeableKind; days: number; archive: Archive | null; limit?: number },
): Promise<boolean> {
  const { pool } = domain.database;
  const { rows: purges } = await pool.query<{ cutoff: string }>(claimPurgeSql, [kind, days, leaseMs]);
  const cutoff = purges[0]?.cutoff;
  if (cutoff === undefined) return false;
  const { ageColumn, key, purgeableWhen, maxRows = wanted, isCopy = false } = purgeRules[kind];
  const limit = Math.min(wanted, maxRows);
  const isOld = `t.${ageColumn} < $2::timestamptz and ${purgeableWhen} and not ${isRestored(ageColumn)}`;
  const { rows } = await pool.query<{ row: string; key: object }>(
    `select ${isCopy ? "''" : 'to_json(t)::text'} as row, json_build_object(${key
      .map((column) => `'${column}', t.${column}`)
      .join(', ')}) as key
     from ${kind} t where ${isOld.replace('$2', '$1')} limit $2`,
    [cutoff, limit],
  );
  if (rows.length > 0) {
    if (archive && !isCopy)
      await archive(
        kind,
        rows.map(({ row }) => row),
      );
    const keys = JSON.stringify(rows.map((found) => found.key));
    // The function says once more what may be purged. A purger that may delete could lock the table.
    await runPinned(pool, [
      { statement: { name: `purge-${kind}`, text: `select purge_${kind}($1::json)` }, values: [keys] },
    ]);
  }
  await pool.query('update retention set held_until = null where kind = $1', [kind]);
  return rows.length === limit;
}

// Recorded before the first row is deleted: the audit no longer expects older notifications, and no younger row can be
// deleted.
const claimPurgeSql = `update retention set held_until = clock_timestamp() + $3 * interval '1 ms',
    until = greatest(until, clock_timestamp() - $2 * interval '1 day')
  where kind = $1 and (held_until is null or held_until < clock_timestamp())
  returning (clock_timestamp() - $2 * interval '1 day')::text as cutoff`;
