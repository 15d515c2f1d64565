import { dueWork, releaseResumed } from '@tidegate/domain';
import type { Job } from './job.ts';

/** Orders, and as many first attempts at notifications, and as many retries, that one run looks at. */
const batchSize = 2_000;

/**
 * Finds what is due and was not nudged, and adds its jobs. A backlog costs little: where as many jobs wait as are due, they are these, and
 * nothing is added. What is beyond the batch is found by later runs, once the workers have claimed the oldest. Of notifications that wait in
 * line only those are looked at whose hosts have a turn for them; those of merchants whose pause is over are put into line here.
 */
export const dispatch: Job = async ({ domain, lines, add, countWaiting }) => {
  await releaseResumed(domain, batchSize);
  // Without Redis nobody has a turn; all else goes on, as far as it can.
  let added = await lines.wakeNext().catch(() => 0);
  // On a cluster the queues lie on several nodes: one that is away holds up none of the others.
  let trouble: unknown = null;
  for (const [queue, works] of Map.groupBy(await dueWork(domain, batchSize), (work) => work.queue)) {
    try {
      if ((await countWaiting(queue)) >= works.length) continue;
      await add(queue, works);
      added += works.length;
    } catch (error) {
      trouble ??= error;
    }
  }
  if (trouble !== null) throw trouble;
  return added > 0 ? 'found' : 'nothing';
};
