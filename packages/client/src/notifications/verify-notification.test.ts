import { keyId, serviceKeyId } from '@tidegate/signature';
import { expect, test } from 'vitest';
import { delivery, NOTIFICATION, newKey, notified } from '../../test/service-side.ts';
import { memoryNonceStore } from './nonce-store.ts';
import { type NotificationRules, verifyNotification } from './verify-notification.ts';

const key = newKey();
const { createPublicKey } = await import('node:crypto');
/** The service does not publish its key. */
const unknown = `CN10001.${'a'.repeat(22)}`;
const keys = { find: async (id: string) => (id === unknown ? [] : [createPublicKey(key)]) };
const rules: NotificationRules = { merchantNo: 'CN10001', keys };
const secondsAgo = (seconds: number) => String(Math.floor(Date.now() / 1_000) - seconds);

test("the service's notification is accepted, with headers of any kind", async () => {
  const { headers, body } = await delivery(key);
  const expected = { ok: true, notification: notified };
  expect(await verifyNotification({ headers, body }, rules)).toEqual(expected);
  expect(await verifyNotification({ headers: new Headers(headers), body }, rules)).toEqual(expected);
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
  expect(await verifyNotification({ headers: lists, body }, rules)).toEqual(expected);
});

const otherOrderNo = 'PI01M7Y9XBY3TSQ000000000001';
const otherOrder = NOTIFICATION.replace(notified.orderNo, otherOrderNo);

type Change = Parameters<typeof delivery>[1] & {
  headers?: Record<string, string | string[] | undefined>;
  sentBody?: string;
};
test.each<[string, string, Change]>([
  ['no signature', 'header missing', { headers: { 'x-sign': undefined } }],
  ['two timestamps', 'header missing', { headers: { 'x-timestamp': ['1790000000', '1790000000'] } }],
  ['milliseconds', 'header missing', { headers: { 'x-timestamp': '1790000000000' } }],
  ['another merchant', 'other merchant', { merchantNo: 'CN10002' }],
  ['a timestamp that is too old', 'not fresh', { timestamp: secondsAgo(302) }],
  ['a timestamp in the future', 'not fresh', { timestamp: secondsAgo(-302) }],
  ['another amount', 'signature wrong', { sentBody: NOTIFICATION.replace('100.00', '900.00') }],
  ['a key of another merchant', 'other merchant', { keyId: serviceKeyId('CN10002', key) }],
  ['no key id', 'header missing', { headers: { 'x-key-id': undefined } }],
  ['a key id in no known form', 'header missing', { keyId: 'CN10001.short' }],
  ['a key id without a merchant number', 'header missing', { keyId: keyId(key) }],
  ['an order of another merchant', 'other merchant', { body: otherOrder }],
  ['an order of the other kind', 'other merchant', { body: NOTIFICATION.replace('payin', 'payout') }],
  ['no order number', 'other merchant', { body: NOTIFICATION.replace(notified.orderNo, 'PI1') }],
  ['another nonce', 'signature wrong', { headers: { 'x-nonce': 'another-nonce' } }],
  ['another signature', 'signature wrong', { headers: { 'x-sign': 'AAAA' } }],
  ['an unknown key', 'key unknown', { headers: { 'x-key-id': unknown } }],
  ['a JSON key twice', 'body malformed', { sentBody: NOTIFICATION.replace('{', '{"amount":"1",') }],
  ['no JSON', 'body malformed', { sentBody: 'OK' }],
  ['signed JSON that is no notification', 'no notification', { body: '{"hello":"world"}' }],
])('%s is refused: %s', async (_, reason, { headers = {}, sentBody, ...signed }) => {
  const sent = await delivery(key, signed);
  const changed = {
    headers: { ...sent.headers, ...headers },
    body: sentBody === undefined ? sent.body : Buffer.from(sentBody),
  };
  expect(await verifyNotification(changed, rules)).toMatchObject({
    ok: false,
    reason,
    detail: expect.stringMatching(/./),
  });
});

test('a notification for one merchant cannot be passed off as another merchant’s', async () => {
  const forger = newKey();
  const published = {
    find: async (id: string) => (id === serviceKeyId('CN10002', forger) ? [createPublicKey(forger)] : []),
  };
  const theirs = await delivery(forger, { merchantNo: 'CN10002', body: otherOrder });
  expect(await verifyNotification(theirs, { merchantNo: 'CN10002', keys: published })).toMatchObject({ ok: true });
  const forwarded = { ...theirs, headers: { ...theirs.headers, 'x-merchant-no': 'CN10001' } };
  expect(await verifyNotification(forwarded, { merchantNo: 'CN10001', keys: published })).toMatchObject({
    ok: false,
    reason: 'other merchant',
  });
});

test('timestamps may differ by 300 seconds', async () => {
  const now = Date.now();
  const timestamp = String(Math.floor(now / 1_000) - 300);
  expect(await verifyNotification(await delivery(key, { timestamp }), { ...rules, clock: () => now })).toMatchObject({
    ok: true,
  });
});

test('a repeated delivery is refused, another attempt is accepted', async () => {
  const withStore = { ...rules, nonces: memoryNonceStore() };
  const first = await delivery(key);
  const forged = { ...first, headers: { ...first.headers, 'x-sign': 'AAAA' } };
  expect(await verifyNotification(forged, withStore)).toMatchObject({ reason: 'signature wrong' });
  const both = await Promise.all([verifyNotification(first, withStore), verifyNotification(first, withStore)]);
  expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  expect(await verifyNotification(first, withStore)).toMatchObject({ ok: false, reason: 'nonce used' });
  expect(await verifyNotification(await delivery(key), withStore)).toMatchObject({ ok: true });
});

test('nonces expire, and their number is limited', () => {
  const time = { ms: 0 };
  const store = memoryNonceStore(3, () => time.ms);
  expect(['a', 'b', 'a'].map((nonce) => store.take(nonce, 10))).toEqual([true, true, false]);
  time.ms = 10_000;
  expect(store.take('a', 10)).toBe(true);
  for (const nonce of ['c', 'd', 'e']) store.take(nonce, 10);
  expect(store.take('e', 10)).toBe(false);
});
