import type { Channel, ChannelRefund } from '@tidegate/domain/channels';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { referenceOf } from './reference.ts';
import { type JazzCashFixture, openJazzCashFixture, within } from './testing/open-jazzcash.ts';

let jazz: JazzCashFixture;
beforeAll(async () => {
  jazz = await openJazzCashFixture();
});
afterAll(() => jazz.close());

const fault = (name: string, times = 1, path = '/payment') => jazz.control('faults', { fault: name, times, path });

describe('final states that change', () => {
  const states = ['112', '121', '112', '157'];
  test('an inquiry returns the state that JazzCash has then, and the payment keeps its reference', async () => {
    const order = jazz.order();
    await jazz.channel.create(order, within());
    const reference = referenceOf(order.orderNo);
    const answers: unknown[] = [];
    for (const code of states) {
      await jazz.control('state', { reference, code });
      answers.push(await jazz.channel.query(order, within()));
    }
    const failed = { outcome: 'failed', channelRef: reference, reason: '112 cancelled by user' };
    const paid = { outcome: 'paid', channelRef: reference, payments: [{ reference, amount: '500.00' }] };
    expect(answers).toEqual([failed, paid, failed, { outcome: 'accepted', channelRef: reference }]);
  });

  test('a payin that expired at JazzCash can be paid afterwards', async () => {
    const order = jazz.order({ amount: '500.13' });
    expect(await jazz.channel.create(order, within())).toMatchObject({ outcome: 'accepted' });
    await vi.waitFor(async () => {
      expect(await jazz.channel.query(order, within())).toMatchObject({ outcome: 'timed_out' });
    }, 5_000);
    await jazz.control('state', { reference: referenceOf(order.orderNo), code: '121' });
    expect(await jazz.channel.query(order, within())).toMatchObject({ outcome: 'paid' });
  });
});

describe('a classic gateway', () => {
  const classic = (changed: Record<string, string> = {}): Channel =>
    jazz.channelAt(jazz.url, { credentials: { gateway: 'classic', ...changed } });

  test('an inquiry of the classic gateway names no order, so it is trusted only with the setting for it', async () => {
    const order = jazz.order();
    expect(await classic().create(order, within())).toMatchObject({ outcome: 'paid' });
    expect(await classic().query(order, within())).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    const answer = await classic({ acceptsUnnamedInquiry: 'yes' }).query(order, within());
    expect(answer).toMatchObject({ outcome: 'paid', payments: [{ amount: '500.00' }] });
  });
});

describe('a refund', () => {
  const paidRefund = async (changed: Partial<ChannelRefund> = {}): Promise<ChannelRefund> => {
    const order = jazz.order();
    await jazz.channel.create(order, within());
    const reference = referenceOf(order.orderNo) ?? '';
    return { ...order, refundNo: `RF${order.orderNo}`, reference, refundAmount: '500.00', reason: 'case', ...changed };
  };

  test('a refund is sent once, and later calls have the same answer', async () => {
    const refund = await paidRefund();
    const answers = [await jazz.channel.refund?.(refund, within()), await jazz.channel.refund?.(refund, within())];
    expect(answers).toEqual([1, 2].map(() => ({ outcome: 'refunded', refundRef: refund.reference })));
    expect(await jazz.channel.queryRefund?.(refund, within())).toMatchObject({ outcome: 'refunded' });
    const second = await jazz.channel.refund?.({ ...refund, refundNo: 'another' }, within());
    expect(second).toMatchObject({ outcome: 'refused', reason: '452 not eligible for a refund' });
  });

  test('a refund whose answer is lost is unknown, then found by an inquiry, and never sent again', async () => {
    const refund = await paidRefund();
    await fault('answer_lost', 1, '/payment-orchestrator/api/v1');
    expect(await jazz.channel.refund?.(refund, within())).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    expect(await jazz.channel.refund?.(refund, within())).toMatchObject({ outcome: 'refunded' });
  });

  test('a refund that never arrived stays unknown', async () => {
    const refund = await paidRefund();
    await fault('server_error', 1, '/payment-orchestrator/api/v1');
    for (const _time of [1, 2])
      expect(await jazz.channel.refund?.(refund, within())).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    expect(await jazz.transaction(refund.orderNo)).toMatchObject({ code: '121' });
  });

  test.each([
    ['of a part', { refundAmount: '1.00' }, /454/],
    ['of a payment with another reference', { reference: 'T1' }, /not a payment/],
  ])('a refund is refused: %s', async (_what, changed, reason) => {
    const refund = await paidRefund(changed);
    expect(await jazz.channel.refund?.(refund, within())).toMatchObject({
      outcome: 'refused',
      reason: expect.stringMatching(reason),
    });
  });

  test('a refund without an answer stays unknown if JazzCash may show another refund of the payment', async () => {
    const refund = await paidRefund();
    await fault('server_error', 1, '/payment-orchestrator/api/v1');
    await jazz.channel.refund?.(refund, within());
    const other = { ...refund, refundNo: 'the other' };
    await fault('answer_lost', 1, '/payment-orchestrator/api/v1');
    await jazz.channel.refund?.(other, within());
    for (const one of [refund, other])
      expect(await jazz.channel.queryRefund?.(one, within())).toMatchObject({
        outcome: 'unknown',
        detail: expect.stringMatching(/which refund/),
      });
  });

  test('a refund without an answer is found, although an earlier refund of the payment was refused', async () => {
    const refund = await paidRefund();
    const part = { ...refund, refundNo: 'a part', refundAmount: '1.00' };
    expect(await jazz.channel.refund?.(part, within())).toMatchObject({ outcome: 'refused' });
    await fault('answer_lost', 1, '/payment-orchestrator/api/v1');
    await jazz.channel.refund?.(refund, within());
    expect(await jazz.channel.queryRefund?.(refund, within())).toMatchObject({ outcome: 'refunded' });
  });

  test('without an MPIN a refund that was sent before is not refused, and a new refund is', async () => {
    const refund = await paidRefund();
    await fault('answer_lost', 1, '/payment-orchestrator/api/v1');
    await jazz.channel.refund?.(refund, within());
    const without = jazz.channelAt(jazz.url, { credentials: { merchantMpin: null } });
    expect(await without.refund?.(refund, within())).toMatchObject({ outcome: 'refunded' });
    expect(await without.refund?.({ ...refund, refundNo: 'new' }, within())).toMatchObject({ outcome: 'refused' });
  });

  test('a refund that was never sent is not found', async () => {
    expect(await jazz.channel.queryRefund?.(await paidRefund(), within())).toMatchObject({ why: 'not_found' });
  });
});

describe('a check', () => {
  const summary = async (channel: Channel) =>
    Object.fromEntries(((await channel.check?.(within())) ?? []).map(({ step, isOk }) => [step, isOk]));

  test('the check of a correct channel passes every step, and creates nothing', async () => {
    const before = await jazz.control('transactions');
    expect(await summary(jazz.channel)).toEqual({ reach: true, credentials: true, clock: true });
    expect(await jazz.control('transactions')).toEqual(before);
  });

  test.each([
    ['another password', { password: 'x' }],
    ['another salt', { integritySalt: 'x' }],
  ])('the check with %s reports wrong credentials', async (_what, credentials) => {
    expect(await summary(jazz.channelAt(jazz.url, { credentials }))).toMatchObject({ reach: true, credentials: false });
  });

  test('the check from a blocked address reports the block', async () => {
    const blocked = await startFaultyUpstream((_request, reply) => {
      reply.writeHead(200, { 'content-type': 'text/html' }).end('<html>Request Rejected</html>');
    });
    const steps = await jazz.channelAt(blocked.url).check?.(within());
    await blocked.close();
    expect(steps).toEqual([{ step: 'reach', isOk: false, detail: expect.stringMatching(/blocked/) }]);
  });
});

test('an error whose fields have no prefix proves nothing, but is named', async () => {
  const error = { pp_InstrToken: '', secureHash: 'AB', responseCode: '115', responseMessage: 'the hash is not valid' };
  const early = await startFaultyUpstream((_request, reply) => {
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(error));
  });
  const channel = jazz.channelAt(early.url);
  expect(await channel.create(jazz.order(), within())).toMatchObject({
    outcome: 'unknown',
    detail: expect.stringMatching(/115/),
  });
  const steps = await channel.check?.(within());
  await early.close();
  expect(steps).toContainEqual({ step: 'credentials', isOk: false, detail: expect.stringMatching(/115/) });
});

test.each([
  ['no salt', { integritySalt: '' }, /integritySalt/],
  ['an unknown gateway', { gateway: 'x' }, /gateway/],
  ['no number of seconds', { inquiryAfterSeconds: 'soon' }, /inquiryAfterSeconds/],
  ['more than an hour before the inquiry', { inquiryAfterSeconds: '3601' }, /inquiryAfterSeconds/],
])('settings with %s are refused at once, without any secret', (_what, credentials, message) => {
  const open = () => jazz.channelAt(jazz.url, { credentials });
  expect(open).toThrow(/^channel jazz: /);
  expect(open).toThrow(message);
  expect(open).not.toThrow(jazz.credentials.password);
});

test('settings with an hour before the inquiry are accepted', () => {
  expect(() => jazz.channelAt(jazz.url, { credentials: { inquiryAfterSeconds: '3600' } })).not.toThrow();
});

test('a public host is only called by https', () => {
  expect(() => jazz.channelAt('http://onlinepayments.jazzcash.com.pk')).toThrow(/^channel jazz: .*https/);
  expect(() => jazz.channelAt('https://onlinepayments.jazzcash.com.pk')).not.toThrow();
});
