import { expect, test } from 'vitest';
import { type Given, given } from '../testing/given.ts';
import { anOrder, aWallet, noon } from '../testing/on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';
import type { Order } from './order.ts';

// When a payin is looked at next (decisions 5.3). The order of these tests was created a minute before noon and expires at 12:29.

const second = 1_000;
const minute = 60 * second;
const expiry = noon + 29 * minute;
const day = noon - minute + 24 * 60 * minute;
const open: ChannelAnswer = { outcome: 'accepted', channelRef: 'ref-1' };
const noAnswer: ChannelAnswer = { outcome: 'unknown', why: 'no_answer', detail: '' };
const notFound: ChannelAnswer = { outcome: 'unknown', why: 'not_found', detail: '' };
const half: ChannelAnswer = { outcome: 'part_paid', payments: [{ reference: 'P1', amount: '50.00' }] };
const failed: ChannelAnswer = { outcome: 'failed', reason: 'no' };

const payin = (changes: Partial<Order> = {}): Given => given(aWallet('TH'), anOrder('TH', changes));
const planOf = ({ order }: Given) => [order.nextAction, order.nextActionAt, order.attempt];

test.each<[string, Partial<Order>, ChannelAnswer, number, unknown[]]>([
  ['the first poll after 5 s', { attempt: 0 }, open, noon, ['poll', noon + 5 * second, 0]],
  ['the second after 10 s', { attempt: 1 }, open, noon, ['poll', noon + 10 * second, 1]],
  ['the last wait repeats', { attempt: 90 }, open, noon, ['poll', noon + 120 * second, 90]],
  ['no answer: the next poll is as for an open order', { attempt: 2 }, noAnswer, noon, ['poll', noon + 15 * second, 2]],
  [
    'an order that was not polled yet begins again',
    { nextAction: 'expire', attempt: 3 },
    open,
    noon,
    ['poll', noon + 5 * second, 0],
  ],
  [
    'a poll before the expiry, by a millisecond',
    { attempt: 0 },
    open,
    expiry - 5 * second - 1,
    ['poll', expiry - 1, 0],
  ],
  ['a poll at the expiry is the expiry', { attempt: 0 }, open, expiry - 5 * second, ['expire', expiry, 0]],
  ['a manual payin is never polled', { mode: 'manual', attempt: 0 }, open, noon, ['expire', expiry, 0]],
  ['at the expiry the channel is queried for the last time', { attempt: 4 }, noAnswer, expiry, ['expire', expiry, 0]],
  [
    'no answer at the expiry: the query is repeated after 10 s',
    { nextAction: 'expire', attempt: 1 },
    noAnswer,
    expiry,
    ['expire', expiry + 10 * second, 1],
  ],
  [
    'no second answer at the expiry: the query is repeated after 30 s',
    { nextAction: 'expire', attempt: 2 },
    noAnswer,
    expiry,
    ['expire', expiry + 30 * second, 2],
  ],
  [
    'not submitted yet: still to be submitted',
    { nextAction: 'submit', channelRef: null },
    noAnswer,
    noon,
    ['submit', noon, 0],
  ],
])('%s', (_, changes, answer, now, expected) => {
  expect(planOf(payin(changes).whenReported(answer, 'query', now))).toEqual(expected);
});

/** Ended without the channel's own word: not paid in time, and polled for a day. */
const ended = (changes: Partial<Order> = {}): Given =>
  payin({ status: 'timeout', completedAt: noon, nextAction: 'poll', nextActionAt: noon, attempt: 0, ...changes });

test.each<[string, Partial<Order>, ChannelAnswer, number, unknown[]]>([
  ['no answer: again polled after 10 s', {}, noAnswer, noon, ['poll', noon + 10 * second, 0]],
  ['still open at the channel: polled again', { attempt: 1 }, open, noon, ['poll', noon + 30 * second, 1]],
  ['half of the amount came late: polled again', {}, half, noon, ['poll', noon + 10 * second, 0]],
  [
    'unknown to the channel for the fifth time: polled again',
    { attempt: 5 },
    notFound,
    noon,
    ['poll', noon + 10 * minute, 5],
  ],
  ['unknown to the channel for the sixth time: not polled again', { attempt: 6 }, notFound, noon, [null, null, 0]],
  ['no answer for the sixth time: polled again', { attempt: 6 }, noAnswer, noon, ['poll', noon + 30 * minute, 6]],
  ['a millisecond before the day is over: polled again', {}, noAnswer, day - 1, ['poll', day - 1 + 10 * second, 0]],
  ['after a day: not polled again', {}, noAnswer, day, [null, null, 0]],
  ['a definite answer: not polled again', {}, failed, noon, [null, null, 0]],
])('after a timeout: %s', (_, changes, answer, now, expected) => {
  expect(planOf(ended(changes).whenReported(answer, 'query', now))).toEqual(expected);
});

test('after a timeout a callback does not end the polling for late money', () => {
  expect(planOf(ended({ attempt: 3 }).whenReported(failed, 'callback'))).toEqual(['poll', noon, 3]);
  expect(planOf(ended({ attempt: 3, nextAction: null, nextActionAt: null }).whenReported(open, 'callback'))).toEqual([
    null,
    null,
    3,
  ]);
});

test('an order whose end the channel reported is not polled for late money', () => {
  expect(planOf(payin().whenReported(failed, 'query').whenReported(open, 'query'))).toEqual([null, null, 0]);
});
