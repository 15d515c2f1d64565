import type { ChannelOrder } from '@tidegate/domain/channels';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { memoryOfOneProcess } from '../testing/channel-tools.ts';
import { NO_ANSWER } from '../testing/contract-subject.ts';
import { passOn, type SeenRequest, startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { recordOf, recordsOf, seconds } from './fake/context.ts';
import type { Payout } from './fake/records.ts';
import { type Fixture, openFixture } from './testing/open-fixture.ts';

let fixture: Fixture;
const otherAccount = '7878780080316399';
beforeAll(async () => {
  fixture = await openFixture();
  fixture.context.account.otherAccountNumber = otherAccount;
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => fixture.close());

const longDeadline = () => AbortSignal.timeout(10_000);
const query = (order: ChannelOrder, channel = fixture.channel) => channel.query(order, longDeadline());
const nothingDebited = { outcome: 'failed', reason: expect.stringContaining('nothing was debited') };

/** A failed payout. Debited: its money is on the way back, or lost. */
async function failedPayout(isDebited: boolean, channel = fixture.channel, changed: Partial<Payout> = {}) {
  const order = fixture.order({ kind: 'payout', amount: isDebited ? '80.04' : '80.03' });
  const created = await channel.create(order, longDeadline());
  const channelRef = 'channelRef' in created ? (created.channelRef ?? '') : '';
  const payout = recordOf(fixture.context, 'payout', channelRef);
  if (!payout) throw new Error('no payout');
  fixture.context.store.put(payout.id, { ...payout, ...changed });
  const move = (status: string, reason = 'gateway_timeout') =>
    fixture.control('state', { id: payout.id, status, reason });
  await move('failed');
  return { order: { ...order, channelRef }, id: payout.id, move };
}

/** Adds a line to the statement of the account. */
function book(payoutId: string, movement: { debit?: number; credit?: number }, id = `txn_${Math.random()}`): void {
  const of = { payoutId, accountNumber: fixture.credentials.accountNumber ?? '', createdAt: seconds(fixture.context) };
  fixture.context.store.put(id, { type: 'transaction', id, ...of, debit: 0, credit: 0, ...movement });
}

/** The channel behind a proxy that may change a request. Returns what was asked of the statement, too. */
async function watched(changed: Record<string, string> = {}, change = (request: SeenRequest) => request) {
  const proxy = await startFaultyUpstream(async (request, reply) => {
    const answer = await passOn(fixture.url, change(request));
    reply.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const statements = () =>
    proxy.seen
      .filter(({ path }) => path.startsWith('/v1/transactions'))
      .map(({ path }) => new URL(path, proxy.url).searchParams);
  return { channel: fixture.channelAt(proxy.url, changed), statements, close: () => proxy.close() };
}

test('a failed payout without a debit on the statement is reported as failed', async () => {
  const { order } = await failedPayout(false);
  expect(await query(order)).toMatchObject(nothingDebited);
});

test('a failed payout is unknown while the statement cannot be read completely', async () => {
  const { order } = await failedPayout(false);
  book(order.channelRef, { debit: 0 });
  const firstPage = (request: SeenRequest) => ({ ...request, path: request.path.replace(/skip=[0-9]+/, 'skip=0') });
  const { channel, statements, close } = await watched({}, firstPage);
  expect(await query(order, channel)).toMatchObject(NO_ANSWER);
  expect(statements()).toHaveLength(20);
  await close();
});

test('a payout that was queued for hours waits for its statement from the first “failed” on', async () => {
  const { channel, statements, close } = await watched({ statementDelayMinutes: '30' });
  const createdAt = seconds(fixture.context) - 3 * 3_600;
  const { order } = await failedPayout(false, channel, { createdAt });
  const now = Date.now();
  expect(await query(order, channel)).toMatchObject(NO_ANSWER);
  vi.useFakeTimers({ toFake: ['Date'], now: now + 29 * 60_000 });
  expect(await query(order, channel)).toMatchObject(NO_ANSWER);
  expect(statements()).toEqual([]);
  vi.setSystemTime(now + 31 * 60_000);
  expect(await query(order, channel)).toMatchObject(nothingDebited);
  await close();
});

test('the statement is read in a bounded range, also weeks later', async () => {
  const { channel, statements, close } = await watched();
  const { order } = await failedPayout(true, channel);
  await query(order, channel);
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + 21 * 86_400_000 });
  await query(order, channel);
  const ends = statements().map((parameters) => Number(parameters.get('to')) - now / 1_000);
  expect(Math.min(...ends)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...ends)).toBeLessThan(25 * 3_600);
  await close();
});

test('a failed payout that was debited is unknown until the money is back, and then failed', async () => {
  const { order, move } = await failedPayout(true);
  expect(await query(order)).toMatchObject(NO_ANSWER);
  await move('reversed');
  expect(await query(order)).toMatchObject({ outcome: 'failed' });
  await move('failed');
  const reason = expect.stringContaining('the money is back');
  expect(await query(order)).toMatchObject({ outcome: 'failed', reason });
});

test('a failed payout that was debited twice is unknown until both debits are back', async () => {
  const { order, id } = await failedPayout(true);
  book(id, { debit: 8_004 });
  book(id, { credit: 8_004 });
  expect(await query(order)).toMatchObject(NO_ANSWER);
  book(id, { credit: 8_004 });
  expect(await query(order)).toMatchObject({ outcome: 'failed' });
});

test('a line that moves to the next page while the statement is read counts once', async () => {
  let wasMoved = false;
  const { order, id } = await failedPayout(true);
  book(id, { debit: 8_004 });
  book(id, { credit: 8_004 });
  const { channel, close } = await watched({}, (request) => {
    // The second page has the newest line again: the money that came back.
    const isSecond = /skip=[1-9]/.test(request.path) && !wasMoved;
    wasMoved ||= isSecond;
    return { ...request, path: isSecond ? request.path.replace(/count=.*/, 'count=1&skip=0') : request.path };
  });
  expect(await query(order, channel)).toMatchObject(NO_ANSWER);
  expect(wasMoved).toBe(true);
  await close();
});

test('a payout that failed because of a low balance is failed at once', async () => {
  const { order, move } = await failedPayout(true);
  await move('failed', 'insufficient_funds');
  expect(await query(order)).toMatchObject({ outcome: 'failed' });
});

test('after a change of the account number the statement of the account that paid decides', async () => {
  const other = fixture.channelAt(fixture.url, { accountNumber: otherAccount });
  const debited = await failedPayout(true);
  expect(await query(debited.order, other)).toMatchObject(NO_ANSWER);
  const free = await failedPayout(false);
  expect(await query(free.order, other)).toMatchObject(nothingDebited);
});

test('without a stored account number a missing debit proves nothing, but returned money does', async () => {
  const forgetful = () => fixture.channelAt(fixture.url, {}, { memory: memoryOfOneProcess() });
  const { order, id } = await failedPayout(false);
  expect(await query(order, forgetful())).toMatchObject(NO_ANSWER);
  book(id, { debit: 8_003 });
  book(id, { credit: 8_003 });
  expect(await query(order, forgetful())).toMatchObject({ outcome: 'failed' });
});

test.each([
  ['another account', '002281300012999', 'unknown'],
  ['the account of the channel', '7878780080316316', 'failed'],
  ['the text null', 'null', 'failed'],
])('a payout whose debited account is %s', async (_what, debitAccountNumber, outcome) => {
  const { order } = await failedPayout(false, fixture.channel, { debitAccountNumber });
  expect((await query(order)).outcome).toBe(outcome);
});

test('a lost create is not sent again from another account, and a missing payout there proves nothing', async () => {
  const order = fixture.order({ kind: 'payout', amount: '80.04' });
  await fixture.channel.create(order, longDeadline());
  const [payout] = recordsOf(fixture.context, 'payout').filter(({ reference }) => reference === order.orderNo);
  if (!payout) throw new Error('no payout');
  const other = fixture.channelAt(fixture.url, { accountNumber: otherAccount });
  expect(await query(order, other)).toMatchObject({ outcome: 'accepted', channelRef: payout.id });
  expect(await other.create(order, longDeadline())).toMatchObject({ outcome: 'accepted', channelRef: payout.id });
  // Razorpay’s search does not know of it yet.
  fixture.context.store.put(payout.id, { ...payout, reference: 'not yet' });
  expect(await query(order, other)).toMatchObject(NO_ANSWER);
  expect(await other.create(order, longDeadline())).toMatchObject(NO_ANSWER);
  expect(recordsOf(fixture.context, 'payout').filter(({ key }) => key === order.orderNo)).toHaveLength(1);
  expect(await query(order)).toMatchObject({ outcome: 'unknown', why: 'not_found' });
});

test('without an account number, a payout that was never sent is not found, and one that was sent is unknown', async () => {
  const closed = fixture.channelAt(fixture.url, { accountNumber: '' });
  const order = fixture.order({ kind: 'payout', amount: '80.04' });
  expect(await closed.create(order, longDeadline())).toMatchObject({ outcome: 'refused' });
  expect(await query(order, closed)).toMatchObject({ outcome: 'unknown', why: 'not_found' });
  await fixture.channel.create(order, longDeadline());
  expect(await query(order, closed)).toMatchObject(NO_ANSWER);
});

test('calls with both key pairs share one rate limit, with a small burst', async () => {
  const take = vi.fn(async () => true);
  const channel = fixture.channelAt(fixture.url, {}, { limiter: { take } });
  await channel.create(fixture.order(), longDeadline());
  await channel.create(fixture.order({ kind: 'payout', amount: '80.04' }), longDeadline());
  const calls = take.mock.calls as unknown as [account: string, rate: { perSecond: number; burst: number }][];
  expect(new Set(calls.map(([account]) => account))).toHaveLength(1);
  for (const [, { perSecond, burst }] of calls) expect(perSecond + burst).toBeLessThanOrEqual(10);
});
