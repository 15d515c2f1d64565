import type { Domain, Work } from '@tidegate/domain';
import * as z from 'zod';
import type { Deliver } from '../deliver.ts';

/** What jobs work with. */
export interface JobContext {
  domain: Domain;
  deliver: Deliver;
  /** Adds jobs of one queue, for `dispatch`; those that are there already are left alone. */
  add(queue: Work['queue'], works: readonly Work[]): Promise<void>;
  /** How many jobs of a queue wait for a worker. */
  countWaiting(queue: Work['queue']): Promise<number>;
}

/** What one run of a job came to, for the figures. Jobs throw only when something is broken. */
export type Job = (context: JobContext, data: unknown) => Promise<string>;

/** The ids that a job of an order carries. */
export const orderData = z.object({ merchantId: z.string(), orderNo: z.string() });

export const notificationData = orderData.extend({
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
});
