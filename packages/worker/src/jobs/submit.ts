import { submitOrder } from '@tidegate/domain/worker';
import { type Job, orderData } from './job.ts';

/** Submits an order to its channel. */
export const submit: Job = ({ domain }, data) => submitOrder(domain, orderData.parse(data));
