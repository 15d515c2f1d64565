import { submitOrder } from '@tidegate/domain/worker';
import type { Job, OrderData } from './job.ts';

/** Submits an order to its channel. */
export const submit: Job<OrderData> = ({ domain }, ref) => submitOrder(domain, ref);
