import type { Domain, Work } from '@tidegate/domain';
import * as z from 'zod';
import type { FullChannels } from '../channels/full-channels.ts';
import type { Deliver } from '../deliver.ts';
import type { DeliverySlots } from '../delivery-slots/delivery-slots.ts';
import type { MerchantShare } from '../delivery-slots/merchant-share.ts';
import type { BacklogWaker } from '../delivery-slots/wake-backlogs.ts';

/** What jobs work with. */
export interface JobContext {
  domain: Domain;
  /** The domain with the role of the audit, where that has one of its own. */
  auditDomain?: Domain;
  deliver: Deliver;
  /** The delivery slots of the hosts that notifications go to. */
  slots: DeliverySlots;
  backlogs: BacklogWaker;
  /** Channels that have as much work as their slots take. */
  fullChannels: FullChannels;
  /** What one merchant may hold of this process's jobs, by queue. */
  shares: Record<'notify' | 'retry', MerchantShare>;
  /** What became of a notification, for the figures: of each attempt, and of each that was put off. */
  notified(outcome: NotificationOutcome): void;
  /** Aborted when no new work is to be begun. */
  ending: AbortSignal;
  /** Adds jobs of one queue, for `dispatch`; those that are there already are left alone. */
  add(queue: Work['queue'], works: readonly Work[]): Promise<void>;
  /** How many jobs of a queue wait for a worker. */
  countWaiting(queue: Work['queue']): Promise<number>;
}

/** After an attempt `delivered`, `retry` or `exhausted`; the others were put off and cost no attempt. */
export const notificationOutcomes = [
  ...(['delivered', 'retry', 'exhausted', 'host_full', 'breaker_open', 'merchant_busy', 'paused'] as const),
] as const;
export type NotificationOutcome = (typeof notificationOutcomes)[number];

/** What one run of a job came to, for the figures. Jobs throw only when something is broken. */
export type Job = (context: JobContext, data: unknown) => Promise<string>;

/** The ids that a job of an order carries. */
export const orderData = z.object({
  merchantId: z.string(),
  orderNo: z.string(),
  // An older release's jobs do not have it, and share the slots of one channel.
  channelId: z.string().default(''),
});

export const notificationData = z.object({
  merchantId: z.string(),
  orderNo: z.string(),
  status: z.enum([
    'completed',
    'failed',
    'timeout',
    'cancelled',
    'created',
    'market_available',
    'processing',
    'partial_paid',
  ]),
  // An older release's jobs do not have it.
  host: z.string().default(''),
});
