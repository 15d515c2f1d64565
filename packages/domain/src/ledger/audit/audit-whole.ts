import type { TimeScale } from '../../core/schedule.ts';
import type { Telemetry } from '../../core/telemetry.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { doRun, type RunOutcome, saveRun } from './run.ts';
import { saveSeals } from './walk-rows.ts';
import { stepOn, type WholePosition, wholeStart } from './walk-whole.ts';

/** From the end of one whole run to the begin of the next, before scaling. */
const every = 24 * 60 * 60_000;

/**
 * Continues the daily check of everything for `forMs`, if it is due. One process runs it at a time. Violations become
 * findings. It checks the rules of auditNew on every order and on every wallet with its whole history, from the first
 * row on.
 */
export function auditWhole(domain: DatabaseAccess & TimeScale & Telemetry, forMs: number): Promise<RunOutcome> {
  const run = { name: 'whole', every: every * domain.scheduleScale, start: wholeStart, forMs } as const;
  return doRun<WholePosition>(domain, run, async (run) => {
    const { next, violations, sealing } = await stepOn(domain, run.position);
    await saveRun(domain, run, { position: next ?? run.position, violations }, async (client) => {
      if (sealing) await saveSeals(client, sealing.step, sealing.requiredSince);
    });
    return next ? 'going_on' : 'finished';
  });
}
