import type { FastifyRequest } from 'fastify';
import { fateOf, fromCents } from '../../fake-provider/index.ts';
import { sendEvent } from './events.ts';
import { expire, pay, refresh, startPayer } from './payer.ts';
import { qrImage } from './qr.ts';
import { authenticate, isObject, numberIn, OpnError, readBody } from './requests.ts';
import { newId, type OpnState, type StoredCharge } from './state.ts';
import { viewCharge, viewList } from './views.ts';

/** The least and most of a PromptPay charge, in satang. */
const minSatang = 2_000;
const maxSatang = 15_000_000;
const dayMs = 24 * 3_600_000;

export function addChargeRoutes(state: OpnState): void {
  const { app } = state.server;
  const key = state.account.secretKey;

  app.post('/charges', async (request) => {
    authenticate(request, key);
    const charge = makeCharge(state, readBody(request));
    state.charges.put(charge.id, charge);
    sendEvent(state, 'charge.create', charge);
    const { answerNextAfter } = state.controls;
    if (answerNextAfter !== null) {
      state.controls.answerNextAfter = null;
      const early = viewCharge(state, charge);
      pay(state, charge.id);
      await answerNextAfter;
      return early;
    }
    startPayer(state, charge);
    return viewCharge(state, charge);
  });

  app.get('/charges', async (request) => {
    authenticate(request, key);
    const limit = numberIn(request.query, 'limit', 20, 100);
    const offset = numberIn(request.query, 'offset', 0, 1_000_000);
    const all = state.charges.all();
    const data = all.slice(offset, offset + limit).map((charge) => viewCharge(state, refresh(state, charge)));
    return viewList(data, all.length, limit, offset, '/charges');
  });

  app.get('/charges/:id', async (request) => {
    authenticate(request, key);
    return viewCharge(state, chargeIn(state, request));
  });

  app.post('/charges/:id/expire', async (request) => {
    authenticate(request, key);
    const charge = chargeIn(state, request);
    if (charge.status !== 'pending') throw new OpnError(400, 'failed_expire', 'charge cannot be expired');
    expire(state, charge.id);
    return viewCharge(state, chargeIn(state, request));
  });

  app.get('/charges/:id/documents/:document/downloads/:token', async (request, reply) => {
    const { document, token } = request.params as Record<string, string>;
    const charge = chargeIn(state, request);
    if (charge.documentId !== document || charge.downloadToken !== token) throw notFound('document');
    return reply.type('image/svg+xml').send(qrImage(charge.amount));
  });
}

/** The charge whose id is in the path. */
export function chargeIn(state: OpnState, request: FastifyRequest): StoredCharge {
  const { id = '' } = request.params as Record<string, string>;
  const charge = state.charges.get(id);
  if (!charge) throw notFound(`charge ${id}`);
  return refresh(state, charge);
}

export const notFound = (what: string): OpnError => new OpnError(404, 'not_found', `${what} was not found`);

function makeCharge(state: OpnState, body: Record<string, unknown>): StoredCharge {
  const { amount, currency, description, metadata, source } = body;
  const invalid = (message: string) => new OpnError(400, 'bad_request', message);
  if (typeof amount !== 'number' || !Number.isInteger(amount)) throw invalid('amount must be an integer');
  if (amount < minSatang) throw invalid('amount must be at least ฿20.00 (2000 satang)');
  if (amount > maxSatang) throw invalid('amount must be at most ฿150,000.00 (15000000 satang)');
  if (typeof currency !== 'string' || currency.toUpperCase() !== 'THB') throw invalid('currency must be thb');
  if (description !== undefined && typeof description !== 'string') throw invalid('description is invalid');
  if (metadata !== undefined && !isObject(metadata)) throw invalid('metadata must be an object');
  const now = state.server.clock.now();
  const fate = fateOf(fromCents(amount));
  const sourceId = readSource(state, source, amount);
  if (fate === 'refused') throw new OpnError(400, 'invalid_charge', 'the charge cannot be processed');
  return {
    id: newId(state, 'chrg'),
    amount,
    description: description ?? null,
    metadata: metadata ?? {},
    fate,
    sourceId,
    status: 'pending',
    failureCode: null,
    documentId: newId(state, 'docu'),
    downloadToken: newId(state, 'dl'),
    createdAt: now,
    expiresAt: readExpiry(body.expires_at, now),
    expiredAt: null,
    paidAt: null,
    refunds: [],
  };
}

function readSource(state: OpnState, source: unknown, amount: number): string {
  if (typeof source === 'string') {
    const known = state.sources.get(source);
    if (known === undefined) throw notFound(`source ${source}`);
    state.sources.delete(source);
    if (known !== amount) throw new OpnError(400, 'bad_request', 'amount does not match the source');
    return source;
  }
  if (!isObject(source) || source.type !== 'promptpay') {
    throw new OpnError(400, 'bad_request', 'source type is not supported');
  }
  return newId(state, 'src');
}

function readExpiry(text: unknown, now: number): number {
  if (text === undefined) return now + dayMs;
  const at = typeof text === 'string' && /^[0-9-]{10}T[0-9:]{8}Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at) || at <= now) throw new OpnError(400, 'bad_request', 'expires_at must be a time in the future');
  return at;
}
