import { dueWork } from '@tidegate/domain';
import type { Job } from './job.ts';

const batchSize = 1_000;
/** Bounds one run: what is more is found by the next, which follows at once. */
const batches = 10;

/**
 * Finds what is due and was not nudged, and adds its jobs; what waits in a queue already is not added again. A job once taken has moved its
 * row's due time by its lease, so a full batch again means more work.
 */
export const dispatch: Job = async ({ domain, add }) => {
  let found = 0;
  for (let i = 0; i < batches; i++) {
    const due = await dueWork(domain, batchSize);
    await add(due);
    found += due.length;
    if (due.length < batchSize) break;
  }
  return found > 0 ? 'found' : 'nothing';
};
