import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { referenceOf } from './reference.ts';
import { type Fields, signed } from './signing.ts';
import { type JazzCashFixture, openJazzCashFixture, within } from './testing/open-jazzcash.ts';

let jazz: JazzCashFixture;
beforeAll(async () => {
  jazz = await openJazzCashFixture();
});
afterAll(() => jazz.close());

/** A channel that keeps to the ten minutes before the first inquiry. */
const patient = () => jazz.channelAt(jazz.url, { credentials: { inquiryAfterSeconds: '600' } });
const key = () => ({ integritySalt: jazz.credentials.integritySalt ?? '', hashesEmptyValues: false });
const bytes = (fields: Fields) => Buffer.from(JSON.stringify(fields));
/** A notification about an order, as the guide shows it. */
const notificationOf = (orderNo: string, changed: Fields = {}): Fields => ({
  pp_Version: '2.0',
  pp_TxnType: 'MWALLET',
  pp_TxnRefNo: referenceOf(orderNo) ?? '',
  pp_ResponseCode: '121',
  pp_RetreivalReferenceNo: '240418718258',
  ...changed,
});

describe('a notification', () => {
  test('a notification only announces news, and the next inquiry is sent at once', async () => {
    const order = jazz.order({ amount: '500.01' });
    const channel = patient();
    await channel.create(order, within());
    const reference = referenceOf(order.orderNo);
    await jazz.control('state', { reference, code: '121' });
    expect(await channel.query({ ...order, channelRef: 'x' }, within())).toMatchObject({ outcome: 'accepted' });
    const read = channel.parseCallback({}, bytes(signed(notificationOf(order.orderNo), key())));
    expect(read).toMatchObject({ type: 'query', kind: 'payin', orderNo: order.orderNo });
    expect(await channel.query({ ...order, channelRef: 'x' }, within())).toMatchObject({ outcome: 'paid' });
  });

  test('a notification is acknowledged in the form of JazzCash, also twice, in reverse order, or before the answer to the create', async () => {
    await jazz.control('webhooks', { delivery: 'twice' });
    await jazz.control('payer', { confirmSeconds: 1, answerSeconds: 10 });
    const order = jazz.order();
    const creating = jazz.channel.create(order, within());
    await vi.waitFor(() => expect(jazz.callbacks(order.orderNo)).toHaveLength(2), 5_000);
    await jazz.control('webhooks', { delivery: 'held' });
    await jazz.control('payer', {});
    const [first, second] = [jazz.order(), jazz.order()];
    await Promise.all([creating, ...[first, second].map((one) => jazz.channel.create(one, within()))]);
    await jazz.control('webhooks', { release: true });
    for (const one of [first, second])
      await vi.waitFor(() => expect(jazz.callbacks(one.orderNo)).toHaveLength(1), 5_000);
    for (const one of [order, first, second])
      for (const { headers, body } of jazz.callbacks(one.orderNo))
        expect(jazz.channel.parseCallback(headers, body)).toMatchObject({
          type: 'query',
          orderNo: one.orderNo,
          reply: { contentType: 'application/json', body: expect.stringContaining('"pp_ResponseCode":"000"') },
        });
  });

  test('a notification signed by another account is not acknowledged, and a repeated one only causes another inquiry', async () => {
    const order = jazz.order();
    await jazz.channel.create(order, within());
    await vi.waitFor(() => expect(jazz.callbacks(order.orderNo)).toHaveLength(1), 5_000);
    const reference = referenceOf(order.orderNo);
    await jazz.control('notify', { reference, salt: 'another merchant' });
    await vi.waitFor(() => expect(jazz.callbacks(order.orderNo).length).toBeGreaterThan(2), 5_000);
    const read = () =>
      jazz.callbacks(order.orderNo).map(({ headers, body }) => jazz.channel.parseCallback(headers, body).type);
    expect(new Set(read().slice(1))).toEqual(new Set(['refused']));
    await jazz.control('notify', { reference });
    await vi.waitFor(() => expect(read().filter((type) => type === 'query')).toHaveLength(2), 5_000);
  });

  test('a notification in the form of a web form is read too', () => {
    const order = jazz.order();
    const form = new URLSearchParams(signed(notificationOf(order.orderNo), key()));
    const read = jazz.channel.parseCallback({}, Buffer.from(form.toString()));
    expect(read).toMatchObject({ type: 'query', orderNo: order.orderNo });
  });

  const orderNo = 'PI1M82A29W0ABCD0123456789AB';
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  test.each<[string, () => Uint8Array, object]>([
    ['forged', () => bytes(signed(notificationOf(orderNo), { ...key(), integritySalt: 'x' })), { why: 'unauthentic' }],
    ['unsigned', () => bytes(notificationOf(orderNo)), { why: 'unauthentic' }],
    [
      'of another account',
      () => bytes(signed(notificationOf(orderNo, { pp_MerchantID: 'MC1' }), key())),
      { why: 'unauthentic' },
    ],
    [
      'with another password',
      () => bytes(signed(notificationOf(orderNo, { pp_Password: 'x' }), key())),
      { why: 'unauthentic' },
    ],
    [
      'stale',
      () => bytes(signed(notificationOf(orderNo, { pp_TxnDateTime: '20250101000000' }), key())),
      { why: 'unauthentic' },
    ],
    [
      'that names two orders',
      () => bytes(signed(notificationOf(orderNo, { ppmpf_3: 'PI2' }), key())),
      { why: 'malformed' },
    ],
    ['in another charset', () => utf16(JSON.stringify(signed(notificationOf(orderNo), key()))), { why: 'unauthentic' }],
    ['too large', () => Buffer.alloc(65 * 1024, 0x20), { why: 'malformed' }],
    ['with a field twice', () => Buffer.from('pp_TxnRefNo=a&pp_TxnRefNo=b'), { why: 'unauthentic' }],
    ['with nested fields', () => Buffer.from('{"pp_TxnRefNo":{"a":1}}'), { why: 'unauthentic' }],
    [
      'about a reference that is not ours',
      () => bytes(signed({ pp_TxnRefNo: 'T20251124131402' }, key())),
      { type: 'nothing' },
    ],
  ])('%s changes nothing', (_what, body, expected) => {
    expect(jazz.channel.parseCallback({}, body())).toMatchObject({
      ...('why' in expected && { type: 'refused' }),
      ...expected,
    });
  });

  test('a notification is explained step by step, without a secret', () => {
    const fields = notificationOf(orderNo, { pp_Password: jazz.credentials.password ?? '' });
    const steps = jazz.channel.examineCallback?.({}, bytes(signed(fields, key()))) ?? [];
    expect(steps.map(({ step, isOk }) => [step, isOk])).toEqual(
      ['body', 'hash', 'account', 'order', 'code', 'result'].map((step) => [step, true]),
    );
    expect(JSON.stringify(steps)).not.toContain(jazz.credentials.password);
    const otherReading = signed({ ...fields, pp_BankID: '' }, { ...key(), hashesEmptyValues: true });
    expect(jazz.channel.examineCallback?.({}, bytes(otherReading))).toContainEqual(
      expect.objectContaining({ step: 'hash', isOk: false, detail: expect.stringMatching(/other setting/) }),
    );
    expect(jazz.channel.examineCallback?.({}, Buffer.from('x'))).toContainEqual(
      expect.objectContaining({ isOk: false }),
    );
  });
});

describe('a change of the secrets', () => {
  let own: JazzCashFixture;
  beforeAll(async () => {
    own = await openJazzCashFixture();
  });
  afterAll(() => own.close());

  test('during a change of the secrets orders stay open until the channel has the new ones, and old notifications are trusted', async () => {
    const order = own.order();
    await own.channel.create(order, within());
    const { integritySalt: old = '' } = own.credentials;
    await own.control('rotate', { integritySalt: 'the new one' });
    expect(await own.channel.query(order, within())).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    const credentials = { integritySalt: 'the new one', previousIntegritySalt: old };
    const renewed = own.channelAt(own.url, { credentials });
    expect(await renewed.query(order, within())).toMatchObject({ outcome: 'paid' });
    const before = bytes(signed(notificationOf(order.orderNo), { integritySalt: old, hashesEmptyValues: false }));
    expect(renewed.parseCallback({}, before)).toMatchObject({ type: 'query' });
    expect(
      own.channelAt(own.url, { credentials: { integritySalt: 'the new one' } }).parseCallback({}, before),
    ).toMatchObject({ type: 'refused' });
  });
});
