import { UnexpectedAnswerError } from './errors/errors.ts';

/**
 * Checks that an answer is about the requested order.
 * @throws UnexpectedAnswerError
 */
export function checkOrder<Order extends object>(
  order: Order,
  asked: { orderNo?: string; merchantOrderNo?: string },
): Order {
  const { orderNo, merchantOrderNo, status } = order as Record<string, unknown>;
  const isAsked =
    typeof status === 'string' &&
    (asked.orderNo === undefined || asked.orderNo === orderNo) &&
    (asked.merchantOrderNo === undefined || asked.merchantOrderNo === merchantOrderNo);
  if (!isAsked) throw new UnexpectedAnswerError(`the service answered about another order: ${String(orderNo)}`);
  return order;
}
