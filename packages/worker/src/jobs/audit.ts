import { auditNew, auditWhole } from '@tidegate/domain/worker';
import type { Job } from './job.ts';

/** How long one job may take over each; what is left then is the next job's, a few seconds later. */
const newForMs = 5_000;
const wholeForMs = 2_500;

/** Checks what is new in the ledger, and goes on with the daily check of all of them where that is due. */
export const audit: Job = async ({ auditDomain, ending, ...context }) => {
  const domain = auditDomain ?? context.domain;
  const recent = await auditNew(domain, newForMs);
  const whole = ending.aborted ? 'held' : await auditWhole(domain, wholeForMs);
  return whole === 'held' ? recent : `whole_${whole}`;
};
