import type { FastifyReply } from 'fastify';
import type { SandboxContext } from './context.ts';
import { viewOf } from './order-view.ts';
import { stateAt } from './state.ts';

/** `GET /orders/{orderNo}`: the current state; 404 for an unknown order. */
export async function queryOrder(context: SandboxContext, orderNo: string, reply: FastifyReply): Promise<FastifyReply> {
  const order = context.book.get(orderNo)?.order;
  if (!order) return reply.code(404).send({ code: 'order_unknown', message: 'no such order' });
  return reply.send(viewOf(order, stateAt(order, Date.now(), context.timeFactor), context.publicUrl()));
}
