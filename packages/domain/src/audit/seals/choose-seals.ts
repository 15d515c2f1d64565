import type { DatabaseAccess } from '../../database/database.ts';
import type { Read } from '../snapshot.ts';
import type { SealRef } from './seal-files.ts';

/**
 * The share of the seals that one run verifies: a tenth of their rows. Half of these are the seals that were verified
 * longest ago, so each seal is verified at least once in twenty runs. The other half is chosen at random, so that no
 * one can predict which seals are verified next.
 */
const share = 10;
/** If there are fewer sealed rows than this, all are verified every day. */
const leastRows = 200_000;

/** The work of one run: rows to verify, and how many of them by age. Seals verified since `since` are done. */
export interface Quota {
  since: number;
  rows: number;
  byAge: number;
}

export async function quotaOf({ database: { pool } }: DatabaseAccess, least = leastRows): Promise<Quota> {
  const { rows } = await pool.query<{ total: number; now: number }>(totalSql);
  const { total = 0, now = 0 } = rows[0] ?? {};
  const quota = Math.max(Math.ceil(total / share), least);
  return { since: now, rows: quota, byAge: Math.ceil(quota / 2) };
}

/** A seal to verify, and its rows. */
export interface Chosen extends SealRef {
  rows: number;
}

const atOnce = 64;

/** The next seals that this run has not verified: those verified longest ago, or any. */
export function chooseSeals(read: Read, { since }: Quota, by: 'age' | 'chance'): Promise<Chosen[]> {
  return read<Chosen>(by === 'age' ? byAgeSql : byChanceSql, [since, atOnce]);
}

const age = `coalesce(verified_at, '-infinity'::timestamptz)`;
const chooseSql = (
  order: string,
): string => `select merchant_id as "merchantId", seal_no as "sealNo", period, rows::float8 as rows
  from period_seal where ${age} < to_timestamp($1::float8 / 1000) order by ${order} limit $2`;
const byAgeSql = chooseSql(`${age}, merchant_id, seal_no`);
const byChanceSql = chooseSql('random()');

const totalSql = `select coalesce(sum(rows), 0)::float8 as total, floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now from period_seal`;
