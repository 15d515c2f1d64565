import type { Domain, Work } from '@tidegate/domain';
import type { FairSlots } from '@tidegate/domain/sharing';
import type { DueRotation, ReadSealedRows, SealFiles } from '@tidegate/domain/worker';
import { boundedText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';
import type { FullChannels } from '../channels/full-channels.ts';
import type { Deliver } from '../delivery/deliver.ts';
import type { DeliverySlots } from '../delivery-slots/delivery-slots.ts';
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
  /** How far `dispatch` has read long backlogs of channels. */
  dueRotation: DueRotation;
  /** Channels without free slots. */
  fullChannels: FullChannels;
  /** The jobs for notifications of this process, by queue. */
  shares: Record<'notify' | 'retry', FairSlots>;
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

/**
 * Runs one job and returns its outcome, for metrics. A job throws only for an internal error. Its data was read by the
 * schema of its queue (`run-queues.ts`).
 */
export type Job<Data = unknown> = (context: JobContext, data: Data) => Promise<string>;

const id = boundedText(256);
/** Names of hosts have at most 253 characters, and a port may follow. */
const hostName = boundedText(300);

/** The ids that a job of an order carries, or of a refund of one. */
export const orderData = z.object({
  merchantId: id,
  orderNo: id,
  refundNo: id.optional(),
  channelId: id,
  isWatch: z.boolean().default(false),
  isQuestion: z.boolean().default(false),
});
export type OrderData = z.output<typeof orderData>;

/** The ids that a job of a refund carries. */
export const refundData = z.object({ merchantId: id, refundNo: id });

/** The ids that a job of a settlement carries. `orderNo`: its number at the channel. */
export const settlementData = z.object({ merchantId: id, orderNo: id });

export const notificationData = z.object({
  merchantId: id,
  orderNo: id,
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
  // Empty for a URL that may not be notified.
  host: hostName,
});
export type NotificationData = z.output<typeof notificationData>;
