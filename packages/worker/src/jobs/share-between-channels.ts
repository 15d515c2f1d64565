import type { Priority } from '@tidegate/domain/sharing';
import { isPayoutNo } from '@tidegate/domain/worker';
import type { QueueName } from '@tidegate/queue';
import { openChannelBacklog, type Placed } from '../channels/channel-backlog.ts';
import { type JobContext, orderData } from './job.ts';

/** The queues whose jobs call channels. */
const channelQueues = ['submit', 'poll', 'expire', 'refund', 'settle'] as const;
type ChannelQueue = (typeof channelQueues)[number];

export function isChannelQueue(name: QueueName): name is ChannelQueue {
  return channelQueues.some((one) => one === name);
}

/** Of the jobs of one queue, payouts go before creates. */
const priorityOf = (name: ChannelQueue, orderNo: string): Priority => {
  if (name === 'poll' || name === 'expire') return 'poll';
  return name === 'submit' && !isPayoutNo(orderNo) ? 'create' : 'payout';
};

/**
 * Shares the jobs of each of these queues between the channels, and between the merchants of a channel. `track` receives the work that runs outside of a job, so
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
      const key = `${merchantId} ${orderNo} ${refundNo}`;
      const priority = priorityOf(name, orderNo);
      const placed = backlogs[name].place(channelId, { key, owner: merchantId, priority, run: work });
      if (placed.isCrowded) context.fullChannels.mark(name, channelId);
      return placed;
    },
    close() {
      for (const backlog of Object.values(backlogs)) backlog.close();
    },
  };
}
