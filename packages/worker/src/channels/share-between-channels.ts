import type { QueueName } from '@tidegate/queue';
import { type JobContext, orderData } from '../jobs/job.ts';
import { openChannelBacklog, type Placed } from './channel-backlog.ts';

/** The queues whose jobs call channels. */
const channelQueues = ['submit', 'poll', 'expire', 'refund', 'settle'] as const;
type ChannelQueue = (typeof channelQueues)[number];

export function isChannelQueue(name: QueueName): name is ChannelQueue {
  return channelQueues.some((one) => one === name);
}

/**
 * Shares the jobs of each of these queues between the channels. `track` receives the work that runs outside of a job, so
 * that it can be awaited at shutdown.
 */
export function shareBetweenChannels(options: {
  context: Pick<JobContext, 'domain' | 'fullChannels'>;
  concurrencyOf: (name: ChannelQueue) => number;
  track: (ended: Promise<void>) => void;
}): {
  /** Null if the job's data cannot be read. */
  place(name: ChannelQueue, data: unknown, work: () => Promise<void>): Placed | null;
  close(): void;
} {
  const { context, concurrencyOf, track } = options;
  const { isHanging } = context.domain.channelHealth;
  const open = (name: ChannelQueue) =>
    openChannelBacklog({
      concurrency: concurrencyOf(name),
      isHanging,
      started: track,
      short: (channelId) => context.fullChannels.unmark(name, channelId),
    });
  const backlogs = {
    submit: open('submit'),
    poll: open('poll'),
    expire: open('expire'),
    refund: open('refund'),
    settle: open('settle'),
  };
  return {
    place(name, data, work) {
      const read = orderData.safeParse(data);
      if (!read.success) return null;
      const { merchantId, orderNo, refundNo = '', channelId } = read.data;
      const placed = backlogs[name].place(channelId, `${merchantId} ${orderNo} ${refundNo}`, work);
      if (placed.isCrowded) context.fullChannels.mark(name, channelId);
      return placed;
    },
    close() {
      for (const backlog of Object.values(backlogs)) backlog.close();
    },
  };
}
