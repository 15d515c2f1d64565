import type { DatabaseAccess } from '../database/database.ts';
import { coverageRuleName } from './chain-coverage.ts';
import { batchRuleName } from './check-batches.ts';
import { feeRuleName } from './fee-rule.ts';
import { sharedKeyRule, unusableKeyRule } from './merchant-key-rules.ts';
import { orderRules } from './order-rules.ts';
import type { RunName } from './run.ts';
import { sealRules } from './seals/stored-seals.ts';
import { settlementEntryRules } from './settlement-rules.ts';
import { transferRules } from './transfer-rules.ts';
import { walletRules } from './wallet-rules.ts';

/**
 * The state of the audit, for metrics: open findings by rule, with every rule, and the last end of each run (Unix ms).
 */
export interface AuditState {
  open: { rule: string; count: number }[];
  /** How many merchants have their payouts stopped. */
  payoutStops: number;
  lastRuns: { run: RunName; finishedAt: number | null }[];
  /** The oldest time at which a seal was last verified or made, in Unix ms; null if there is no seal. */
  sealsVerifiedSince: number | null;
}

/** Every rule that the audit checks, by its name. */
export const auditRuleNames: readonly string[] = [
  ...Object.keys({ ...walletRules, ...transferRules, ...settlementEntryRules, ...orderRules }),
  'entries are numbered without gaps and chain',
  feeRuleName,
  sharedKeyRule,
  unusableKeyRule,
  batchRuleName,
  coverageRuleName,
  ...Object.values(sealRules),
];

export async function readAuditState(domain: DatabaseAccess): Promise<AuditState> {
  const { pool } = domain.database;
  const counts = await pool.query<{ rule: string; count: number }>(openSql);
  const runs = await pool.query<AuditState['lastRuns'][number]>(runsSql);
  const stops = await pool.query<{ count: number }>(stopsSql);
  const seals = await pool.query<{ since: number | null }>(sealsSql);
  const found = new Map(counts.rows.map(({ rule, count }) => [rule, count]));
  const rules = [...new Set([...auditRuleNames, ...found.keys()])];
  const open = rules.map((rule) => ({ rule, count: found.get(rule) ?? 0 }));
  return {
    open,
    payoutStops: stops.rows[0]?.count ?? 0,
    lastRuns: runs.rows,
    sealsVerifiedSince: seals.rows[0]?.since ?? null,
  };
}

const openSql = `select rule, count(*)::integer as count from audit_finding where state = 'open' group by rule`;
const stopsSql = 'select count(*)::integer as count from payout_stop where released_at is null';
const runsSql = `select run, round(extract(epoch from finished_at) * 1000)::float8 as "finishedAt" from audit_run order by run`;

// Seals that were not verified yet come first in the index, and are few.
const sealsSql = `select round(extract(epoch from least(
    (select verified_at from period_seal where verified_at is not null order by coalesce(verified_at, '-infinity'::timestamptz) limit 1),
    (select min(sealed_at) from period_seal where coalesce(verified_at, '-infinity'::timestamptz) = '-infinity'))) * 1000)::float8 as since`;
