import { expireOrder } from '@tidegate/domain/worker';
import { type Job, orderData } from './job.ts';

/** Ends an order whose time is over, after asking its channel. */
export const expire: Job = ({ domain }, data) => expireOrder(domain, orderData.parse(data));
