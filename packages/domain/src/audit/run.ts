import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Telemetry } from '../core/telemetry.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { inTransaction } from '../database/transaction.ts';
import { recordFindings } from './findings.ts';
import type { Violation } from './violation.ts';

export type RunName = 'incremental' | 'whole' | 'sealing';

/** A run that this process holds, until it releases it or its lease expires. */
export interface Run<Position> {
  name: RunName;
  holder: string;
  position: Position;
}

/** Another process has taken the run over. It repeats the work since the last save, so nothing is missed. */
class RunLost extends Error {}

/**
 * The lease of a run, in ms, longer than any step takes. After a process was killed and its lease has expired, another
 * process continues the run from its last save.
 */
const lease = 15_000;

/**
 * `finished`: all due work is done. `going_on`: the time was up. `held`: another process holds the run, or it is not
 * due.
 */
export type RunOutcome = 'finished' | 'going_on' | 'held' | 'lost';

/**
 * Continues a run for `forMs`, if no other process holds it and it is due. A run is due if it has not finished, or
 * finished more than `every` ms ago. It begins with `start`, or continues from the saved position. `step` is called
 * until nothing is left.
 */
export async function doRun<Position extends object>(
  domain: DatabaseAccess,
  { name, every, start, forMs }: { name: RunName; every: number; start: Position; forMs: number },
  step: (run: Run<Position>) => Promise<'finished' | 'going_on'>,
): Promise<RunOutcome> {
  const until = performance.now() + forMs;
  const run = await takeRun(domain, name, every, start);
  if (!run) return 'held';
  let outcome: RunOutcome = 'going_on';
  try {
    do outcome = await step(run);
    while (outcome === 'going_on' && performance.now() < until);
    await leaveRun(domain, run, outcome === 'finished');
    return outcome;
  } catch (error) {
    if (error instanceof RunLost) return 'lost';
    // The next process then need not wait until the lease expires.
    await leaveRun(domain, run, false).catch(() => undefined);
    throw error;
  }
}

async function takeRun<Position extends object>(
  domain: DatabaseAccess,
  name: RunName,
  every: number,
  start: Position,
): Promise<Run<Position> | null> {
  const holder = randomUUID();
  const values = [name, holder, lease, every, JSON.stringify(start)];
  const { rows } = await domain.database.pool.query<{ position: Position | null }>(takeSql, values);
  const position = rows[0]?.position;
  return position ? { name, holder, position } : null;
}

/** Releases a run. Any process may continue it, or after `finished` start it again when it is due. */
async function leaveRun(domain: DatabaseAccess, { name, holder }: Run<unknown>, finished: boolean): Promise<void> {
  await domain.database.pool.query(finished ? finishSql : letGoSql, [name, holder]);
}

/** The result of a step. */
export interface Progress<Position> {
  position: Position;
  violations: readonly Violation[];
}

/**
 * Saves a run's position together with its findings, and renews its lease. `also` runs in the same transaction. New
 * findings are logged, by ids only. Throws RunLost.
 */
export async function saveRun<Position extends object>(
  domain: DatabaseAccess & Telemetry,
  run: Run<Position>,
  progress: Progress<Position>,
  also: (client: PoolClient) => Promise<void> = async () => undefined,
): Promise<void> {
  const found = await inTransaction(domain.database.pool, async (client) => {
    const values = [run.name, run.holder, lease, JSON.stringify(progress.position)];
    const saved = await client.query(saveSql, values);
    if (saved.rowCount !== 1) throw new RunLost(`the ${run.name} audit was taken over by another process`);
    await also(client);
    return recordFindings(client, progress.violations);
  });
  run.position = progress.position;
  for (const finding of found) domain.log.error(finding, 'the ledger breaks a rule');
}

const takeSql = `update audit_run set holder = $2, held_until = clock_timestamp() + $3 * interval '1 ms', position = coalesce(position, $5::jsonb),
    started_at = case when run <> 'incremental' and position is not null then started_at else clock_timestamp() end
  where run = $1 and (held_until is null or held_until < clock_timestamp())
    and (position is not null or finished_at is null or finished_at <= clock_timestamp() - $4::float8 * interval '1 ms')
  returning position`;

const saveSql = `update audit_run set position = $4::jsonb, held_until = clock_timestamp() + $3 * interval '1 ms' where run = $1 and holder = $2`;

const letGoSql = `update audit_run set holder = null, held_until = null where run = $1 and holder = $2`;

// The incremental run always continues from its position; the others start again.
const finishSql = `update audit_run set holder = null, held_until = null, finished_at = clock_timestamp(), finished_runs = finished_runs + 1,
    last_steps = (position->>'steps')::bigint, position = case run when 'incremental' then position end
  where run = $1 and holder = $2`;
