import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { memoryOfOneProcess } from '../testing/channel-tools.ts';
import { startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { referenceOf } from './reference.ts';
import { type Fields, signed } from './signing.ts';
import { type JazzCashFixture, openJazzCashFixture, within } from './testing/open-jazzcash.ts';

const createPath = '/payment-orchestrator/api/v2/rest/payments/m-wallet';
let jazz: JazzCashFixture;
beforeAll(async () => {
  jazz = await openJazzCashFixture();
});
afterEach(() => vi.useRealTimers());
afterAll(() => jazz.close());

/** A channel that keeps to the ten minutes before the first inquiry. */
const patient = () => jazz.channelAt(jazz.url, { credentials: { inquiryAfterSeconds: '600' } });
const tenMinutesLater = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
const fault = (name: string, times = 1, path = '/payment') => jazz.control('faults', { fault: name, times, path });
const key = () => ({ integritySalt: jazz.credentials.integritySalt ?? '', hashesEmptyValues: false });

describe('a create', () => {
  test('a create is paid with the reference and the amount that JazzCash returns', async () => {
    const order = jazz.order();
    const reference = referenceOf(order.orderNo);
    expect(await jazz.channel.create(order, within())).toEqual({
      outcome: 'paid',
      channelRef: reference,
      payments: [{ reference, amount: '500.00' }],
    });
  });

  test.each([
    ['without the payer’s CNIC', { party: { mobile: '03001234567' } }, /payer_id_no/],
    ['with half a CNIC', { party: { mobile: '03001234567', idNo: '1234' } }, /payer_id_no/],
    ['without a mobile number', { party: { idNo: '4210112345671' } }, /payer_mobile/],
    ['of a payout', { kind: 'payout' as const }, /payins in PKR/],
    ['of another currency', { currency: 'INR' }, /payins in PKR/],
    ['with an order number of another system', { orderNo: 'PI1' }, /no JazzCash reference/],
  ])('a create %s is refused with the reason, and nothing is sent', async (_what, changed, reason) => {
    const order = jazz.order(changed);
    expect(await jazz.channel.create(order, within())).toEqual({
      outcome: 'refused',
      reason: expect.stringMatching(reason),
    });
    expect(await jazz.transaction(order.orderNo)).toBeUndefined();
  });

  test('a create whose payer declines has failed', async () => {
    const answer = await jazz.channel.create(jazz.order({ amount: '500.12' }), within());
    expect(answer).toMatchObject({ outcome: 'failed', reason: '112 cancelled by user' });
  });

  test('a create whose answer is lost is unknown, and is not sent again before an inquiry is allowed', async () => {
    const order = jazz.order();
    await fault('answer_lost', 1, createPath);
    const channel = patient();
    expect(await channel.create(order, within())).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    expect(await channel.create(order, within())).toMatchObject({ outcome: 'accepted' });
    expect(await channel.query(order, within())).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    tenMinutesLater();
    expect(await channel.query(order, within())).toMatchObject({ outcome: 'paid' });
    expect(await channel.create(order, within())).toMatchObject({ outcome: 'paid' });
  });

  test('a create that never arrived is sent again after an inquiry finds no transaction', async () => {
    const order = jazz.order();
    await fault('server_error', 1, createPath);
    expect(await patient().create(order, within())).toMatchObject({ outcome: 'unknown' });
    tenMinutesLater();
    expect(await patient().create(order, within())).toMatchObject({ outcome: 'paid' });
  });

  test.each(['too_many_requests', 'maintenance_page', 'truncated'])(
    'a create with the fault %s has an unknown outcome',
    async (name) => {
      await fault(name, 1, createPath);
      const answer = await jazz.channel.create(jazz.order(), within());
      expect(answer).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    },
  );

  test('a create whose answer is too slow has an unknown outcome, not failed', async () => {
    await fault('slow', 1, createPath);
    const answer = await jazz.channel.create(jazz.order({ amount: '500.01' }), within(600));
    expect(answer).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
  });

  test('a create with wrong credentials is refused only if JazzCash signs the refusal', async () => {
    const wrongPassword = jazz.channelAt(jazz.url, { credentials: { password: 'another' } });
    expect(await wrongPassword.create(jazz.order(), within())).toMatchObject({ outcome: 'refused', reason: /101/ });
    const wrongSalt = jazz.channelAt(jazz.url, { credentials: { integritySalt: 'another' } });
    expect(await wrongSalt.create(jazz.order(), within())).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
  });

  test('a create is refused if its order would already have expired by the clock of the gateway, ten minutes ahead', async () => {
    await jazz.control('clock', { offsetSeconds: 600 });
    const short = await jazz.channel.create(jazz.order({ expiresInSeconds: 300 }), within());
    const long = await jazz.channel.create(jazz.order(), within());
    const checks = await jazz.channel.check?.(within());
    await jazz.control('clock', { offsetSeconds: 0 });
    expect(short).toMatchObject({ outcome: 'refused', reason: /110/ });
    expect(long).toMatchObject({ outcome: 'paid' });
    expect(checks).toContainEqual({ step: 'clock', isOk: false, detail: expect.stringMatching(/behind/) });
  });

  test('a create does not wait for the rate limit longer than its signal', async () => {
    const order = jazz.order();
    expect(await jazz.channel.create(order, AbortSignal.abort())).toMatchObject({ outcome: 'unknown' });
    expect(await jazz.transaction(order.orderNo)).toBeUndefined();
    expect(await jazz.channel.create(order, within())).toMatchObject({ outcome: 'paid' });
  });

  test('a create that is answered with another amount reports the received amount', async () => {
    const answer = await jazz.channel.create(jazz.order({ amount: '500.14' }), within());
    expect(answer).toMatchObject({ outcome: 'paid', payments: [{ amount: '501.14' }] });
  });

  test.each([
    ['another account', { pp_MerchantID: 'MC1' }],
    ['another order', { ppmpf_3: 'PI1M82A29W0ABCD0123456789AB' }],
    ['another reference', { pp_TxnRefNo: 'T20251124131402' }],
    ['another currency', { pp_TxnCurrency: 'USD' }],
    ['no amount', { pp_Amount: '' }],
    ['an unknown code', { pp_ResponseCode: '777' }],
  ])('a create that is answered with %s has an unknown outcome', async (_what, changed) => {
    const faulty = await startFaultyUpstream((request, reply) => {
      const { pp_SecureHash: _hash, ...fields } = JSON.parse(request.body) as Fields;
      const answer = signed({ ...fields, pp_ResponseCode: '000', ...changed }, key());
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    const answer = await jazz.channelAt(faulty.url).create(jazz.order(), within());
    await faulty.close();
    expect(answer).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
  });
});

test('a search that is answered with HTTP 429 makes no further call', async () => {
  const order = jazz.order();
  const { memory } = jazz;
  await memory.remember(`sent ${referenceOf(order.orderNo)}`, 'by another process');
  let calls = 0;
  const faulty = await startFaultyUpstream((_request, reply) => {
    calls += 1;
    reply.writeHead(429, { 'content-type': 'application/json' }).end('{}');
  });
  const answer = await jazz.channelAt(faulty.url).create(order, within());
  await faulty.close();
  expect([answer.outcome, calls]).toEqual(['unknown', 1]);
});

describe('a slow payer', () => {
  const waiting = () =>
    jazz.channelAt(jazz.url, { credentials: { inquiryAfterSeconds: '600' }, waits: { payerWaitMs: 100 } });
  const slowly = async (create: () => Promise<unknown>) => {
    await jazz.control('payer', { confirmSeconds: 20 });
    const answer = await create();
    await jazz.control('payer', {});
    return answer;
  };

  test.each([
    ['pays', '500.00', { outcome: 'paid', payments: [{ amount: '500.00' }] }],
    ['declines', '500.12', { outcome: 'failed' }],
  ])(
    'a slow payer has the payin open, then %s: the late answer is found without an inquiry',
    async (_how, amount, expected) => {
      const order = jazz.order({ amount });
      const channel = waiting();
      const open = { outcome: 'accepted', channelRef: referenceOf(order.orderNo) ?? '' };
      expect(await slowly(() => channel.create(order, within()))).toEqual(open);
      expect(await channel.query({ ...order, channelRef: open.channelRef }, within())).toEqual(open);
      expect(await channel.cancel(order, within())).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
      await vi.waitFor(async () => expect(await channel.query(order, within())).toMatchObject(expected), 5_000);
    },
  );

  test('a create whose signal ends before the payer confirms is unknown, and the inquiry decides', async () => {
    const order = jazz.order();
    const channel = patient();
    const limit = new AbortController();
    const answer = await slowly(async () => {
      const created = channel.create(order, limit.signal);
      await expect.poll(() => jazz.transaction(order.orderNo)).toBeDefined();
      limit.abort();
      return created;
    });
    expect(answer).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    tenMinutesLater();
    await expect.poll(() => channel.query(order, within())).toMatchObject({ outcome: 'paid' });
  });
});

test('two processes with separate memories send an order once, because JazzCash knows the reference', async () => {
  const order = jazz.order();
  const other = jazz.channelAt(jazz.url, { memory: memoryOfOneProcess() });
  const answers = await Promise.all([jazz.channel.create(order, within()), other.create(order, within())]);
  expect(answers.map(({ outcome }) => outcome)).toContain('paid');
  expect(await jazz.transaction(order.orderNo)).toMatchObject({ code: '121' });
});
