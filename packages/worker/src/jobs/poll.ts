import { answerQuestions, pollOrder, queryEndedOrder } from '@tidegate/domain/worker';
import type { Job, OrderData } from './job.ts';

/**
 * Queries an order's status at its channel: that of an open order, or once more that of an ended one. Or makes the calls
 * that other processes ask for.
 */
export const poll: Job<OrderData> = ({ domain }, { isWatch, isQuestion, ...ref }) => {
  if (isQuestion) return answerQuestions(domain, ref);
  return isWatch ? queryEndedOrder(domain, ref) : pollOrder(domain, ref);
};
