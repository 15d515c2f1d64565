import { expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { inWords } from '../testing/in-words.ts';
import { aNewOrder, anOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';
import type { Country } from './country.ts';

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

const onTheWay = (country: Country): Given => given(aWallet(country), anOrder(country));

/** Lets a worker take the next action when its time has come. */
function claim(before: Given): { claimed: Given; now: number } {
  const { nextAction: action, nextActionAt: now, merchantId, orderNo } = before.order;
  if (!action || now === null) throw new Error('nothing to do');
  const claimed = before.when({ type: 'claimWork', ref: { merchantId, orderNo }, action, lease: 25_000 }, at(now));
  if (claimed.refusal) throw new Error(claimed.refusal);
  return { claimed, now };
}

test('after half of the amount a payin is part paid, and after the rest it is credited once in full', () => {
  const first = onTheWay('TH').whenReported(half);
  expect(first.order).toMatchObject({ status: 'partial_paid', paidAmount: '50.00' });
  const then = first.whenReportedEach([half, pending, whole, whole, half, pending]);
  expect(then.order).toMatchObject({ status: 'completed', paidAmount: '100.00', nextAction: null, completedAt: noon });
  expect(inWords(then)).toEqual([
    'completed, nothing to do',
    'channel:fake > suspense 50.00',
    'channel:fake > suspense 50.00',
    'suspense > available 97.50',
    'suspense > fee_revenue 2.50',
    'PAYIN 97.50 -> 97.50',
    'notify completed',
  ]);
});

test('after a part payment the payment link for the whole amount is replaced by the link for the rest', () => {
  const ways = { payLink: 'https://bank.test/whole', payQr: 'whole' };
  const open = onTheWay('TH').whenReported({ ...pending, ...ways });
  expect(open.order).toMatchObject(ways);
  const part = open.whenReported(half);
  expect(part.order).toMatchObject({ payLink: null, payQr: null });
  const older = part.whenReported({ ...pending, ...ways });
  expect(older.order).toMatchObject({ payLink: null, payQr: null });
  const rest = { payLink: 'https://bank.test/rest', payQr: 'rest' };
  const reported = older.whenReported({ ...half, ...rest }).whenReported(half);
  expect(reported.order).toMatchObject(rest);
  const more = { outcome: 'part_paid', payments: [payment('P1', '50.00'), payment('P2', '20.00')] } as const;
  const last = reported.whenReported(more).whenReported({ ...half, ...rest });
  expect(last.order).toMatchObject({ paidAmount: '70.00', payLink: null, payQr: null });
});

test('half of the amount before a timeout is in suspense, with one case', () => {
  expect(inWords(onTheWay('TH').whenReportedEach([half, timedOut, timedOut, half]))).toEqual([
    'timeout, nothing to do',
    'channel:fake > suspense 50.00',
    'case parts_of_unpaid 50.00',
    'notify timeout',
  ]);
});

test('a part-paid order whose channel says failed waits for its expiry, and ends there as unpaid', () => {
  const waiting = onTheWay('TH').whenReported(half).whenReported(failed);
  expect(waiting.order).toMatchObject({ status: 'partial_paid', nextAction: 'poll' });
  const expired = (waiting.order.expiresAt ?? 0) + 1;
  expect(inWords(waiting.whenReported(failed, 'expiry', expired), expired)).toEqual([
    'timeout, nothing to do',
    'channel:fake > suspense 50.00',
    'case parts_of_unpaid 50.00',
    'notify timeout',
  ]);
});

test('a payment reported three times, and an older "pending" after it, is credited once', () => {
  const { events, order } = onTheWay('IN').whenReportedEach([full, full, full, pending]);
  expect(all(events, 'entry')).toHaveLength(1);
  expect(all(events, 'notification')).toHaveLength(1);
  expect(all(events, 'transition').map((t) => `${t.from}>${t.to}`)).toEqual(['processing>completed']);
  expect(order).toMatchObject({ status: 'completed', nextAction: null, nextActionAt: null });
});

test('a wrong amount stays in suspense, and the right amount after it completes the order', () => {
  const wrong: ChannelAnswer = { outcome: 'paid', payments: [payment('P1', '99.00')] };
  const right: ChannelAnswer = { outcome: 'paid', payments: [payment('P1', '99.00'), payment('P2', '100.00')] };
  expect(inWords(onTheWay('PK').whenReportedEach([wrong, right]))).toEqual([
    'completed, nothing to do',
    'channel:fake > suspense 99.00',
    'channel:fake > available 97.50',
    'channel:fake > fee_revenue 2.50',
    'PAYIN 97.50 -> 97.50',
    'case wrong_amount 99.00',
    'notify completed',
  ]);
});

test('an order without a fee books no fee', () => {
  const free = given(aWallet('CN'), anOrder('CN', { feeAmount: '0.00', netAmount: '100.00' }));
  expect(inWords(free.whenReported(full))).toEqual([
    'completed, nothing to do',
    'channel:fake > available 100.00',
    'PAYIN 100.00 -> 100.00',
    'notify completed',
  ]);
});

test('without a notification address there is no notification', () => {
  const silent = given(aWallet('CN'), anOrder('CN', { notifyUrl: null }));
  expect(inWords(silent.whenReported(full))).not.toContain('notify completed');
});

test('an open order is polled after 5, 10, 15, 30, 60, 120 s …, and for the last time at its expiry', () => {
  const created = anOrder('IN', { channelRef: null, nextAction: 'submit', nextActionAt: noon });
  let open = given(aWallet('IN'), created).whenReported(pending, 'create', noon);
  const waits: string[] = [];
  let since = noon;
  while (open.order.nextAction === 'poll' && waits.length < 100) {
    waits.push(`${((open.order.nextActionAt ?? 0) - since) / 1000}`);
    const { claimed, now } = claim(open);
    expect(claimed.order).toMatchObject({ nextActionAt: now + 25_000 });
    open = claimed.whenReported(waits.length % 2 === 0 ? pending : noAnswer, 'query', now);
    since = now;
  }
  expect(waits.slice(0, 8)).toEqual(['5', '10', '15', '30', '60', '120', '120', '120']);
  const { expiresAt } = open.order;
  expect(open.order).toMatchObject({ nextAction: 'expire', nextActionAt: expiresAt, status: 'processing' });
  for (const wait of [10, 30, 60, 300, 900, 900]) {
    const { claimed, now } = claim(open);
    open = claimed.whenReported(noAnswer, 'expiry', now);
    expect(open.order).toMatchObject({ status: 'processing', nextAction: 'expire', nextActionAt: now + wait * 1000 });
  }
});

test('an order whose create had no answer is polled for a day, or until its channel has not known it six times', () => {
  const created = anOrder('PK', { status: 'created', channelRef: null, nextAction: 'submit' });
  const unanswered = given(aWallet('PK'), created).whenReported(noAnswer, 'create');
  let denied = unanswered;
  let polls = 0;
  for (; denied.order.nextAction === 'poll' && polls < 100; polls++) {
    const { claimed, now } = claim(denied);
    denied = claimed.whenReported(notFound, 'query', now);
  }
  expect([polls, denied.order]).toMatchObject([6, { status: 'failed', nextAction: null }]);
  let silent = unanswered;
  const waits: number[] = [];
  let before = noon;
  for (polls = 0; silent.order.nextAction === 'poll' && polls < 100; polls++) {
    const { claimed, now } = claim(silent);
    waits.push((now - before) / 1000);
    before = now;
    silent = claimed.whenReported(noAnswer, 'query', now);
  }
  expect(waits.slice(0, 9)).toEqual([10, 30, 60, 120, 300, 600, 1800, 3600, 3600]);
  expect(before - noon).toBeGreaterThan(23.9 * 3_600_000);
  expect(before - noon).toBeLessThan(25 * 3_600_000);
  expect(silent.order).toMatchObject({ status: 'failed', nextAction: null });
  const { claimed, now } = claim(unanswered);
  expect(inWords(claimed.whenReported(full, 'query', now)).slice(0, 3)).toEqual([
    'failed, nothing to do',
    'channel:fake > suspense 100.00',
    'case late 100.00',
  ]);
});

test('a worker submits a new order after a callback, unless the callback shows that the channel has the order', () => {
  const order = anOrder('CN', { status: 'created', channelRef: null, nextAction: 'submit', nextActionAt: noon });
  const created = given(aWallet('CN'), order);
  const unknown = { status: 'created', nextAction: 'submit', nextActionAt: noon };
  expect(created.whenReported(noAnswer).order).toMatchObject(unknown);
  const facts = { status: 'processing', nextAction: 'poll', channelRef: 'R' };
  expect(created.whenReported(pending).order).toMatchObject(facts);
});

test.each([
  ['CN', 'created', 'created'],
  ['TH', 'created', 'created'],
  ['PK', 'created', 'created'],
  ['IN', 'processing', 'created begun'],
] as const)('a new %s order is %s', (country, status, history) => {
  const command = { type: 'createPayin', order: aNewOrder(country), submitAfter: 0, expiresIn: 1_800_000 } as const;
  const created = given(aWallet(country)).when(command, at(noon, 0.5));
  expect(created.order).toMatchObject({ status, nextAction: 'submit', nextActionAt: noon, expiresAt: noon + 900_000 });
  const transitions = all(created.events, 'transition');
  expect(transitions.map((t) => t.trigger).join(' ')).toBe(history);
  expect(transitions.map((t) => t.seq)).toEqual(history.split(' ').map((_, i) => i + 1));
});
