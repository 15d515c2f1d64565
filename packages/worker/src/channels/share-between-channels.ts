import type { QueueName } from '@tidegate/queue';
import { type JobContext, orderData } from '../jobs/job.ts';
import { openChannelBacklog, type Placed } from './channel-backlog.ts';

const orderQueues = ['submit', 'poll', 'expire'] as const;
type OrderQueue = (typeof orderQueues)[number];

export function isOrderQueue(name: QueueName): name is OrderQueue {
  return orderQueues.some((one) => one === name);
}

/**
 * Shares the jobs of each order queue between the channels. `track` receives the work that runs outside of a job, so
 * that it can be awaited at shutdown.
 */
export function shareBetweenChannels(options: {
  context: Pick<JobContext, 'domain' | 'fullChannels'>;
  concurrencyOf: (name: OrderQueue) => number;
  track: (ended: Promise<void>) => void;
}): {
  /** Null if the job's data cannot be read. */
  place(name: OrderQueue, data: unknown, work: () => Promise<void>): Placed | null;
  close(): void;
} {
  const { context, concurrencyOf, track } = options;
  const { isHanging } = context.domain.channelHealth;
  const open = (name: OrderQueue) =>
    openChannelBacklog({
      concurrency: concurrencyOf(name),
      isHanging,
      started: track,
      short: (channelId) => context.fullChannels.unmark(name, channelId),
    });
  const backlogs = { submit: open('submit'), poll: open('poll'), expire: open('expire') };
  return {
    place(name, data, work) {
      const read = orderData.safeParse(data);
      if (!read.success) return null;
      const { merchantId, orderNo, channelId } = read.data;
      const placed = backlogs[name].place(channelId, `${merchantId} ${orderNo}`, work);
      if (placed.isCrowded) context.fullChannels.mark(name, channelId);
      return placed;
    },
    close() {
      for (const backlog of Object.values(backlogs)) backlog.close();
    },
  };
}
