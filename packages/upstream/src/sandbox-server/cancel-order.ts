import type { FastifyReply } from 'fastify';
import type { SandboxContext } from './context.ts';
import { queryOrder } from './query-order.ts';
import { stateAt } from './state.ts';

/**
 * `POST /orders/{orderNo}/cancel`: closes an order without events. A partly paid order ends as timed out, with its
 * payments. Other orders do not change. The answer has the state after that.
 */
export async function cancelOrder(
  context: SandboxContext,
  orderNo: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const order = context.book.get(orderNo)?.order;
  if (order) {
    const atMs = Date.now();
    const { status } = stateAt(order, atMs, context.timeFactor);
    if (status === 'pending') context.book.addManualEvent(orderNo, { atMs, becomes: 'closed' });
    if (status === 'part_paid') {
      context.book.addManualEvent(orderNo, { atMs, becomes: 'timed_out', reason: 'closed before the rest came' });
    }
    context.callbacks.poke(orderNo);
  }
  return queryOrder(context, orderNo, reply);
}
