import type { FastifyReply } from 'fastify';
import {
  type Context,
  page,
  parameter,
  problemOfFields,
  readInput,
  recordOf,
  recordsOf,
  refuse,
  seconds,
} from './context.ts';
import { sendRefundEvent } from './events.ts';
import { makeId, type Payment, type Refund } from './records.ts';
import { viewOfPayment, viewOfRefund } from './views.ts';

export function addRefundRoutes(context: Context): void {
  const { app } = context.server;
  app.get('/v1/payments/:id', async (request, reply) => {
    const payment = recordOf(context, 'payment', parameter(request, 'id'));
    return payment ? viewOfPayment(payment) : refuse(reply, 'The id provided does not exist');
  });
  app.get('/v1/payments/:id/refunds', async (request) => {
    const all = recordsOf(context, 'refund').filter(({ paymentId }) => paymentId === parameter(request, 'id'));
    const items = page(request, all).map(viewOfRefund);
    return { entity: 'collection', count: items.length, items };
  });
  app.post('/v1/payments/:id/refund', async (request, reply) => {
    const input = readInput(request);
    if (input === null) return refuse(reply, 'The request body is not JSON');
    const extra = problemOfFields(input, ['amount', 'speed', 'notes', 'receipt']);
    if (extra) return refuse(reply, extra);
    const payment = recordOf(context, 'payment', parameter(request, 'id'));
    if (!payment) return refuse(reply, `${parameter(request, 'id')} is not a valid id`);
    const header = request.headers['x-refund-idempotency'];
    const key = typeof header === 'string' ? header : null;
    const requestText = JSON.stringify([payment.id, input]);
    const known = key === null ? undefined : recordsOf(context, 'refund').find((one) => one.key === key);
    if (known && known.request !== requestText)
      return refuse(reply, 'Different request with the same idempotency key has already been processed.', null, 409);
    if (known) return viewOfRefund(known);
    return makeRefund(context, payment, { key, requestText, ...readRefund(input, payment) }, reply);
  });
}

interface RefundRequest {
  key: string | null;
  requestText: string;
  amount: number;
  receipt: string | null;
}

function readRefund(input: Record<string, unknown>, payment: Payment): Pick<RefundRequest, 'amount' | 'receipt'> {
  const amount = input.amount === undefined ? payment.amount : Number(input.amount);
  return { amount, receipt: typeof input.receipt === 'string' ? input.receipt : null };
}

function makeRefund(
  context: Context,
  payment: Payment,
  { key, requestText, amount, receipt }: RefundRequest,
  reply: FastifyReply,
) {
  if (key !== null && key.length < 10) return refuse(reply, 'The idempotency key must be at least 10 characters long.');
  if (key !== null && !/^[A-Za-z0-9_-]+$/.test(key))
    return refuse(reply, 'The idempotency key must only contain alphanumeric characters, underscores, and hyphens');
  if (!Number.isSafeInteger(amount) || amount < 100) return refuse(reply, 'The amount must be at least INR 1.00.');
  if (payment.status === 'refunded') return refuse(reply, 'The payment has been fully refunded already.');
  const refunds = recordsOf(context, 'refund').filter(({ paymentId }) => paymentId === payment.id);
  const back = refunds.reduce((sum, one) => sum + one.amount, 0);
  if (payment.status !== 'captured' || back + amount > payment.amount)
    return refuse(reply, 'The refund amount provided is greater than amount captured.');
  const refund: Refund = {
    type: 'refund',
    id: makeId('rfnd'),
    paymentId: payment.id,
    amount,
    receipt,
    status: 'pending',
    createdAt: seconds(context),
    key,
    request: requestText,
  };
  context.store.put(refund.id, refund);
  if (back + amount === payment.amount) context.store.put(payment.id, { ...payment, status: 'refunded' });
  sendRefundEvent(context, 'refund.created', refund, payment);
  context.server.after(2, () => {
    const processed: Refund = { ...refund, status: 'processed' };
    context.store.put(refund.id, processed);
    sendRefundEvent(context, 'refund.processed', processed, payment);
  });
  return viewOfRefund(refund);
}
