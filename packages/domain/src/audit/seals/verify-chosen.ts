import type { PoolClient } from 'pg';
import type { DatabaseAccess } from '../../database/database.ts';
import { inSnapshot } from '../snapshot.ts';
import type { Violation } from '../violation.ts';
import { type Chosen, chooseSeals, type Quota, quotaOf } from './choose-seals.ts';
import { fillWalks } from './fill-walks.ts';
import type { SealRef } from './seal-files.ts';
import { type VerifyContext, type VerifyWalk, verifyStep } from './verify-seals.ts';

/** The progress of a run with the seals that it has to verify. */
export interface VerifyPosition {
  quota: Quota;
  /** Rows of the seals that were chosen so far. */
  rows: number;
  chosen: Chosen[];
  walks: VerifyWalk[];
}

export async function beginVerifying(domain: DatabaseAccess, leastRows?: number): Promise<VerifyPosition> {
  return { quota: await quotaOf(domain, leastRows), rows: 0, chosen: [], walks: [] };
}

interface ChosenStep {
  /** Null when the run's part was verified. */
  next: VerifyPosition | null;
  violations: Violation[];
  /** Saved in the transaction of the step. */
  save(client: PoolClient): Promise<void>;
}

/** One step: chooses seals if none are left, and reads the next rows of some. */
export async function verifyChosen(context: VerifyContext, position: VerifyPosition): Promise<ChosenStep> {
  const { quota, rows, chosen, walks } = position;
  if (chosen.length === 0 && walks.length === 0) {
    const more = await choose(context.domain, position);
    const next = more.length > 0 ? { quota, rows: rows + sumOf(more), chosen: more, walks } : null;
    return { next, violations: [], save: async () => undefined };
  }
  const { lanes, waiting } = fillWalks(walks, chosen);
  const steps = await Promise.all(lanes.map((lane) => verifyStep(context, lane)));
  const ended = steps.flatMap((step) => step.ended);
  return {
    next: { quota, rows, chosen: waiting, walks: steps.flatMap(({ left }) => left) },
    violations: steps.flatMap(({ violations }) => violations),
    save: (client) => saveVerified(client, ended),
  };
}

/** The seals that come next, as many as the quota asks for. */
async function choose(domain: DatabaseAccess, { quota, rows }: VerifyPosition): Promise<Chosen[]> {
  if (rows >= quota.rows) return [];
  const [by, until] = rows < quota.byAge ? (['age', quota.byAge] as const) : (['chance', quota.rows] as const);
  const seals = await inSnapshot(domain, (read) => chooseSeals(read, quota, by));
  let sum = rows;
  return seals.filter((seal) => {
    const isWanted = sum < until;
    if (isWanted) sum += seal.rows;
    return isWanted;
  });
}

/** The sum of the rows. A seal without rows counts as one row, so that each choice makes progress. */
function sumOf(seals: readonly Chosen[]): number {
  return seals.reduce((sum, { rows }) => sum + Math.max(1, rows), 0);
}

async function saveVerified(client: PoolClient, seals: readonly SealRef[]): Promise<void> {
  if (seals.length === 0) return;
  await client.query(verifiedSql, [seals.map(({ merchantId }) => merchantId), seals.map(({ sealNo }) => sealNo)]);
}

const verifiedSql = `update period_seal s set verified_at = clock_timestamp() from unnest($1::text[], $2::integer[]) as k(m, n)
  where s.merchant_id = k.m and s.seal_no = k.n`;
