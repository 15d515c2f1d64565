import { auditNew, auditWhole } from '@tidegate/domain/worker';
import type { Job } from './job.ts';

/** How long one job may take for each part. The next job continues a few seconds later. */
const newForMs = 5_000;
const wholeForMs = 2_500;

/** Checks new rows of the ledger, and continues the daily check of all rows if it is due. */
export const audit: Job = async ({ auditDomain, ending, ...context }) => {
  const domain = auditDomain ?? context.domain;
  const recent = await auditNew(domain, newForMs);
  const whole = ending.aborted ? 'held' : await auditWhole(domain, wholeForMs);
  return whole === 'held' ? recent : `whole_${whole}`;
};
