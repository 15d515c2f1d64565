import { expireOrder } from '@tidegate/domain/worker';
import { type Job, orderData } from './job.ts';

/** Ends an expired order, after a query to its channel. */
export const expire: Job = ({ domain }, data) => expireOrder(domain, orderData.parse(data));
