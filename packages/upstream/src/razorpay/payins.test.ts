import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { NO_ANSWER } from '../testing/contract-subject.ts';
import { passOn, startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { recordsOf } from './fake/context.ts';
import { eventOf, type Fixture, openFixture, refundOf } from './testing/open-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const longDeadline = () => AbortSignal.timeout(10_000);
const linkOf = (orderNo: string) => recordsOf(fixture.context, 'link').filter(({ reference }) => reference === orderNo);
const until = <T>(fact: () => T | Promise<T>) => vi.waitFor(fact, { timeout: 5_000, interval: 20 });

/** A created order, and its last answer. */
async function endedAs(amount: string, outcome: string) {
  const order = fixture.order({ amount });
  const created = await fixture.channel.create(order, longDeadline());
  const answer = await until(async () => {
    const now = await fixture.channel.query(order, longDeadline());
    expect(now.outcome).toBe(outcome);
    return now;
  });
  return { order, created, answer };
}

test('the payer gets a page of Razorpay for at least 20 minutes, and Razorpay gets no personal data', async () => {
  const order = fixture.order({ amount: '1999.03', expiresInSeconds: 60 });
  const answer = await fixture.channel.create(order, longDeadline());
  expect(answer).toMatchObject({ outcome: 'accepted', channelRef: expect.stringMatching(/^plink_/) });
  expect('payLink' in answer && answer.payLink).toMatch(/^http/);
  const [link] = linkOf(order.orderNo);
  expect(link?.amount).toBe(199_903);
  expect((link?.expireBy ?? 0) * 1_000 - Date.now()).toBeGreaterThan(19 * 60_000);
  expect(JSON.stringify(link)).not.toMatch(/Asha|50100012345678/);
});

test('a create that is repeated after a lost answer finds its payment link, and makes no second one', async () => {
  const order = fixture.order({ amount: '80.02' });
  fixture.context.server.faults.next('answer_lost', 1, '/v1/payment_links');
  expect(await fixture.channel.create(order, longDeadline())).toMatchObject({ outcome: 'accepted' });
  expect(linkOf(order.orderNo)).toHaveLength(1);
});

test('the same number with another amount is unknown, because the first link may be paid', async () => {
  const order = fixture.order({ amount: '80.02' });
  await fixture.channel.create(order, longDeadline());
  const other = { ...order, amount: '81.02' };
  for (const call of ['create', 'query', 'cancel'] as const)
    expect(await fixture.channel[call](other, longDeadline())).toMatchObject(NO_ANSWER);
  expect(linkOf(order.orderNo).map(({ status }) => status)).toEqual(['created']);
});

test('an order is queried by its link if the link is known, and the link of another order is not an answer', async () => {
  const [order, other] = [fixture.order({ amount: '80.02' }), fixture.order({ amount: '80.02' })];
  const created = await fixture.channel.create(order, longDeadline());
  const channelRef = 'channelRef' in created ? (created.channelRef ?? '') : '';
  expect(await fixture.channel.query({ ...order, channelRef }, longDeadline())).toEqual(created);
  await fixture.channel.create(other, longDeadline());
  expect(await fixture.channel.cancel({ ...other, channelRef }, longDeadline())).toMatchObject(NO_ANSWER);
  expect(linkOf(order.orderNo)[0]?.status).toBe('created');
});

test('a failed attempt does not end the order while the link is open; afterwards the order is late, not failed', async () => {
  const { order, answer } = await endedAs('80.12', 'timed_out');
  expect(answer).toMatchObject({ reason: expect.stringContaining('expired') });
  const [link] = linkOf(order.orderNo);
  expect(recordsOf(fixture.context, 'payment').find(({ linkId }) => linkId === link?.id)?.status).toBe('failed');
});

test('a payment that is authorised late is undecided until it is captured, and then paid', async () => {
  const order = fixture.order({ amount: '80.01' });
  await fixture.channel.create(order, longDeadline());
  const [link] = linkOf(order.orderNo);
  if (!link) throw new Error('no link');
  const orderId = `order_${link.id.slice(6)}`;
  const payment = { id: `pay_${link.id.slice(6)}`, orderId, linkId: link.id, amount: 8_001, createdAt: link.createdAt };
  fixture.context.store.put(link.id, { ...link, orderId, status: 'expired' });
  const storePayment = (
    status: 'failed' | 'authorized' | 'captured' | 'refunded',
    more: { isAutoRefunded?: true } = {},
  ) => fixture.context.store.put(payment.id, { type: 'payment', ...payment, status, ...more });
  const outcomes = [];
  for (const status of ['failed', 'authorized', 'captured', 'refunded'] as const) {
    storePayment(status);
    outcomes.push((await fixture.channel.query(order, longDeadline())).outcome);
  }
  expect(outcomes).toEqual(['timed_out', 'unknown', 'paid', 'paid']);
  // Razorpay sends an authorised payment back by itself if it is not captured in time: its money never came.
  storePayment('refunded', { isAutoRefunded: true });
  expect(await fixture.channel.query(order, longDeadline())).toMatchObject({ outcome: 'timed_out' });
});

test('a payment that is captured after its link expired is paid, and its webhook causes a query', async () => {
  const { order } = await endedAs('80.15', 'paid');
  const late = await until(() => {
    const found = fixture.webhooks(order.orderNo).find((one) => eventOf(one) === 'order.paid');
    if (!found) throw new Error('no webhook yet');
    return found;
  });
  const query = { type: 'query', kind: 'payin', orderNo: order.orderNo };
  expect(fixture.channel.parseCallback(late.headers, late.body)).toEqual(query);
});

test('a payment of another amount is reported with that amount, and its webhook only causes a query', async () => {
  const { order, answer } = await endedAs('80.14', 'paid');
  expect(answer).toMatchObject({ payments: [{ amount: '79.14' }] });
  const paid = await until(() => {
    const found = fixture.webhooks(order.orderNo).find((one) => eventOf(one) === 'payment_link.paid');
    if (!found) throw new Error('no webhook yet');
    return found;
  });
  expect(fixture.channel.parseCallback(paid.headers, paid.body).type).toBe('query');
});

test('webhooks before the answer to the create, or repeated ones, only cause a query', async () => {
  const order = fixture.order();
  fixture.context.server.webhooks.deliver('twice');
  await fixture.control('early_webhook');
  const answer = await fixture.channel.create(order, longDeadline());
  fixture.context.server.webhooks.deliver('once');
  expect(answer.outcome).toBe('paid');
  const paid = await until(() => {
    const all = fixture.webhooks(order.orderNo).filter((one) => eventOf(one) === 'payment_link.paid');
    expect(all).toHaveLength(2);
    return all;
  });
  const query = { type: 'query', kind: 'payin', orderNo: order.orderNo };
  for (const { headers, body } of paid) expect(fixture.channel.parseCallback(headers, body)).toEqual(query);
});

describe('the account of a channel', () => {
  test('a call with a wrong key has an unknown outcome, never a refusal', async () => {
    const channel = fixture.channelAt(fixture.url, { keySecret: 'another' });
    const order = fixture.order({ amount: '80.11' });
    for (const call of ['create', 'query', 'cancel'] as const)
      expect(await channel[call](order, longDeadline())).toMatchObject(NO_ANSWER);
  });

  test('a channel without a RazorpayX account number refuses payouts, and its check reports it', async () => {
    const channel = fixture.channelAt(fixture.url, { accountNumber: '' });
    const order = fixture.order({ kind: 'payout' });
    const reason = expect.stringContaining('RazorpayX account number');
    expect(await channel.create(order, longDeadline())).toEqual({ outcome: 'refused', reason });
    expect(await channel.query(order, longDeadline())).toMatchObject({ outcome: 'unknown', why: 'not_found' });
  });

  test('Razorpay is not called if the rate limit leaves no time', async () => {
    const seen = await startFaultyUpstream(() => {});
    const { razorpay } = await import('./index.ts');
    const limiter = { take: async () => false };
    const settings = { channelId: 'c', baseUrl: seen.url, credentials: fixture.credentials, memory: fixture.memory };
    const channel = razorpay.open(settings, { http: fixture.http, limiter });
    for (const kind of ['payin', 'payout'] as const)
      for (const call of ['create', 'query', 'cancel'] as const)
        expect(await channel[call](fixture.order({ kind }), longDeadline())).toMatchObject(NO_ANSWER);
    expect(seen.seen).toHaveLength(0);
    await seen.close();
  });

  test.each([
    ['too_many_requests', 'HTTP 429'],
    ['maintenance_page', 'content type'],
    ['truncated', 'not JSON'],
  ] as const)('a create with the fault %s has no answer, and is not repeated at once', async (fault, detail) => {
    const order = fixture.order({ amount: '80.04' });
    fixture.context.server.faults.next(fault, 1, '/v1/payment_links');
    const answer = await fixture.channel.create(order, longDeadline());
    expect(answer).toMatchObject({ outcome: 'unknown', why: 'no_answer', detail: expect.stringContaining(detail) });
    expect(linkOf(order.orderNo)).toHaveLength(fault === 'truncated' ? 1 : 0);
  });

  test('the check tests the connection, both key pairs and the clock', async () => {
    const steps = (await fixture.channel.check?.(longDeadline())) ?? [];
    expect(steps.map(({ step, isOk }) => [step, isOk])).toEqual([
      ['reach', true],
      ['credentials', true],
      ['clock', true],
      ['credentials', true],
      ['callback', true],
    ]);
    expect(JSON.stringify(steps)).not.toContain(fixture.credentials.keySecret);
    const skewed = await openFixture({ offsetMs: 600_000 });
    const wrong = (await skewed.channelAt(skewed.url, { keySecret: 'another' }).check?.(longDeadline())) ?? [];
    expect(wrong.filter(({ isOk }) => !isOk).map(({ step }) => step)).toEqual(['credentials', 'clock']);
    const order = skewed.order({ amount: '80.05', expiresInSeconds: 60 });
    expect(await skewed.channel.create(order, longDeadline())).toMatchObject({ outcome: 'refused' });
    await skewed.close();
  });
});

describe('a refund', () => {
  const paidOrder = async () => {
    const { order, answer } = await endedAs('80.00', 'paid');
    const reference = 'payments' in answer ? (answer.payments?.[0]?.reference ?? '') : '';
    return { order, reference };
  };
  const refunds = (reference: string) =>
    recordsOf(fixture.context, 'refund').filter(({ paymentId }) => paymentId === reference);

  test('a refund that is sent repeatedly is refunded once, and the payin stays paid', async () => {
    const { order, reference } = await paidOrder();
    const refund = refundOf(order, reference);
    const send = () => fixture.channel.refund?.(refund, longDeadline());
    const first = await Promise.all([send(), send()]);
    const refundRef = refunds(reference)[0]?.id;
    for (const answer of [...first, await send()])
      expect(answer).toMatchObject({ outcome: expect.stringMatching(/^(accepted|refunded)$/), refundRef });
    await until(async () => {
      expect(await fixture.channel.queryRefund?.(refund, longDeadline())).toEqual({ outcome: 'refunded', refundRef });
    });
    expect(refunds(reference)).toHaveLength(1);
    expect(await fixture.channel.query(order, longDeadline())).toMatchObject({
      outcome: 'paid',
      payments: [{ reference }],
    });
  });

  test('a refund whose answer is lost is found, and a refund that was never sent is not found', async () => {
    const { order, reference } = await paidOrder();
    const refund = refundOf(order, reference, { refundAmount: '10.00' });
    expect(await fixture.channel.queryRefund?.(refund, longDeadline())).toMatchObject({ why: 'not_found' });
    const proxy = await startFaultyUpstream(async (request, reply) => {
      const answer = await passOn(fixture.url, request);
      if (request.method === 'POST') reply.destroy();
      else reply.writeHead(answer.status, answer.headers).end(answer.body);
    });
    const lost = await fixture.channelAt(proxy.url).refund?.(refund, AbortSignal.timeout(500));
    expect(lost).toMatchObject(NO_ANSWER);
    await proxy.close();
    expect(await fixture.channel.refund?.(refund, longDeadline())).toMatchObject({ refundRef: expect.any(String) });
    // Also after Razorpay has dropped the idempotency key.
    for (const created of refunds(reference)) fixture.context.store.put(created.id, { ...created, key: null });
    expect(await fixture.channel.refund?.(refund, longDeadline())).toMatchObject({ refundRef: expect.any(String) });
    expect(refunds(reference)).toHaveLength(1);
  });

  test('a refund of more than the payment, or of something else, is refused', async () => {
    const { order, reference } = await paidOrder();
    const tooMuch = refundOf(order, reference, { refundAmount: '81.00' });
    expect(await fixture.channel.refund?.(tooMuch, longDeadline())).toMatchObject({ outcome: 'refused' });
    expect(await fixture.channel.refund?.(refundOf(order, 'pout_1'), longDeadline())).toMatchObject({
      outcome: 'refused',
    });
    expect(refunds(reference)).toHaveLength(0);
  });
});
