import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { audit } from '../audit/audit.ts';
import { setChannel } from '../channels/set-channel.ts';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { Order } from '../core/order.ts';
import { aMerchant, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { paid, placePayin } from '../testing/payins.ts';
import { enterReport } from './enter-report.ts';
import { takeCallback } from './take-callback.ts';

let fixture: TestDomain;
let merchantId: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  await setChannel(fixture.domain, {
    channelId: 'second',
    adapter: 'fake',
    baseUrl: 'http://second.test',
    credentials: {},
  });
  merchantId = (await aMerchant(fixture.domain, 'TH')).merchantId;
});
afterAll(() => fixture.close());

interface Reported {
  orderNo: string;
  answer: ChannelAnswer;
  kind?: string;
  currency?: string;
}
const body = ({ orderNo, answer, kind = 'payin', currency = 'THB' }: Reported): Uint8Array =>
  Buffer.from(JSON.stringify({ orderNo, kind, currency, answer }));
const takeBody = async (channelId: string, bytes: Uint8Array): Promise<string> =>
  (await takeCallback(fixture.domain, channelId, {}, bytes)).outcome;
const report = (reported: Reported, channelId = 'fake'): Promise<string> => takeBody(channelId, body(reported));

/** Suspense and cases of a merchant, or of the platform. */
async function aside(who: string): Promise<{ suspense: string | null; cases: string[] }> {
  const { rows } = await fixture.domain.database.pool.query<{ suspense: string | null; cases: string[] }>(
    `select (select sum(case credit when 'suspense' then amount else -amount end)::text from transfer
         where merchant_id = $1 and 'suspense' in (debit, credit)) as suspense,
       array(select kind || ' ' || amount || ' ' || channel_id from money_case where merchant_id = $1 order by case_no) as cases`,
    [who],
  );
  return rows[0] ?? { suspense: null, cases: [] };
}

const place = (): Promise<Order> => placePayin(fixture.domain, merchantId, 'TH');

test('a callback is booked before its request is answered, and repeated callbacks change nothing', async () => {
  const order = await place();
  const reported = { orderNo: order.orderNo, answer: paid() };
  expect(await report(reported)).toBe('taken');
  expect((await orderNow(fixture.domain, order)).status).toBe('completed');
  expect(await Promise.all([report(reported), report(reported), report(reported)])).toEqual([
    'taken',
    'taken',
    'taken',
  ]);
  expect(await aside(merchantId)).toEqual({ suspense: null, cases: [] });
});

test('money for an unknown order goes to the platform’s suspense, with one case', async () => {
  const reported = { orderNo: 'PI-NOT-OURS', answer: paid('U1', '42.00') };
  expect(await Promise.all([report(reported), report(reported)])).toEqual(['taken', 'taken']);
  expect(await report(reported)).toBe('taken');
  expect(await aside('PLATFORM-TH')).toEqual({ suspense: '42.00', cases: ['unmatched 42.00 fake'] });
  await report({ ...reported, answer: paid('U2', '1.00'), currency: 'PKR' });
  expect(await aside('PLATFORM-PK')).toEqual({ suspense: '1.00', cases: ['unmatched 1.00 fake'] });
});

test('money without an order on a statement is booked once, whether a callback reports it before or after', async () => {
  const { domain } = fixture;
  const statement = (reference: string, amount: string, orderNo: string | null = null) =>
    enterReport(domain, {
      channelId: 'fake',
      kind: 'payin',
      orderNo,
      currency: 'THB',
      answer: paid(reference, amount),
      line: `1/${reference}/0`,
      explained: 0,
      isOwnReference: true,
    });
  const callback = (reference: string, amount: string, channelId = 'fake') =>
    report({ orderNo: 'PI-NOT-OURS', currency: 'THB', answer: paid(reference, amount) }, channelId);
  const before = (await aside('PLATFORM-TH')).cases;
  for (let i = 0; i < 2; i++) {
    await statement('ST-1', '31.00');
    for (const channelId of ['fake', 'second']) await callback('ST-1', '31.00', channelId);
  }
  await callback('ST-2', '32.00');
  await statement('ST-2', '32.00');
  await statement('ST-3', '33.00');
  // Under the same unknown number, the first report of this amount confirms what the statement has shown.
  await statement('ST-4', '34.00', 'PI-NOT-OURS');
  for (let i = 0; i < 2; i++) await callback('CH-4', '34.00');
  await callback('CH-5', '34.00');
  const amounts = ['31.00', '32.00', '33.00', '34.00', '34.00'];
  const cases = amounts.map((amount) => `unmatched ${amount} fake`);
  expect((await aside('PLATFORM-TH')).cases).toEqual([...before, ...cases]);
});

test('money from another channel, or in another currency, goes to the suspense of the platform too', async () => {
  const order = await place();
  await report({ orderNo: order.orderNo, answer: paid('S1') }, 'second');
  await report({ orderNo: order.orderNo, answer: paid('S2'), currency: 'INR' });
  expect(await orderNow(fixture.domain, order)).toMatchObject({ status: 'created', paidAmount: '0.00' });
  expect((await aside('PLATFORM-TH')).cases).toContain('unmatched 100.00 second');
  expect((await aside('PLATFORM-IN')).cases).toEqual(['unmatched 100.00 fake']);
});

test('outgoing and returned money of an unknown order also opens cases', async () => {
  const payments = [{ reference: 'U9', amount: '7.00' }];
  const reported = { orderNo: 'PO-NOT-OURS', kind: 'payout', currency: 'CNY' };
  for (let i = 0; i < 2; i++) expect(await report({ ...reported, answer: paid('U9', '7.00') })).toBe('taken');
  expect(await aside('PLATFORM-CN')).toEqual({ suspense: '-7.00', cases: ['payout_paid_again 7.00 fake'] });
  const returned = { outcome: 'returned', payments, returned: payments[0], reason: 'closed' } as ChannelAnswer;
  for (let i = 0; i < 2; i++) expect(await report({ ...reported, answer: returned })).toBe('taken');
  const cases = ['payout_paid_again 7.00 fake', 'payout_returned 7.00 fake'];
  expect(await aside('PLATFORM-CN')).toEqual({ suspense: '0.00', cases });
});

test('callbacks without money book nothing', async () => {
  const before = await aside('PLATFORM-TH');
  expect(await report({ orderNo: 'PI-NOT-OURS', answer: { outcome: 'failed', reason: 'x' } })).toBe('taken');
  expect(await report({ orderNo: 'PI-NOT-OURS', answer: paid('U8'), currency: 'XXX' })).toBe('taken');
  expect(await aside('PLATFORM-TH')).toEqual(before);
});

test('refused callbacks and callbacks about unknown orders are counted in their own metrics, and other callbacks are not', async () => {
  const { domain, channel } = fixture;
  const counted: string[] = [];
  domain.observer.callbackUnusable = ({ channelId, reason }) => void counted.push(`${channelId} ${reason}`);
  const unauthentic = vi.spyOn(channel, 'parseCallback');
  unauthentic.mockReturnValueOnce({ type: 'refused', why: 'unauthentic', detail: 'signature' });
  await report({ orderNo: (await place()).orderNo, answer: paid() });
  unauthentic.mockRestore();
  await takeBody('fake', Buffer.from('{'));
  await report({ orderNo: 'PI-NOT-OURS', answer: { outcome: 'failed', reason: 'x' } });
  await takeBody('fake', Buffer.from(JSON.stringify({ type: 'query', kind: 'payin', orderNo: 'PI-NOT-OURS' })));
  await report({ orderNo: (await place()).orderNo, answer: paid() });
  await report({ orderNo: 'PI-NOT-OURS', answer: paid() }, 'no-channel-of-ours');
  delete domain.observer.callbackUnusable;
  expect(counted).toEqual(['fake unauthentic', 'fake malformed', 'fake unknown_order', 'fake unknown_order']);
});

test('an unreadable callback is refused, and changes nothing', async () => {
  const order = await place();
  expect(await takeBody('fake', Buffer.from('no json'))).toBe('malformed');
  expect(await takeBody('nobody', body({ orderNo: order.orderNo, answer: paid() }))).toBe('unknown_channel');
  const payments = (reference: string, amount: string): ChannelAnswer => ({
    outcome: 'paid',
    payments: [{ reference, amount }],
  });
  for (const answer of [
    payments('P', '0.00'),
    payments('P', '-1.00'),
    payments('P', '1e2'),
    payments('P', ''),
    payments('', '100.00'),
    payments('P\u0000', '100.00'),
    payments('x'.repeat(129), '100.00'),
    { outcome: 'accepted', channelRef: 'a\u0000b' } as const,
  ])
    expect(await report({ orderNo: order.orderNo, answer })).toBe('malformed');
  expect(await orderNow(fixture.domain, order)).toMatchObject({ status: 'created', channelRef: null });
});

test('a failure reason with any characters still ends the order', async () => {
  const order = await place();
  expect(
    await report({ orderNo: order.orderNo, answer: { outcome: 'failed', reason: `${'x'.repeat(199)}😀\u0000` } }),
  ).toBe('taken');
  expect((await orderNow(fixture.domain, order)).status).toBe('failed');
});

test('after all of this the audit finds nothing', async () => {
  expect((await audit(fixture.domain)).violations).toEqual([]);
});

test('a callback that only announces news causes a query at once, and the answer is booked', async () => {
  const order = await place();
  const asks = (changes: object = {}) =>
    Buffer.from(JSON.stringify({ type: 'query', kind: 'payin', orderNo: order.orderNo, ...changes }));
  const { channel } = fixture;
  channel.answers.query = { outcome: 'unknown', why: 'no_answer', detail: 'busy' };
  expect(await takeBody('fake', asks())).toBe('not_now');
  expect((await orderNow(fixture.domain, order)).status).not.toBe('completed');
  channel.answers.query = paid('Q1');
  const callCount = channel.calls.length;
  for (const [channelId, changes] of [
    ['second', {}],
    ['fake', { kind: 'payout' }],
    ['fake', { orderNo: 'PI-NOT-OURS' }],
  ] as const)
    expect(await takeBody(channelId, asks(changes))).toBe('taken');
  expect(channel.calls).toHaveLength(callCount);
  expect(await takeBody('fake', asks())).toBe('taken');
  expect((await orderNow(fixture.domain, order)).status).toBe('completed');
});

test('a rerouted order is queried at its first channel too, and money that was paid there goes to suspense', async () => {
  const order = await place();
  const { merchantId, orderNo } = order;
  await fixture.domain.commit({
    type: 'reroute',
    ref: { merchantId, orderNo },
    reason: 'no',
    fromChannelId: 'fake',
    toChannelId: 'second',
    toChannelBankCode: null,
  });
  const asks = Buffer.from(JSON.stringify({ type: 'query', kind: 'payin', orderNo }));
  const cases = async () => (await aside('PLATFORM-TH')).cases.filter((one) => one.includes('77.00'));
  fixture.channel.answers.query = paid('SENT-ON', '77.00');
  for (let i = 0; i < 2; i++) expect(await takeBody('fake', asks)).toBe('taken');
  expect(await cases()).toEqual(['unmatched 77.00 fake']);
  expect(await orderNow(fixture.domain, order)).toMatchObject({ channelId: 'second', paidAmount: '0.00' });
});

test('a payment that two channels of one account report is booked once', async () => {
  const order = await place();
  const reported = { orderNo: order.orderNo, answer: paid('BOTH', '100.00') };
  const before = (await aside('PLATFORM-TH')).cases.length;
  for (const channelId of ['fake', 'second']) expect(await report(reported, channelId)).toBe('taken');
  expect((await orderNow(fixture.domain, order)).paidAmount).toBe('100.00');
  expect((await aside('PLATFORM-TH')).cases).toHaveLength(before);
});

test('many callbacks about one order cause one query, also if its answer is undecided', async () => {
  const order = await place();
  const { channel } = fixture;
  const { promise, resolve } = Promise.withResolvers<ChannelAnswer>();
  channel.answers.query = () => promise;
  const asks = Buffer.from(JSON.stringify({ type: 'query', kind: 'payin', orderNo: order.orderNo }));
  const callCount = channel.calls.length;
  const run = vi.spyOn(fixture.domain.callbackQueries, 'run');
  // The query lasts until all have joined it, also on a machine on which that takes longer than its deadline.
  const deadline = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  const outcomes = Array.from({ length: 30 }, () => takeBody('fake', asks));
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(30), 10_000);
  run.mockRestore();
  deadline.mockRestore();
  resolve({ outcome: 'unknown', why: 'no_answer', detail: 'under review', isUndecided: true });
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['taken']));
  expect(channel.calls.length).toBe(callCount + 1);
});

test('callbacks about many orders of one channel cannot block other work: callbacks above a limit are refused, and the provider repeats them', async () => {
  const orders = await Promise.all(Array.from({ length: 9 }, place));
  const { channel } = fixture;
  const { promise, resolve } = Promise.withResolvers<ChannelAnswer>();
  channel.answers.query = () => promise;
  const asks = orders.map(({ orderNo }) => Buffer.from(JSON.stringify({ type: 'query', kind: 'payin', orderNo })));
  const deadline = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  const early: string[] = [];
  const outcomes = asks.map((body) => takeBody('fake', body));
  for (const outcome of outcomes) void outcome.then((one) => early.push(one));
  // One merchant gets three quarters of the eight queries of a channel.
  await vi.waitFor(() => expect(early).toEqual(['not_now', 'not_now', 'not_now']), 10_000);
  deadline.mockRestore();
  resolve(paid('ROOM'));
  expect((await Promise.all(outcomes)).filter((outcome) => outcome === 'taken')).toHaveLength(6);
});

test('the provider gets the reply that its adapter defines', async () => {
  const reply = { contentType: 'text/plain', body: 'success' };
  const nothing = Buffer.from(JSON.stringify({ type: 'nothing', detail: 'a test event', reply }));
  expect(await takeCallback(fixture.domain, 'fake', {}, nothing)).toEqual({ outcome: 'taken', reply });
});

test.each([
  ['U+0000 in the order number', { orderNo: 'PI\u0000', answer: paid() }],
  ['an order number that is no text', { orderNo: 7 as never, answer: paid() }],
  [
    'more payments than one order has',
    {
      orderNo: 'PI1',
      answer: {
        outcome: 'paid',
        payments: Array.from({ length: 501 }, (_, i) => ({ reference: `R${i}`, amount: '1.00' })),
      },
    },
  ],
] satisfies [string, Reported][])('a callback with %s is malformed, and books nothing', async (_, reported) => {
  const before = await aside('PLATFORM-TH');
  expect(await report(reported)).toBe('malformed');
  expect(await aside('PLATFORM-TH')).toEqual(before);
});
