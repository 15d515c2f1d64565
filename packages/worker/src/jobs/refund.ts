import { workOnRefund } from '@tidegate/domain/worker';
import { type Job, refundData } from './job.ts';

/** Sends a refund to its channel, or asks what became of it. */
export const refund: Job = ({ domain }, data) => workOnRefund(domain, refundData.parse(data));
