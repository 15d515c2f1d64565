import { workOnRefund } from '@tidegate/domain/worker';
import { type Job, refundData } from './job.ts';

/** Sends a refund to its channel, or queries its outcome. */
export const refund: Job = ({ domain }, data) => workOnRefund(domain, refundData.parse(data));
