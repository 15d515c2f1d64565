import { pollOrder } from '@tidegate/domain/worker';
import { type Job, orderData } from './job.ts';

/** Asks an order's channel how it stands. */
export const poll: Job = ({ domain }, data) => pollOrder(domain, orderData.parse(data));
