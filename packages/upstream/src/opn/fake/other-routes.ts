import { chargeIn, notFound } from './charge-routes.ts';
import { sendEvent } from './events.ts';
import { refresh } from './payer.ts';
import { authenticate, isObject, numberIn, OpnError, readBody } from './requests.ts';
import { newId, type OpnState, type StoredCharge, type StoredRefund } from './state.ts';
import { viewCharge, viewRefund, viewRefunds } from './views.ts';

export function addOtherRoutes(state: OpnState): void {
  addRefundRoutes(state);
  const { app } = state.server;
  const { secretKey, publicKey, accountId } = state.account;

  app.post('/sources', async (request) => {
    authenticate(request, publicKey);
    const { type, amount, currency } = readBody(request);
    if (type !== 'promptpay' || currency !== 'THB' || !Number.isInteger(amount)) {
      throw new OpnError(400, 'bad_request', 'source is invalid');
    }
    const id = newId(state, 'src');
    state.sources.set(id, Number(amount));
    return { object: 'source', id, type, amount, currency, flow: 'offline', livemode: state.isLive };
  });

  app.get('/search', async (request) => {
    authenticate(request, secretKey);
    const { scope, query = '' } = request.query as Record<string, string>;
    if (scope !== 'charge') throw new OpnError(400, 'bad_request', 'scope is invalid');
    const perPage = numberIn(request.query, 'per_page', 30, 100);
    const page = numberIn(request.query, 'page', 1, 1_000);
    const youngest = Date.now() - state.controls.searchLagMs;
    const found = state.charges.all().filter((charge) => charge.createdAt <= youngest && hasText(charge, query));
    const shown = found.toReversed().slice((page - 1) * perPage, page * perPage);
    return {
      object: 'search',
      location: '/search',
      scope,
      query,
      filters: {},
      order: 'reverse_chronological',
      page,
      per_page: perPage,
      total: found.length,
      total_pages: Math.ceil(found.length / perPage),
      data: shown.map((charge) => viewCharge(state, refresh(state, charge))),
    };
  });

  app.get('/account', async (request) => {
    authenticate(request, secretKey);
    return {
      object: 'account',
      id: accountId,
      livemode: state.isLive,
      location: '/account',
      country: 'TH',
      currency: 'THB',
      email: 'merchant@example.com',
      api_version: '2019-05-29',
      webhook_uri: state.webhookUrl ?? null,
    };
  });
}

function hasText({ id, description, metadata }: StoredCharge, query: string): boolean {
  return [id, description, ...Object.values(metadata)].some((text) => typeof text === 'string' && text.includes(query));
}

function addRefundRoutes(state: OpnState): void {
  const { app } = state.server;
  const key = state.account.secretKey;

  app.post('/charges/:id/refunds', async (request) => {
    authenticate(request, key);
    const charge = chargeIn(state, request);
    const { amount, metadata } = readBody(request);
    if (!Number.isInteger(amount) || Number(amount) <= 0) throw new OpnError(400, 'bad_request', 'amount is invalid');
    const left = charge.amount - charge.refunds.reduce((sum, refund) => sum + refund.amount, 0);
    if (charge.status !== 'successful' || Number(amount) > left) {
      throw new OpnError(400, 'failed_refund', 'charge cannot be refunded');
    }
    const refund: StoredRefund = {
      id: newId(state, 'rfnd'),
      amount: Number(amount),
      status: 'pending',
      metadata: isObject(metadata) ? metadata : {},
      createdAt: state.server.clock.now(),
    };
    const refunded = { ...charge, refunds: [...charge.refunds, refund] };
    state.charges.put(charge.id, refunded);
    sendEvent(state, 'refund.create', refunded, { data: viewRefund(refunded, refund) });
    state.server.after(2, () => closeRefund(state, charge.id, refund.id));
    return viewRefund(refunded, refund);
  });

  app.get('/charges/:id/refunds', async (request) => {
    authenticate(request, key);
    const limit = numberIn(request.query, 'limit', 20, 100);
    return viewRefunds(chargeIn(state, request), limit, numberIn(request.query, 'offset', 0, 1_000));
  });

  app.get('/charges/:id/refunds/:refund', async (request) => {
    authenticate(request, key);
    const charge = chargeIn(state, request);
    const { refund: id } = request.params as Record<string, string>;
    const refund = charge.refunds.find((one) => one.id === id);
    if (!refund) throw notFound(`refund ${id}`);
    return viewRefund(charge, refund);
  });
}

function closeRefund(state: OpnState, chargeId: string, refundId: string): void {
  const charge = state.charges.get(chargeId);
  if (!charge) return;
  const refunds = charge.refunds.map((one) => (one.id === refundId ? { ...one, status: 'closed' as const } : one));
  state.charges.put(chargeId, { ...charge, refunds });
}
