import { pollOrder } from '@tidegate/domain/worker';
import { type Job, orderData } from './job.ts';

/** Queries an order's status at its channel. */
export const poll: Job = ({ domain }, data) => pollOrder(domain, orderData.parse(data));
