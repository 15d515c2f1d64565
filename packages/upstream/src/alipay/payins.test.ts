import type { CallLimiter } from '@tidegate/domain/channels';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { longDeadline, NO_ANSWER, paid } from '../testing/contract-subject.ts';
import { startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { type OpenedFake, openFake } from './testing/open-fake.ts';

describe('the Alipay channel', () => {
  let opened: OpenedFake;
  beforeAll(async () => {
    opened = await openFake();
  });
  afterEach(() => opened.control('busy', { times: 0 }));
  afterAll(() => opened.close());

  const accepted = async (amount: string) => {
    const order = opened.order({ amount });
    const answer = await opened.channel.create(order, longDeadline());
    expect(answer).toMatchObject({ outcome: 'accepted', channelRef: order.orderNo });
    return { ...order, channelRef: order.orderNo };
  };

  test('a create returns an order code for the payer', async () => {
    const answer = await opened.channel.create(opened.order(), longDeadline());
    const code = expect.stringMatching(/^https:\/\/qr\.alipay\.com\//);
    expect(answer).toMatchObject({ outcome: 'accepted', payQr: code, payLink: code });
  });

  test('an order whose code was not scanned is open, and closed after a cancel', async () => {
    const order = await accepted('80.05');
    expect(await opened.channel.query(order, longDeadline())).toMatchObject({ outcome: 'accepted' });
    expect(await opened.channel.cancel(order, longDeadline())).toMatchObject({ outcome: 'closed' });
    await opened.control('pay', { orderNo: order.orderNo });
    expect(opened.fake.trade(order.orderNo)?.paidAt).toBeNull();
  });

  test('an order whose create had no answer is unknown at Alipay until its code is scanned', async () => {
    const order = opened.order({ amount: '80.05' });
    const { faults } = opened.fake.server;
    faults.next('never_answered');
    const client = new AbortController();
    const answer = opened.channel.create(order, client.signal);
    await expect.poll(() => faults.unanswered()).toBe(1);
    client.abort();
    expect(await answer).toMatchObject(NO_ANSWER);
    const unknown = { outcome: 'unknown', why: 'not_found' };
    expect(await opened.channel.query(order, longDeadline())).toMatchObject(unknown);
    expect(await opened.channel.create(order, longDeadline())).toMatchObject({ outcome: 'accepted' });
    await opened.control('scan', { orderNo: order.orderNo });
    expect(await opened.channel.query(order, longDeadline())).toMatchObject({ outcome: 'accepted' });
  });

  test('a payment after a close that had no lasting effect is reported', async () => {
    const order = await accepted('80.15');
    expect(await opened.channel.cancel(order, longDeadline())).toMatchObject({ outcome: 'closed' });
    expect(await paid(opened.channel, order)).toMatchObject({ payments: [{ amount: '80.15' }] });
  });

  test.each([
    ['80.12', 'closed'],
    ['80.13', 'accepted'],
  ])('an order of %s that is not paid ends as %s', async (amount, outcome) => {
    const order = await accepted(amount);
    const isOver = () => {
      const trade = opened.fake.trade(order.orderNo);
      return trade?.state === 'TRADE_CLOSED' || trade?.isDead;
    };
    await expect.poll(isOver).toBe(true);
    expect(await opened.channel.query(order, longDeadline())).toMatchObject({ outcome });
  });

  test('the payment is the amount that the seller received, also if it is less than the order', async () => {
    const order = await accepted('80.14');
    expect(await paid(opened.channel, order)).toMatchObject({ payments: [{ amount: '79.14' }] });
  });

  test('a trade for another amount than the order counts as no answer', async () => {
    const order = await accepted('80.01');
    expect(await opened.channel.query({ ...order, amount: '81.01' }, longDeadline())).toMatchObject(NO_ANSWER);
    expect(await opened.channel.create({ ...order, amount: '81.01' }, longDeadline())).toMatchObject(NO_ANSWER);
  });

  test.each([false, true])(
    'a create with a system error is repeated, and makes one order (took effect: %s)',
    async (takesEffect) => {
      const order = opened.order({ amount: '80.01' });
      await opened.control('busy', { times: 2, takesEffect });
      expect(await opened.channel.create(order, longDeadline())).toMatchObject({ outcome: 'accepted' });
      await opened.control('busy', { times: 3 });
      const end = new AbortController();
      let calls = 0;
      const limiter: CallLimiter = {
        async take() {
          calls += 1;
          if (calls === 3) end.abort();
          return calls < 3;
        },
      };
      const channel = opened.channelAt(opened.fake.url, { limiter });
      expect(await channel.create(order, end.signal)).toEqual({
        outcome: 'unknown',
        why: 'no_answer',
        detail: 'Alipay answered 40004 ACQ.SYSTEM_ERROR',
      });
    },
  );

  test.each([false, true])(
    'a system error of a query or a close has an unknown outcome (took effect: %s)',
    async (takesEffect) => {
      const order = await accepted('80.01');
      await opened.control('busy', { times: 2, takesEffect });
      expect(await opened.channel.query(order, longDeadline())).toMatchObject(NO_ANSWER);
      expect(await opened.channel.cancel(order, longDeadline())).toMatchObject(NO_ANSWER);
      expect(await opened.channel.query(order, longDeadline())).toMatchObject({
        outcome: takesEffect ? 'closed' : 'accepted',
      });
    },
  );

  test.each([
    ['an unknown status', { trade_status: 'TRADE_PENDING' }],
    [
      'money that has not reached the seller',
      { trade_status: 'TRADE_SUCCESS', additional_status: 'SELLER_NOT_RECEIVED' },
    ],
    ['a buyer who pays later', { trade_status: 'TRADE_SUCCESS', credit_pay_mode: 'creditAdvanceV2' }],
    ['another currency', { trade_status: 'TRADE_SUCCESS', pay_currency: 'USD' }],
    ['another order', { trade_status: 'TRADE_SUCCESS', out_trade_no: 'PI1' }],
    ['an invalid reference', { trade_status: 'TRADE_SUCCESS', trade_no: '' }],
    ['an invalid amount', { trade_status: 'TRADE_SUCCESS', total_amount: '1e3' }],
  ])('a query that returns %s counts as no answer', async (_what, fields) => {
    const order = await accepted('80.01');
    await opened.control('answer', { fields });
    expect(await opened.channel.query(order, longDeadline())).toMatchObject(NO_ANSWER);
  });

  test.each([
    ['a finished trade', { trade_status: 'TRADE_FINISHED', receipt_amount: '80.01' }, '80.01'],
    ['no amount received, as pages do', { trade_status: 'TRADE_SUCCESS', receipt_amount: '0.00' }, '80.01'],
    ['more received than asked', { trade_status: 'TRADE_SUCCESS', receipt_amount: '99.00' }, '80.01'],
    ['fields that are new', { trade_status: 'TRADE_SUCCESS', new_field: 'x' }, '80.01'],
  ])('a query that returns %s counts as a payment', async (_what, fields, amount) => {
    const order = await accepted('80.01');
    await opened.control('answer', { fields });
    expect(await opened.channel.query(order, longDeadline())).toMatchObject({
      outcome: 'paid',
      payments: [{ amount }],
    });
  });

  test('a slow answer is given up at the time limit of its signal', async () => {
    const order = await accepted('80.01');
    opened.fake.server.faults.next('slow');
    expect(await opened.channel.query(order, AbortSignal.timeout(300))).toMatchObject(NO_ANSWER);
  });

  test('a seller number that does not belong to the application is refused', async () => {
    const credentials = { ...opened.credentials, sellerId: '2088000000000000' };
    const channel = opened.channelAt(opened.fake.url, { credentials });
    expect(await channel.create(opened.order(), longDeadline())).toMatchObject({ outcome: 'refused' });
  });

  test.each(['too_many_requests', 'maintenance_page', 'truncated'] as const)(
    '%s: the call has no answer and is not repeated',
    async (fault) => {
      const order = await accepted('80.01');
      for (const call of ['create', 'query', 'cancel'] as const) {
        opened.fake.server.faults.next(fault);
        expect(await opened.channel[call](order, longDeadline())).toMatchObject(NO_ANSWER);
      }
      // A truncated answer took effect.
      const outcome = fault === 'truncated' ? 'closed' : 'accepted';
      expect(await opened.channel.query(order, longDeadline())).toMatchObject({ outcome });
    },
  );

  test('a call that the rate limiter does not allow is not sent', async () => {
    const accepted: string[] = [];
    const limiter: CallLimiter = { take: async (account) => accepted.push(account) < 0 };
    const upstream = await startFaultyUpstream((_request, reply) => void reply.end('{}'));
    const channel = opened.channelAt(upstream.url, { limiter });
    for (const call of ['create', 'query', 'cancel'] as const)
      expect(await channel[call](opened.order(), longDeadline())).toMatchObject(NO_ANSWER);
    const account = `alipay:${opened.credentials.appId}`;
    expect([upstream.seen.length, new Set(accepted)]).toEqual([0, new Set([`${account}:creates`, account])]);
    await upstream.close();
  });

  test.each(['qr', 'page'])('a create is sent while polls use up their own limit (%s)', async (product) => {
    const limiter: CallLimiter = { take: async (account) => account.endsWith(':creates') };
    const channel = opened.channelAt(opened.fake.url, { limiter, credentials: { ...opened.credentials, product } });
    const order = opened.order({ amount: '80.05' });
    expect(await channel.query(order, longDeadline())).toMatchObject(NO_ANSWER);
    expect(await channel.create(order, longDeadline())).toMatchObject({ outcome: 'accepted' });
  });

  test.each([
    ['of another country', { country: 'TH', currency: 'THB' }],
    ['of another kind', { kind: 'payout' as const }],
    ['with a number that Alipay does not accept', { orderNo: 'PI-1' }],
  ])('an order %s is refused', async (_what, changed) => {
    expect(await opened.channel.create(opened.order(changed), longDeadline())).toMatchObject({ outcome: 'refused' });
  });
});
