import { pollOrder, queryEndedOrder } from '@tidegate/domain/worker';
import { type Job, orderData } from './job.ts';

/** Queries an order's status at its channel: that of an open order, or once more that of an ended one. */
export const poll: Job = ({ domain }, data) => {
  const { isWatch, ...ref } = orderData.parse(data);
  return isWatch ? queryEndedOrder(domain, ref) : pollOrder(domain, ref);
};
