import type { Domain, Work } from '@tidegate/domain';
import type { ReadSealedRows, SealFiles } from '@tidegate/domain/worker';
import * as z from 'zod';
import type { FullChannels } from '../channels/full-channels.ts';
import type { Deliver } from '../deliver.ts';
import type { DeliverySlots } from '../delivery-slots/delivery-slots.ts';
import type { MerchantShare } from '../delivery-slots/merchant-share.ts';
import type { BacklogWaker } from '../delivery-slots/wake-backlogs.ts';

/** The dependencies of jobs. */
export interface JobContext {
  domain: Domain;
  /** The domain with the audit's own database role, if there is one. */
  auditDomain?: Domain;
  /** Copies of the ledger's seals outside the database, if there are any. */
  sealFiles?: SealFiles;
  /** Reads the rows of seals in other threads. By default, the job reads them itself. */
  readSealedRows?: ReadSealedRows;
  deliver: Deliver;
  /** The delivery slots of hosts. */
  slots: DeliverySlots;
  backlogs: BacklogWaker;
  /** Channels without free slots. */
  fullChannels: FullChannels;
  /** Limits one merchant's part of this process's jobs, by queue. */
  shares: Record<'notify' | 'retry', MerchantShare>;
  /** Counts the outcome of each attempt at a notification, and of each postponement. */
  notified(outcome: NotificationOutcome): void;
  /** Aborted when no new work may begin. */
  ending: AbortSignal;
  /** Adds jobs to one queue, for `dispatch`. Existing jobs are not changed. */
  add(queue: Work['queue'], works: readonly Work[]): Promise<void>;
  /** The number of waiting jobs of a queue. */
  countWaiting(queue: Work['queue']): Promise<number>;
}

/** After an attempt `delivered`, `retry` or `exhausted`. The others were postponed without an attempt. */
export const notificationOutcomes = [
  ...(['delivered', 'retry', 'exhausted', 'host_full', 'breaker_open', 'merchant_busy', 'paused'] as const),
] as const;
export type NotificationOutcome = (typeof notificationOutcomes)[number];

/** Runs one job and returns its outcome, for metrics. A job throws only for an internal error. */
export type Job = (context: JobContext, data: unknown) => Promise<string>;

/** The ids that a job of an order carries, or of a refund of one. */
export const orderData = z.object({
  merchantId: z.string(),
  orderNo: z.string(),
  refundNo: z.string().optional(),
  // Absent in jobs of an older release, which share the slots of one channel.
  channelId: z.string().default(''),
  isWatch: z.boolean().default(false),
});

/** The ids that a job of a refund carries. */
export const refundData = z.object({ merchantId: z.string(), refundNo: z.string() });

/** The ids that a job of a settlement carries. `orderNo`: its number at the channel. */
export const settlementData = z.object({ merchantId: z.string(), orderNo: z.string() });

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
  // Absent in jobs of an older release.
  host: z.string().default(''),
});
