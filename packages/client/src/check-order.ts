import { UnexpectedAnswerError } from './errors/errors.ts';

/**
 * Checks that an answer is about the requested order.
 * @throws UnexpectedAnswerError
 */
export function checkOrder<Order extends object>(
  order: Order,
  wanted: { orderNo?: string; merchantOrderNo?: string },
): Order {
  const { orderNo, merchantOrderNo, status } = order as Record<string, unknown>;
  const isAsked =
    typeof status === 'string' &&
    (wanted.orderNo === undefined || wanted.orderNo === orderNo) &&
    (wanted.merchantOrderNo === undefined || wanted.merchantOrderNo === merchantOrderNo);
  if (!isAsked) throw new UnexpectedAnswerError(`the service answered about another order: ${String(orderNo)}`);
  return order;
}
