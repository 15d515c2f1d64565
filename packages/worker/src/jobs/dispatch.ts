import type { NotificationWork, Work } from '@tidegate/domain';
import { FairQueue } from '@tidegate/domain/sharing';
import { dueWatches, dueWork, parkAtHost, releaseResumed } from '@tidegate/domain/worker';
import { nameOf } from '../channels/full-channels.ts';
import type { Job, JobContext } from './job.ts';

/** The most orders, refunds, first attempts and retries (of each) that one run reads. */
const batchSize = 2_000;
/** The most notifications of one merchant at one host that get jobs in one run: twice the number of slots. */
const jobsPerBacklog = 16;
/** The most jobs of one channel and kind in one run. */
const jobsPerChannel = 500;
const jobsOfFullChannel = 16;
/**
 * The number of ended orders of one channel that one run queries again. This is four a second, half of the lowest limit
 * of an adapter.
 */
const watchesPerChannel = 2;

/**
 * Finds due work that has no job, and adds jobs. If a queue already has as many jobs as rows are due, nothing is added:
 * they are assumed to be the same. Later runs find rows beyond the batch, once workers have claimed the oldest.
 *
 * Parked notifications are read only for hosts with a free slot. Notifications whose pause is over, and those beyond 16
 * per merchant and host, are parked here. Parking each by a job of its own would take longer than delivering it.
 */
export const dispatch: Job = async (context) => {
  const { domain, backlogs, add, countWaiting } = context;
  await releaseResumed(domain, batchSize);
  await backlogs.releaseStranded();
  // Without Redis there are no slots. The other steps continue as far as possible.
  let added = await backlogs.wakeNext().catch(() => 0);
  // On a cluster the queues are on several nodes. A node that is unavailable does not delay the others.
  let trouble: unknown = null;
  const found = await parkBeyondSlots(context, await dueWork(domain, batchSize, context.dueRotation));
  const full = await context.fullChannels.read();
  const watches = (await dueWatches(domain, watchesPerChannel)).filter(
    ({ queue, channelId }) => !full.has(nameOf(queue, channelId)),
  );
  const due = [...withinChannels(found, full), ...watches];
  for (const [queue, works] of Map.groupBy(due, (work) => work.queue)) {
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

/**
 * The most that one run adds for each channel and kind of work, the merchants of a channel in turn. A full channel gets
 * only a few jobs, because more would wait.
 */
export function withinChannels(due: readonly Work[], full: ReadonlySet<string>): Work[] {
  const isOfChannel = (work: Work): boolean => 'channelId' in work;
  const nameOfWork = (work: Work): string => ('channelId' in work ? nameOf(work.queue, work.channelId) : '');
  const chosen = [...Map.groupBy(due.filter(isOfChannel), nameOfWork)].flatMap(([name, works]) =>
    inTurn(works).slice(0, full.has(name) ? jobsOfFullChannel : jobsPerChannel),
  );
  return [...chosen, ...due.filter((work) => !isOfChannel(work))];
}

/** The first work of each merchant, then the second of each, and so on. */
function inTurn(works: readonly Work[]): Work[] {
  const queue = new FairQueue<Work>({ places: Number.POSITIVE_INFINITY });
  for (const work of works) queue.add(work, work.merchantId, 'poll');
  return works.flatMap(() => queue.next()?.value ?? []);
}

/** Returns the work that gets jobs. */
async function parkBeyondSlots({ domain, notified }: JobContext, due: readonly Work[]): Promise<Work[]> {
  const places = new Map<string, number>();
  const isBeyond = (work: Work): work is NotificationWork => {
    // A URL that may not be notified has no host, and no backlog.
    if (!('host' in work) || work.host === '') return false;
    const backlog = JSON.stringify([work.queue, work.host, work.merchantId]);
    const place = (places.get(backlog) ?? 0) + 1;
    places.set(backlog, place);
    return place > jobsPerBacklog;
  };
  const beyond = new Set<Work>(due.filter(isBeyond));
  const enqueue = async (work: Work): Promise<void> => {
    if ('host' in work && (await parkAtHost(domain, work))) notified('host_full');
  };
  await Promise.all([...beyond].map(enqueue));
  return due.filter((work) => !beyond.has(work));
}
