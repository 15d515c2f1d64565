import type { TimeScale } from '../core/schedule.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { VaultAccess } from '../database/vault.ts';
import { doRun, type Run, type RunOutcome, saveRun } from './run.ts';
import { checkLists, saveFiled, writeFiles } from './seals/check-lists.ts';
import { type ExtendPosition, extendStep, saveWalks } from './seals/extend-walks.ts';
import type { ReadSealedRows } from './seals/read-sealed-rows.ts';
import type { SealFiles, SealRef } from './seals/seal-files.ts';
import { openSealKeys, type SealKeys } from './seals/seal-keys.ts';
import { beginVerifying, type VerifyPosition, verifyChosen } from './seals/verify-chosen.ts';
import { inSnapshot } from './snapshot.ts';

/** The time from the end of one run to the beginning of the next, before scaling. */
const every = 24 * 60 * 60_000;

type SealingPosition =
  | ({ phase: 'extend' } & ExtendPosition)
  | { phase: 'files'; after: Pick<SealRef, 'merchantId' | 'sealNo'> }
  | { phase: 'lists'; after: string }
  | ({ phase: 'verify' } & VerifyPosition);

const start: SealingPosition = { phase: 'extend', after: '', left: [] };

export interface SealingOptions {
  forMs: number;
  /** Copies of the seals outside the database; null: there are none. */
  files: SealFiles | null;
  /** Reads the rows of seals in other threads. By default, this thread reads them. */
  readRows?: ReadSealedRows | undefined;
  /** For tests: the current time, and the least number of rows that one run verifies. */
  now?: () => number;
  leastRows?: number;
}

type SealingAccess = DatabaseAccess & VaultAccess & TimeScale & Telemetry;

interface SealingContext {
  domain: SealingAccess;
  keys: SealKeys;
  files: SealFiles | null;
  readRows: ReadSealedRows | undefined;
  now: number;
  leastRows?: number | undefined;
}

/**
 * Continues the daily run over the seals for `forMs`, if it is due (ADR 0026). One process runs it at a time. It reads
 * the new rows of all merchants by all rules, seals months that are over, and writes files of new seals. Then it
 * compares the lists of seals and files, and verifies a tenth of all seals. Violations become findings.
 */
export function auditSeals(domain: SealingAccess, options: SealingOptions): Promise<RunOutcome> {
  const { forMs, files, readRows, now = Date.now, leastRows } = options;
  let keys: SealKeys | null = null;
  const run = { name: 'sealing', every: every * domain.scheduleScale, start, forMs } as const;
  return doRun<SealingPosition>(domain, run, async (run) => {
    keys ??= await openSealKeys(domain, { mayMake: true });
    return stepOn({ domain, keys, files, readRows, now: now(), leastRows }, run);
  });
}

function stepOn(context: SealingContext, run: Run<SealingPosition>): Promise<'finished' | 'going_on'> {
  const { position } = run;
  switch (position.phase) {
    case 'extend':
      return extend(context, run, position);
    case 'files':
      return write(context, run, position.after);
    case 'lists':
      return compareLists(context, run, position.after);
    case 'verify':
      return verify(context, run, position);
    default:
      return position satisfies never;
  }
}

async function extend(
  { domain, keys, now }: SealingContext,
  run: Run<SealingPosition>,
  position: ExtendPosition,
): Promise<'going_on'> {
  const step = await inSnapshot(domain, (read) => extendStep(read, domain, { position, keys, now }));
  const next: SealingPosition = step.next
    ? { phase: 'extend', ...step.next }
    : { phase: 'files', after: { merchantId: '', sealNo: 0 } };
  await saveRun(domain, run, { position: next, violations: step.violations }, (client) => saveWalks(client, step));
  return 'going_on';
}

async function write(
  { domain, keys, files }: SealingContext,
  run: Run<SealingPosition>,
  after: Pick<SealRef, 'merchantId' | 'sealNo'>,
): Promise<'going_on'> {
  const step = files ? await writeFiles(domain, files, keys, after) : null;
  const next: SealingPosition = step?.next
    ? { phase: 'files', after: { merchantId: step.next.merchantId, sealNo: step.next.sealNo } }
    : { phase: 'lists', after: '' };
  const violations = step?.violations ?? [];
  await saveRun(domain, run, { position: next, violations }, (client) => saveFiled(client, step?.written ?? []));
  return 'going_on';
}

async function compareLists(
  { domain, files, leastRows }: SealingContext,
  run: Run<SealingPosition>,
  after: string,
): Promise<'going_on'> {
  const { violations, next } = await checkLists(domain, files, after);
  const position: SealingPosition =
    next === null ? { phase: 'verify', ...(await beginVerifying(domain, leastRows)) } : { phase: 'lists', after: next };
  await saveRun(domain, run, { position, violations });
  return 'going_on';
}

async function verify(
  { domain, keys, files, readRows }: SealingContext,
  run: Run<SealingPosition>,
  position: VerifyPosition,
): Promise<'finished' | 'going_on'> {
  const { next, violations, save } = await verifyChosen({ domain, keys, files, readRows }, position);
  await saveRun(domain, run, { position: { phase: 'verify', ...(next ?? position) }, violations }, save);
  return next ? 'going_on' : 'finished';
}
