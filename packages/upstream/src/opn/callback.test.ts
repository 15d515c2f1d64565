import { createHmac } from 'node:crypto';
import type { ChannelOrder } from '@tidegate/domain/channels';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type OpnSetup, openOpn, type ReceivedWebhook, within } from './testing/open-opn.ts';

let opn: OpnSetup;
beforeAll(async () => {
  opn = await openOpn();
});
afterAll(() => opn.close());

const eventually = <T>(fact: () => T | Promise<T>): Promise<T> =>
  Promise.resolve(vi.waitFor(fact, { timeout: 10_000, interval: 10 }));
const created = async (amount = '80.01'): Promise<ChannelOrder> => {
  const order = opn.order({ amount });
  await opn.channel.create(order, within(10_000));
  return order;
};
const keyOf = ({ body }: ReceivedWebhook) => JSON.parse(Buffer.from(body).toString()).key;
const keys = (order: ChannelOrder) => opn.webhooks(order.orderNo).map(keyOf);
/** The first webhook with this key. */
const webhookOf = (key: string): Promise<ReceivedWebhook> =>
  eventually(() => {
    const found = opn.received.find((webhook) => keyOf(webhook) === key);
    if (!found) throw new Error(`no webhook ${key} yet`);
    return found;
  });
/** Signs a body as Opn does, with the account's secret. */
const signed = (body: Uint8Array, secret = opn.webhookSecret) => {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const hmac = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${timestamp}.`).update(body);
  return { 'omise-signature': hmac.digest('hex'), 'omise-signature-timestamp': timestamp };
};
const parse = (event: unknown) => {
  const body = Buffer.from(JSON.stringify(event));
  return opn.channel.parseCallback(signed(body), body);
};
const chargeData = (changed: object) => ({
  object: 'charge',
  id: 'chrg_test_1abc',
  livemode: false,
  metadata: { tidegate_order: 'PI1', tidegate_channel: 'opn-1' },
  ...changed,
});

test('a webhook only causes a query, whatever its content', async () => {
  const order = await created();
  await opn.control('event', { charge: order.orderNo, key: 'charge.complete' });
  await eventually(() => expect(keys(order)).toContain('charge.complete'));
  for (const { read } of opn.webhooks(order.orderNo)) {
    expect(read).toEqual({ type: 'query', kind: 'payin', orderNo: order.orderNo });
  }
  expect(await opn.channel.query(order, within(10_000))).toMatchObject({ outcome: 'accepted' });
});

test('a webhook before the answer to the create is assigned to its order, and the payment is found', async () => {
  const order = opn.order();
  await opn.control('early');
  let isAnswered = false;
  const creating = opn.channel.create(order, within(10_000)).then((answer) => {
    isAnswered = true;
    return answer;
  });
  await eventually(() => expect(keys(order)).toContain('charge.complete'));
  expect(isAnswered).toBe(false);
  expect(await opn.channel.query(order, within(10_000))).toMatchObject({ outcome: 'paid' });
  await opn.control('early', { end: true });
  expect(await creating).toMatchObject({ outcome: 'accepted' });
  expect(await opn.channel.query(order, within(10_000))).toMatchObject({ outcome: 'paid' });
});

test('duplicated and reordered webhooks lead to the same payment', async () => {
  await opn.control('webhooks', { delivery: 'held' });
  const order = await created();
  await opn.control('change', { charge: order.orderNo, to: 'pay' });
  await opn.control('webhooks', { release: true });
  await eventually(() => expect(keys(order).toSorted()).toEqual(['charge.complete', 'charge.create']));
  await opn.control('webhooks', { delivery: 'twice' });
  await opn.control('event', { charge: order.orderNo });
  await eventually(() => expect(keys(order)).toHaveLength(4));
  await opn.control('webhooks', { delivery: 'once' });
  const answers = await Promise.all(keys(order).map(() => opn.channel.query(order, within(10_000))));
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toHaveLength(1);
  expect(answers[0]).toMatchObject({ outcome: 'paid', payments: [{ amount: order.amount }] });
});

describe('a webhook that is not trusted', () => {
  test('a webhook signed with another key is refused', async () => {
    const order = await created();
    await opn.control('event', { charge: order.orderNo, key: 'charge.forged', signedBy: 'another_account' });
    expect((await webhookOf('charge.forged')).read).toMatchObject({ type: 'refused', why: 'unauthentic' });
  });

  test('a webhook with an old signature that is sent again is refused', async () => {
    const order = await created();
    await opn.control('event', { charge: order.orderNo, key: 'charge.stale', ageSeconds: 400 });
    const stale = await webhookOf('charge.stale');
    expect(stale.read).toMatchObject({ type: 'refused', why: 'unauthentic', detail: expect.stringContaining('age') });
  });

  test('a webhook is refused while the clock is ten minutes off; queries still work, and the check reports the clock', async () => {
    await opn.control('clock', { offsetSeconds: 600 });
    const order = await created();
    await opn.control('event', { charge: order.orderNo, key: 'charge.skewed' });
    const skewed = await webhookOf('charge.skewed');
    expect(skewed.read).toMatchObject({ type: 'refused', why: 'unauthentic' });
    expect(await opn.channel.query(order, within(10_000))).toMatchObject({ outcome: 'accepted' });
    const steps = await opn.channel.check?.(within(10_000));
    expect(steps).toContainEqual(expect.objectContaining({ step: 'clock', isOk: false }));
    await opn.control('clock', { offsetSeconds: 0 });
  });

  test('a signed webhook that is too large is refused', () => {
    const body = Buffer.alloc(64 * 1024 + 1, 32);
    expect(opn.channel.parseCallback(signed(body), body)).toMatchObject({ type: 'refused', why: 'malformed' });
  });

  test.each([
    ['another charset', Buffer.from('\ufeff{"object":"event"}', 'utf16le')],
    [
      'a byte that is no UTF-8',
      Buffer.from('{"object":"event","key":"\xe9","data":{"object":"charge","id":"1"}}', 'latin1'),
    ],
    ['no JSON', Buffer.from('object=event&key=charge.complete')],
    ['another object', Buffer.from('{"object":"charge"}')],
    ['nothing', Buffer.alloc(0)],
  ])('a signed webhook is refused: %s', (_what, body) => {
    expect(opn.channel.parseCallback(signed(body), body)).toMatchObject({ type: 'refused', why: 'malformed' });
  });
});

test.each([
  [
    'about an order of another channel at the same account',
    chargeData({ metadata: { tidegate_order: 'PI1', tidegate_channel: 'x' } }),
  ],
  ['about no order', chargeData({ metadata: {} })],
  ['about a charge without metadata', chargeData({ metadata: null })],
  [
    'about an object with an order number of another format',
    chargeData({ metadata: { tidegate_order: '../1', tidegate_channel: 'opn-1' } }),
  ],
  ['in live mode', chargeData({ livemode: true })],
  ['about a refund', { object: 'refund', id: 'rfnd_test_1' }],
])('an authentic webhook changes nothing if it is %s', (_what, data) => {
  expect(parse({ object: 'event', key: 'charge.complete', data })).toMatchObject({ type: 'nothing' });
});

test('an event with unknown fields and an unknown key still causes a query', () => {
  const event = { object: 'event', key: 'charge.something_new', new_field: [1], data: chargeData({ new_field: {} }) };
  expect(parse(event)).toEqual({ type: 'query', kind: 'payin', orderNo: 'PI1' });
});

test('the examination of a webhook shows each step, and no secret', async () => {
  const order = await created();
  await opn.control('event', { charge: order.orderNo, key: 'charge.examined' });
  const { headers, body } = await webhookOf('charge.examined');
  const steps = opn.channel.examineCallback?.(headers, body) ?? [];
  expect(steps.map(({ step, isOk }) => [step, isOk])).toEqual(
    ['size', 'timestamp', 'signature header', 'signature', 'age', 'content'].map((step) => [step, true]),
  );
  expect(steps.at(-1)?.detail).toContain(order.orderNo);
  const changed = opn.channel.examineCallback?.(headers, Buffer.concat([body, Buffer.from(' ')])) ?? [];
  expect(changed.at(-1)).toMatchObject({ step: 'signature', isOk: false });
  expect(JSON.stringify([steps, changed])).not.toContain(opn.webhookSecret);
});

test('while the webhook secret changes, the old and the new one both verify', async () => {
  const order = await created();
  const { webhookSecret } = await opn.control('rotate-secret');
  await opn.control('event', { charge: order.orderNo, key: 'charge.rotated' });
  const rotated = await webhookOf('charge.rotated');
  expect(rotated.read.type).toBe('query');
  const credentials = { secretKey: opn.secretKey, webhookSecret: String(webhookSecret) };
  const renewed = opn.channelAt(opn.url, { credentials });
  expect(renewed.parseCallback(rotated.headers, rotated.body)).toEqual(rotated.read);
});
