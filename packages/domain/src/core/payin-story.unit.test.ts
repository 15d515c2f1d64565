import { expect, test } from 'vitest';
import { aDraft, aNewOrder, anOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import { inWords, tell } from '../testing/tell.ts';
import type { ChannelAnswer } from './channel-answer.ts';
import type { Country } from './country.ts';
import { decide } from './decide.ts';
import type { Draft } from './draft.ts';

// A payin's life as a row of reports: repeated, reordered, late.

const payment = (reference: string, amount: string) => ({ reference, amount });
const half: ChannelAnswer = { outcome: 'part_paid', payments: [payment('P1', '50.00')] };
const whole: ChannelAnswer = { outcome: 'paid', payments: [payment('P1', '50.00'), payment('P2', '50.00')] };
const full: ChannelAnswer = { outcome: 'paid', payments: [payment('P1', '100.00')] };
const pending: ChannelAnswer = { outcome: 'accepted', channelRef: 'R' };
const timedOut: ChannelAnswer = { outcome: 'timed_out', reason: 'late', payments: [payment('P1', '50.00')] };
const failed: ChannelAnswer = { outcome: 'failed', reason: 'no' };
const noAnswer: ChannelAnswer = { outcome: 'unknown', why: 'no_answer', detail: '' };
const notFound: ChannelAnswer = { outcome: 'unknown', why: 'not_found', detail: '' };

const onTheWay = (country: Country): Draft => aDraft(aWallet(country), anOrder(country));

/** Lets a worker take the next action when its time has come; gives that time. */
function claim(draft: Draft): number {
  const { order } = draft;
  if (!order?.nextAction || order.nextActionAt === null) throw new Error('nothing to do');
  const now = order.nextActionAt;
  const ref = { merchantId: order.merchantId, orderNo: order.orderNo };
  const rejection = decide(draft, { type: 'claimWork', ref, action: order.nextAction, lease: 25_000 }, null, at(now));
  if (rejection) throw new Error(rejection);
  return now;
}

test('half and the rest: part paid in between, credited once and whole', () => {
  const draft = tell(onTheWay('TH'), half);
  expect(draft.order).toMatchObject({ status: 'partial_paid', paidAmount: '50.00' });
  for (const again of [half, pending, whole, whole, half, pending]) tell(draft, again);
  expect(draft.order).toMatchObject({ status: 'completed', paidAmount: '100.00', nextAction: null, completedAt: noon });
  expect(inWords(draft)).toEqual([
    ...['completed, nothing to do', 'channel:fake > suspense 50.00', 'channel:fake > suspense 50.00'],
    ...['suspense > available 97.50', 'suspense > fee_revenue 2.50', 'PAYIN 97.50 -> 97.50', 'notify completed'],
  ]);
});

test('after a part the way to pay the whole amount is gone, and the channel’s way to pay the rest is kept', () => {
  const ways = { payLink: 'https://bank.test/whole', payQr: 'whole' };
  const draft = tell(onTheWay('TH'), { ...pending, ...ways });
  expect(draft.order).toMatchObject(ways);
  tell(draft, half);
  expect(draft.order).toMatchObject({ payLink: null, payQr: null });
  tell(draft, { ...pending, ...ways });
  expect(draft.order).toMatchObject({ payLink: null, payQr: null });
  const rest = { payLink: 'https://bank.test/rest', payQr: 'rest' };
  tell(draft, { ...half, ...rest });
  tell(draft, half);
  expect(draft.order).toMatchObject(rest);
  const more = { outcome: 'part_paid', payments: [payment('P1', '50.00'), payment('P2', '20.00')] } as const;
  tell(draft, more);
  tell(draft, { ...half, ...rest });
  expect(draft.order).toMatchObject({ paidAmount: '70.00', payLink: null, payQr: null });
});

test('half, then timeout: the half waits in suspense with one case', () => {
  const draft = onTheWay('TH');
  for (const answer of [half, timedOut, timedOut, half]) tell(draft, answer);
  expect(inWords(draft)).toEqual([
    ...['timeout, nothing to do', 'channel:fake > suspense 50.00', 'case parts_of_unpaid 50.00', 'notify timeout'],
  ]);
});

test('a part-paid order whose channel says failed waits for its expiry, and ends there as unpaid', () => {
  const draft = tell(tell(onTheWay('TH'), half), failed);
  expect(draft.order).toMatchObject({ status: 'partial_paid', nextAction: 'poll' });
  const expired = (draft.order?.expiresAt ?? 0) + 1;
  tell(draft, failed, 'expiry', expired);
  expect(inWords(draft, expired)).toEqual([
    ...['timeout, nothing to do', 'channel:fake > suspense 50.00', 'case parts_of_unpaid 50.00', 'notify timeout'],
  ]);
});

test('paid, told three times, and an older "pending" after it: once', () => {
  const draft = onTheWay('IN');
  for (const answer of [full, full, full, pending]) tell(draft, answer);
  expect(draft.added.entries).toHaveLength(1);
  expect(draft.added.notifications).toHaveLength(1);
  expect(draft.added.transitions.map((t) => `${t.from}>${t.to}`)).toEqual(['processing>completed']);
  expect(draft.order).toMatchObject({ status: 'completed', nextAction: null, nextActionAt: null });
});

test('a wrong sum, then the right one: the order completes, the wrong sum stays aside', () => {
  const wrong: ChannelAnswer = { outcome: 'paid', payments: [payment('P1', '99.00')] };
  const draft = tell(tell(onTheWay('PK'), wrong), {
    outcome: 'paid',
    payments: [payment('P1', '99.00'), payment('P2', '100.00')],
  });
  expect(inWords(draft)).toEqual([
    ...['completed, nothing to do', 'channel:fake > suspense 99.00'],
    ...['channel:fake > available 97.50', 'channel:fake > fee_revenue 2.50', 'PAYIN 97.50 -> 97.50'],
    ...['case wrong_amount 99.00', 'notify completed'],
  ]);
});

test('a free order books no fee', () => {
  const draft = tell(aDraft(aWallet('CN'), anOrder('CN', { feeAmount: '0.00', netAmount: '100.00' })), full);
  expect(inWords(draft)).toEqual([
    ...['completed, nothing to do', 'channel:fake > available 100.00', 'PAYIN 100.00 -> 100.00', 'notify completed'],
  ]);
});

test('without an address nobody is told', () => {
  expect(inWords(tell(aDraft(aWallet('CN'), anOrder('CN', { notifyUrl: null })), full))).not.toContain(
    'notify completed',
  );
});

test('an open order is polled after 5, 10, 15, 30, 60, 120 s …, and at its expiry asked for the last time', () => {
  const draft = aDraft(aWallet('IN'), anOrder('IN', { channelRef: null, nextAction: 'submit', nextActionAt: noon }));
  tell(draft, pending, 'create', noon);
  const waits: string[] = [];
  let now = noon;
  while (draft.order?.nextAction === 'poll' && waits.length < 100) {
    waits.push(`${((draft.order.nextActionAt ?? 0) - now) / 1000}`);
    now = claim(draft);
    expect(draft.order).toMatchObject({ nextActionAt: now + 25_000 });
    tell(draft, waits.length % 2 === 0 ? pending : noAnswer, 'query', now);
  }
  expect(waits.slice(0, 8)).toEqual(['5', '10', '15', '30', '60', '120', '120', '120']);
  expect(draft.order).toMatchObject({
    nextAction: 'expire',
    nextActionAt: draft.order?.expiresAt,
    status: 'processing',
  });
  for (const wait of [10, 30, 60, 300, 900, 900]) {
    now = claim(draft);
    tell(draft, noAnswer, 'expiry', now);
    expect(draft.order).toMatchObject({ status: 'processing', nextAction: 'expire', nextActionAt: now + wait * 1000 });
  }
});

test('an order whose create was not answered is watched for a day, or until its channel has said six times that it does not know it', () => {
  const unanswered = (): Draft => {
    const draft = aDraft(aWallet('PK'), anOrder('PK', { status: 'created', channelRef: null, nextAction: 'submit' }));
    return tell(draft, noAnswer, 'create');
  };
  const denied = unanswered();
  let polls = 0;
  for (; denied.order?.nextAction === 'poll' && polls < 100; polls++) tell(denied, notFound, 'query', claim(denied));
  expect([polls, denied.order]).toMatchObject([6, { status: 'failed', nextAction: null }]);
  const silent = unanswered();
  const waits: number[] = [];
  let before = noon;
  for (polls = 0; silent.order?.nextAction === 'poll' && polls < 100; polls++) {
    const now = claim(silent);
    waits.push((now - before) / 1000);
    before = now;
    tell(silent, noAnswer, 'query', now);
  }
  expect(waits.slice(0, 9)).toEqual([10, 30, 60, 120, 300, 600, 1800, 3600, 3600]);
  expect(before - noon).toBeGreaterThan(23.9 * 3_600_000);
  expect(before - noon).toBeLessThan(25 * 3_600_000);
  expect(silent.order).toMatchObject({ status: 'failed', nextAction: null });
  const paidLate = unanswered();
  tell(paidLate, full, 'query', claim(paidLate));
  expect(inWords(paidLate).slice(0, 3)).toEqual([
    'failed, nothing to do',
    'channel:fake > suspense 100.00',
    'case late 100.00',
  ]);
});

test('a callback does not take a new order from the worker who is to submit it, unless the channel has it', () => {
  const created = (): Draft =>
    aDraft(
      aWallet('CN'),
      anOrder('CN', { status: 'created', channelRef: null, nextAction: 'submit', nextActionAt: noon }),
    );
  expect(tell(created(), noAnswer).order).toMatchObject({
    status: 'created',
    nextAction: 'submit',
    nextActionAt: noon,
  });
  expect(tell(created(), pending).order).toMatchObject({ status: 'processing', nextAction: 'poll', channelRef: 'R' });
});

test.each([
  ['CN', 'created', 'created'],
  ['TH', 'created', 'created'],
  ['PK', 'created', 'created'],
  ['IN', 'processing', 'created begun'],
] as const)('a new %s order is %s', (country, status, history) => {
  const draft = aDraft(aWallet(country));
  const command = { type: 'createPayin', order: aNewOrder(country), submitAfter: 0, expiresIn: 1_800_000 } as const;
  expect(decide(draft, command, null, at(noon, 0.5))).toBeNull();
  expect(draft.order).toMatchObject({ status, nextAction: 'submit', nextActionAt: noon, expiresAt: noon + 900_000 });
  expect(draft.added.transitions.map((t) => t.trigger).join(' ')).toBe(history);
  expect(draft.added.transitions.map((t) => t.seq)).toEqual(history.split(' ').map((_, i) => i + 1));
});
