import type { TimeScale } from '../core/schedule.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { VaultAccess } from '../database/vault.ts';
import { isAhead } from './pace.ts';
import { doRun, type RunOutcome, saveRun } from './run.ts';
import { openSealKeys, type SealKeys } from './seals/seal-keys.ts';
import { stepOn, type WholePosition, wholeStart } from './walk-whole.ts';

/** The time from the end of one whole run to the beginning of the next, before scaling. */
const every = 24 * 60 * 60_000;

/**
 * Continues the check of everything for `forMs`, if it is due and not ahead of its time. A small ledger is checked
 * every day, a large one every 28 days (pace.ts). One process runs it at a time. Violations become findings. It
 * checks the rules of auditNew on every order and wallet. A wallet's history is read from its last seal on, since
 * auditSeals verifies what is before.
 */
export async function auditWhole(
  domain: DatabaseAccess & VaultAccess & TimeScale & Telemetry,
  forMs: number,
): Promise<RunOutcome> {
  if (await isAhead(domain)) return 'held';
  let keys: SealKeys | null = null;
  const run = { name: 'whole', every: every * domain.scheduleScale, start: wholeStart, forMs } as const;
  return doRun<WholePosition & { steps?: number }>(domain, run, async (run) => {
    keys ??= await openSealKeys(domain, { mayMake: false });
    const { next, violations } = await stepOn(domain, run.position, keys);
    const position = { ...(next ?? run.position), steps: (run.position.steps ?? 0) + 1 };
    await saveRun(domain, run, { position, violations });
    return next ? 'going_on' : 'finished';
  });
}
