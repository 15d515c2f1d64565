import { auditNew, auditSeals, auditWhole } from '@tidegate/domain/worker';
import type { Job } from './job.ts';

/** How long one job may spend on each of its two parts. The next job continues a few seconds later. */
const newForMs = 5_000;
const wholeForMs = 2_500;
const sealsForMs = 4_000;

/**
 * Checks new rows of the ledger, and continues the check of all rows and the daily run over the seals if they are due.
 * The seals come last: a folder that cannot be written must not hold up the others.
 */
export const audit: Job = async ({ auditDomain, sealFiles, readSealedRows, ending, ...context }) => {
  const domain = auditDomain ?? context.domain;
  const recent = await auditNew(domain, newForMs);
  const whole = ending.aborted ? 'held' : await auditWhole(domain, wholeForMs);
  if (whole !== 'held') return `whole_${whole}`;
  if (ending.aborted) return recent;
  const seals = await auditSeals(domain, { forMs: sealsForMs, files: sealFiles ?? null, readRows: readSealedRows });
  return seals === 'held' ? recent : `seals_${seals}`;
};
