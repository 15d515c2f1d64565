import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryOfOneProcess } from '../testing/channel-tools.ts';
import { examineCallback, readCallback } from './callback.ts';
import { readSettings } from './settings.ts';
import { signWebhook } from './signing.ts';

const credentials = {
  keyId: 'rzp_test_1',
  keySecret: 's3cret',
  webhookSecret: 'now',
  previousWebhookSecret: 'before',
  payoutWebhookSecret: 'payouts',
  accountId: 'acc_1',
};
const settings = readSettings({
  channelId: 'c',
  baseUrl: 'https://a.example',
  credentials,
  memory: memoryOfOneProcess(),
});

const link = {
  id: 'plink_1',
  amount: 8_000,
  amount_paid: 8_000,
  currency: 'INR',
  reference_id: 'PI1',
  status: 'paid',
  order_id: 'order_1',
};
const payment = { id: 'pay_1', amount: 8_000, currency: 'INR', status: 'captured', order_id: 'order_1' };
const secondsNow = () => Math.floor(Date.now() / 1_000);

function webhook(event: string, entities: Record<string, object>, changed: object = {}): string {
  const payload = Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, { entity }]));
  return JSON.stringify({ entity: 'event', account_id: 'acc_1', event, payload, created_at: secondsNow(), ...changed });
}
const read = (body: string | Uint8Array, secret = 'now') => {
  const bytes = Buffer.from(body);
  return readCallback(settings, { 'x-razorpay-signature': signWebhook(secret, bytes) }, bytes);
};
const paidLink = (changed: object = {}, paid: object = {}) =>
  webhook('payment_link.paid', { payment_link: { ...link, ...changed }, payment: { ...payment, ...paid } });
const asks = (kind: 'payin' | 'payout', orderNo: string) => ({ type: 'query', kind, orderNo });

test.each(['now', 'before', 'payouts'])(
  'a webhook signed with the secret “%s” of the account is accepted',
  (secret) => {
    expect(read(paidLink(), secret)).toEqual(asks('payin', 'PI1'));
  },
);

describe('webhooks that only cause a query', () => {
  test.each<[string, string]>([
    ['a paid link', paidLink()],
    ['a paid link that another channel of the account made', paidLink({ id: 'plink_2' }, { id: 'pay_2' })],
    ['a link without its payment', webhook('payment_link.paid', { payment_link: link })],
    [
      'an event that was sent again after days',
      webhook('payment_link.paid', { payment_link: link, payment }, { created_at: secondsNow() - 200_000 }),
    ],
    ['an expired link', webhook('payment_link.expired', { payment_link: { ...link, status: 'expired' } })],
    ['a new event of a link', webhook('payment_link.teleported', { payment_link: link })],
    [
      'a paid Razorpay order of a link',
      webhook('order.paid', { order: { receipt: 'PI1', product_type: 'payment_link_v2' }, payment }),
    ],
  ])('%s', (_what, body) => {
    expect(read(body)).toEqual(asks('payin', 'PI1'));
  });

  test.each(['processed', 'reversed', 'failed', 'queued', 'teleported'])(
    'a webhook about a payout that is %s',
    (status) => {
      const body = webhook(`payout.${status}`, { payout: { id: 'pout_1', status, reference_id: 'PO1', amount: 1 } });
      expect(read(body, 'payouts')).toEqual(asks('payout', 'PO1'));
    },
  );
});

test.each<[string, string]>([
  ['a payment without an order', webhook('payment.captured', { payment })],
  ['an order of another product', webhook('order.paid', { order: { receipt: 'PI1', product_type: 'subscription' } })],
  ['a link without our number', webhook('payment_link.paid', { payment_link: { ...link, reference_id: null } })],
  [
    'a link whose reference is not an order number',
    webhook('payment_link.paid', { payment_link: { ...link, reference_id: '#4' } }),
  ],
  ['a refund', webhook('refund.processed', { refund: { id: 'rfnd_1' }, payment })],
  ['a downtime', webhook('payout.downtime.started', { 'payout.downtime': {} })],
])('%s is about no order', (_what, body) => {
  expect(read(body).type).toBe('nothing');
});

test.each<[string, Uint8Array, string]>([
  [
    'of another account',
    Buffer.from(webhook('payment_link.paid', { payment_link: link }, { account_id: 'acc_2' })),
    'unauthentic',
  ],
  ['too old', Buffer.from(webhook('payment_link.paid', {}, { created_at: secondsNow() - 17 * 86_400 })), 'unauthentic'],
  ['in another charset', Buffer.from(paidLink(), 'utf16le'), 'malformed'],
  ['that is not UTF-8', Buffer.concat([Buffer.from(paidLink()), Buffer.from([0xff])]), 'malformed'],
  ['that is no event', Buffer.from('{}'), 'malformed'],
  ['too large', Buffer.alloc(64 * 1024 + 1, 32), 'malformed'],
])('a signed webhook %s is refused', (_what, body, why) => {
  expect(read(body)).toMatchObject({ type: 'refused', why });
});

test('a webhook signed by another merchant is refused, and so is an old signature on new content', () => {
  expect(read(paidLink(), 'another merchant')).toMatchObject({ type: 'refused', why: 'unauthentic' });
  const replayed = { 'x-razorpay-signature': signWebhook('now', Buffer.from(paidLink())) };
  const body = Buffer.from(paidLink({ reference_id: 'PI2' }));
  expect(readCallback(settings, replayed, body)).toMatchObject({ type: 'refused', why: 'unauthentic' });
});

test('random signed content never causes an error, and never becomes a report of money', () => {
  const names = fc.constantFrom('payment_link', 'payment', 'order', 'payout', 'else');
  const entities = fc.dictionary(names, fc.record({ entity: fc.jsonValue({ maxDepth: 2 }) }));
  const events = fc.constantFrom('payment_link.paid', 'order.paid', 'payout.processed', 'x');
  const property = fc.property(events, entities, (event, payload) => {
    const body = JSON.stringify({ event, account_id: 'acc_1', payload, created_at: secondsNow() });
    expect(read(body).type).toMatch(/^(refused|nothing|query)$/);
  });
  fc.assert(property, { numRuns: 100 });
});

test('an examination names the broken step, and shows no secret', () => {
  const body = Buffer.from(paidLink());
  const good = examineCallback(settings, { 'x-razorpay-signature': signWebhook('before', body) }, body);
  expect(good.every(({ isOk }) => isOk)).toBe(true);
  expect(good.map(({ step }) => step)).toEqual(['size', 'signature', 'content', 'account', 'age', 'meaning']);
  expect(good.at(-1)?.detail).toBe('query order PI1');
  expect(good[1]?.detail).toContain('previousWebhookSecret');
  const forged = examineCallback(settings, { 'x-razorpay-signature': signWebhook('x', body) }, body);
  expect(forged.filter(({ isOk }) => !isOk).map(({ step }) => step)).toEqual(['signature']);
  expect(JSON.stringify([good, forged])).not.toMatch(/s3cret|"now"|"before"/);
  expect(examineCallback(settings, {}, Buffer.from('x')).map(({ isOk }) => isOk)).toEqual([true, false, false]);
});
