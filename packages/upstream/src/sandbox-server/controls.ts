import { boundedText } from '@tidegate/settings/bounded-text';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { fromCents, toCents } from '../fake-provider/cents.ts';
import type { SandboxContext } from './context.ts';
import { payPage } from './pay-page.ts';
import { queryOrder } from './query-order.ts';
import { rawBody, readJson } from './read-json.ts';
import { type ManualEvent, type OrderState, paidCents, type StoredOrder, stateAt } from './state.ts';

const payBody = z.object({
  amount: z.exactOptional(boundedText(15).regex(/^(?!0+\.00$)(0|[1-9][0-9]{0,11})\.[0-9]{2}$/)),
});
const listQuery = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(10_000).default(1_000),
});
type OrderRoute = { Params: { orderNo: string } };

/**
 * Endpoints of the sandbox that a real upstream does not have. Unsigned: for people, pages and tests.
 *
 *     GET  /orders?offset=&limit=   { orders: [{ orderNo, creates, order? }] } in the order of their first create
 *     POST /orders/{orderNo}/pay    { amount? }: the payer pays what is left, or that amount
 *     POST /orders/{orderNo}/fail
 *     GET  /pay/{orderNo}           the page that a pay link leads to
 */
export function addControls(app: FastifyInstance, context: SandboxContext): void {
  app.get('/orders', async (request, reply) => {
    const parsed = listQuery.safeParse(request.query);
    if (!parsed.success)
      return reply.code(400).send({ code: 'invalid_order', message: 'offset or limit is not valid' });
    const entries = context.book.list(parsed.data.offset, parsed.data.limit);
    return reply.send({
      orders: entries.map(({ orderNo, creates, order }) => ({
        orderNo,
        creates,
        ...(order ? { kind: order.kind, amount: order.amount, ...stateAt(order, Date.now(), context.timeFactor) } : {}),
      })),
    });
  });
  app.post<OrderRoute>('/orders/:orderNo/pay', async (request, reply) => {
    const body = payBody.safeParse(rawBody(request).length === 0 ? {} : readJson(request));
    if (!body.success) return reply.code(400).send({ code: 'invalid_order', message: 'amount is not valid' });
    return act(context, request.params.orderNo, reply, (order, now) => payment(order, now, body.data.amount));
  });
  app.post<OrderRoute>('/orders/:orderNo/fail', async (request, reply) =>
    act(context, request.params.orderNo, reply, (_order, { status }) =>
      status === 'pending' ? { becomes: 'failed', reason: 'failed by hand' } : undefined,
    ),
  );
  app.get<OrderRoute>('/pay/:orderNo', async (request, reply) => {
    const order = context.book.get(request.params.orderNo)?.order;
    if (order?.kind !== 'payin') return reply.code(404).send({ code: 'order_unknown', message: 'no such order' });
    return reply.type('text/html; charset=utf-8').send(payPage(order, stateAt(order, Date.now(), context.timeFactor)));
  });
}

type ManualAction = Omit<ManualEvent, 'atMs'>;

async function act(
  context: SandboxContext,
  orderNo: string,
  reply: FastifyReply,
  decide: (order: StoredOrder, now: OrderState) => ManualAction | undefined,
): Promise<FastifyReply> {
  const order = context.book.get(orderNo)?.order;
  if (order) {
    const atMs = Date.now();
    const action = decide(order, stateAt(order, atMs, context.timeFactor));
    if (!action) return reply.code(409).send({ code: 'order_not_open', message: 'not possible for this order now' });
    context.book.addManualEvent(orderNo, { atMs, ...action });
    context.callbacks.poke(orderNo);
  }
  return queryOrder(context, orderNo, reply);
}

/**
 * Payins accept money at any time, like a bank account, unless they were closed. A Thai payin can be paid in part. Others
 * end with the first payment. A payout is paid once, in full.
 */
function payment(order: StoredOrder, now: OrderState, amount: string | undefined): ManualAction | undefined {
  const whole = toCents(order.amount);
  if (order.kind === 'payout') {
    const fits = amount === undefined || amount === order.amount;
    return now.status === 'pending' && fits ? { becomes: 'paid', pays: order.amount } : undefined;
  }
  if (now.status === 'closed') return undefined;
  const before = paidCents(now);
  const left = before < whole ? whole - before : whole;
  const pays = amount === undefined ? left : toCents(amount);
  const inPart = order.country === 'TH' && before + pays < whole;
  return { becomes: inPart ? 'part_paid' : 'paid', pays: fromCents(pays) };
}
