import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type WireCreate, wireCreate } from '../sandbox/wire.ts';
import type { SandboxContext } from './context.ts';
import { viewOf } from './order-view.ts';
import { readJson } from './read-json.ts';
import { type CreateRule, scenarioOf } from './scenarios.ts';
import { type StoredOrder, stateAt } from './state.ts';

/** How long a create without a reply stays open, unless the client gives up before. */
const HOLD_MS = 60_000;

/** `POST /orders`. A repeated order number with the same content returns the same order. With other content: 409. */
export async function createOrder(
  context: SandboxContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const parsed = wireCreate.safeParse(readJson(request));
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path }) => path.join('.') || 'body').join(', ');
    return reply.code(400).send({ code: 'invalid_order', message: `invalid: ${fields}`.slice(0, 500) });
  }
  const asked = parsed.data;
  const entry = context.book.countCreate(asked.orderNo);
  if (entry.order && entry.order.fingerprint !== fingerprintOf(asked)) {
    return reply.code(409).send({ code: 'order_conflict', message: 'this order number has other content' });
  }
  const plan = decide(scenarioOf(asked).create, entry.creates, entry.order !== undefined);
  const order =
    entry.order ?? (plan === 'answer' || plan === 'take_and_hold' ? acceptOrder(context, asked) : undefined);
  switch (plan) {
    case 'answer':
      if (!order) throw new Error('a reply needs an accepted order');
      return reply.send(viewOf(order, stateAt(order, Date.now(), context.timeFactor), context.publicUrl()));
    case 'refuse':
      return reply.code(422).send({ code: 'order_refused', message: 'refused by the sandbox' });
    case 'server_error':
      return reply.code(500).send({ code: 'internal', message: 'failing as this amount asks' });
    case 'hold':
    case 'take_and_hold':
      return hold(reply);
    default:
      return plan satisfies never;
  }
}

type ReplyPlan = 'answer' | 'refuse' | 'server_error' | 'hold' | 'take_and_hold';

/** `creates` includes the current request. */
function decide(rule: CreateRule, creates: number, isUsed: boolean): ReplyPlan {
  switch (rule) {
    case 'works':
      return 'answer';
    case 'refused':
      return 'refuse';
    case 'lost_before_acceptance':
      return 'hold';
    case 'first_lost_before_acceptance':
      return creates === 1 ? 'hold' : 'answer';
    case 'lost_after_acceptance':
      return isUsed ? 'hold' : 'take_and_hold';
    case 'two_server_errors':
      return creates <= 2 ? 'server_error' : 'answer';
    default:
      return rule satisfies never;
  }
}

function acceptOrder(context: SandboxContext, request: WireCreate): StoredOrder {
  const { orderNo, kind, country, currency, amount, bankCode, callbackUrl } = request;
  const order = context.book.addOrder({
    orderNo,
    kind,
    country,
    currency,
    amount,
    ...(bankCode === undefined ? {} : { bankCode }),
    callbackUrl,
    fingerprint: fingerprintOf(request),
    upstreamId: `SBX${randomBytes(8).toString('hex').toUpperCase()}`,
    takenAtMs: Date.now(),
  });
  context.callbacks.poke(orderNo);
  return order;
}

/** Hash of the fields that must not change when a create is repeated. The callback URL and the time left may change. */
function fingerprintOf({ kind, country, currency, amount, bankCode, party }: WireCreate): string {
  const partyInOrder = Object.entries(party).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([kind, country, currency, amount, bankCode ?? null, partyInOrder]))
    .digest('hex');
}

function hold(reply: FastifyReply): FastifyReply {
  reply.hijack();
  const { socket } = reply.raw;
  const timer = setTimeout(() => socket?.destroy(), HOLD_MS);
  socket?.once('close', () => clearTimeout(timer));
  return reply;
}
