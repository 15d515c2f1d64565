import { expireOrder } from '@tidegate/domain/worker';
import type { Job, OrderData } from './job.ts';

/** Ends an expired payin, after a query to its channel, or an expired claim of a payout task. */
export const expire: Job<OrderData> = ({ domain }, ref) => expireOrder(domain, ref);
