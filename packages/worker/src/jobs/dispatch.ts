import { dueWork } from '@tidegate/domain';
import type { Job } from './job.ts';

/** Orders, and as many notifications, that one run looks at. */
const batchSize = 2_000;

/**
 * Finds what is due and was not nudged, and adds its jobs. A backlog costs little: where as many jobs wait as are due, they are these, and
 * nothing is added. What is beyond the batch is found by later runs, once the workers have claimed the oldest.
 */
export const dispatch: Job = async ({ domain, add, countWaiting }) => {
  let added = 0;
  for (const [queue, works] of Map.groupBy(await dueWork(domain, batchSize), (work) => work.queue)) {
    if ((await countWaiting(queue)) >= works.length) continue;
    await add(queue, works);
    added += works.length;
  }
  return added > 0 ? 'found' : 'nothing';
};
