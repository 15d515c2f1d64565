import { fateOf, fromCents } from '../../fake-provider/index.ts';
import {
  type Context,
  type Input,
  page,
  parameter,
  problemOfFields,
  query,
  readInput,
  recordOf,
  recordsOf,
  refuse,
  seconds,
} from './context.ts';
import { endLink, payLink, startPayer } from './payer.ts';
import { type Link, makeId } from './records.ts';
import { viewOfLink, viewOfPayment } from './views.ts';

const fields = [
  'amount',
  'currency',
  'accept_partial',
  'first_min_partial_amount',
  'expire_by',
  'reference_id',
  'description',
  'customer',
  'notify',
  'reminder_enable',
  'notes',
  'callback_url',
  'callback_method',
  'options',
  'upi_link',
];

export function addLinkRoutes(context: Context): void {
  const { app } = context.server;
  app.post('/v1/payment_links', async (request, reply) => {
    const input = readInput(request);
    if (input === null) return refuse(reply, 'The request body is not JSON');
    const problem = problemOfLink(context, input);
    if (problem) return refuse(reply, problem.words, problem.field);
    const link = makeLink(context, input);
    context.store.put(link.id, link);
    if (context.paysBeforeAnswer) {
      context.paysBeforeAnswer = false;
      payLink(context, link.id, link.amount);
    } else startPayer(context, link);
    return viewOfLink(context, recordOf(context, 'link', link.id) ?? link);
  });
  app.get('/v1/payment_links', async (request) => {
    const reference = query(request, 'reference_id');
    const all = recordsOf(context, 'link').filter((link) => reference === undefined || link.reference === reference);
    return { payment_links: page(request, all).map((link) => viewOfLink(context, touch(context, link))) };
  });
  app.get('/v1/payment_links/:id', async (request, reply) => {
    const link = recordOf(context, 'link', parameter(request, 'id'));
    return link ? viewOfLink(context, touch(context, link)) : refuse(reply, 'The id provided does not exist');
  });
  app.post('/v1/payment_links/:id/cancel', async (request, reply) => {
    const found = recordOf(context, 'link', parameter(request, 'id'));
    if (!found) return refuse(reply, 'The id provided does not exist');
    const link = touch(context, found);
    if (link.status === 'paid') return refuse(reply, 'cannot cancel or expire an already paid/partially paid link');
    if (link.status !== 'created') return refuse(reply, 'cannot cancel or expire an expired link');
    endLink(context, link.id, 'cancelled');
    return viewOfLink(context, recordOf(context, 'link', link.id) ?? link);
  });
  app.get('/v1/orders/:id/payments', async (request, reply) => {
    const items = recordsOf(context, 'payment').filter(({ orderId }) => orderId === parameter(request, 'id'));
    if (items.length === 0) return refuse(reply, 'The id provided does not exist');
    return { entity: 'collection', count: items.length, items: items.map(viewOfPayment) };
  });
  app.get('/v1/payments', async (request) => {
    const items = page(request, recordsOf(context, 'payment')).map(viewOfPayment);
    return { entity: 'collection', count: items.length, items };
  });
}

/** A link whose time has passed expires when it is looked at. */
function touch(context: Context, link: Link): Link {
  if (link.status !== 'created' || link.expireBy > seconds(context)) return link;
  endLink(context, link.id, 'expired');
  return recordOf(context, 'link', link.id) ?? link;
}

function problemOfLink(context: Context, input: Input): { words: string; field: string | null } | null {
  const { amount, currency, reference_id: reference, expire_by: expireBy, description, notes } = input;
  const extra = problemOfFields(input, fields);
  if (extra) return { words: extra, field: null };
  if (amount === undefined) return { words: 'amount: cannot be blank.', field: null };
  if (!Number.isSafeInteger(amount) || Number(amount) < 100)
    return { words: 'The amount must be at least INR 1.00.', field: 'amount' };
  if (currency !== undefined && currency !== 'INR') return { words: 'Currency is not supported', field: 'currency' };
  if (typeof description === 'string' && description.length > 2048)
    return { words: 'description: the length must be no more than 2048.', field: 'description' };
  const isTooSoon = typeof expireBy !== 'number' || expireBy < seconds(context) + 15 * 60;
  if (expireBy !== undefined && isTooSoon)
    return { words: 'expire_by: timestamp must be atleast 15 minutes in future.', field: 'expire_by' };
  if (notes !== undefined && Object.keys(notes as object).length > 15)
    return { words: 'notes: at most 15 pairs', field: 'notes' };
  if (reference !== undefined) return problemOfReference(context, reference) ?? problemOfAmount(Number(amount));
  return problemOfAmount(Number(amount));
}

function problemOfReference(context: Context, reference: unknown): { words: string; field: string } | null {
  const field = 'reference_id';
  if (typeof reference !== 'string' || reference.length > 40)
    return { words: 'reference_id: the length must be no more than 40.', field };
  if (!recordsOf(context, 'link').some((link) => link.reference === reference)) return null;
  const words = `payment link with given reference_id: ${reference} already exists. Please create a payment link with a different reference_id`;
  return { words, field };
}

function problemOfAmount(amount: number): { words: string; field: string } | null {
  const isRefused = fateOf(fromCents(amount)) === 'refused';
  return isRefused ? { words: 'amount exceeds maximum amount allowed.', field: 'amount' } : null;
}

function makeLink(context: Context, input: Input): Link {
  const createdAt = seconds(context);
  return {
    type: 'link',
    id: makeId('plink'),
    amount: Number(input.amount),
    amountPaid: 0,
    status: 'created',
    reference: typeof input.reference_id === 'string' ? input.reference_id : null,
    createdAt,
    orderId: null,
    description: String(input.description ?? ''),
    expireBy: typeof input.expire_by === 'number' ? input.expire_by : createdAt + 180 * 86_400,
    notes: (input.notes as Record<string, string> | undefined) ?? null,
  };
}
