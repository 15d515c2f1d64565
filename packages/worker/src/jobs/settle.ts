import { workOnSettlement } from '@tidegate/domain/worker';
import { type Job, settlementData } from './job.ts';

/** Sends a settlement to the channel that pays it, or queries its outcome. */
export const settle: Job = ({ domain }, data) => {
  const { merchantId, orderNo: paymentNo } = settlementData.parse(data);
  return workOnSettlement(domain, { merchantId, paymentNo });
};
