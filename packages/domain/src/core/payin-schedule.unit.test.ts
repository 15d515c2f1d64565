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
  ['no answer: as when it is open', { attempt: 2 }, noAnswer, noon, ['poll', noon + 15 * second, 2]],
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
  ['at the expiry it is asked for the last time', { attempt: 4 }, noAnswer, expiry, ['expire', expiry, 0]],
  [
    'no answer at the expiry: again after 10 s',
    { nextAction: 'expire', attempt: 1 },
    noAnswer,
    expiry,
    ['expire', expiry + 10 * second, 1],
  ],
  ['then after 30 s', { nextAction: 'expire', attempt: 2 }, noAnswer, expiry, ['expire', expiry + 30 * second, 2]],
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
  ['no answer: again after 10 s', {}, noAnswer, noon, ['poll', noon + 10 * second, 0]],
  ['still open there: again', { attempt: 1 }, open, noon, ['poll', noon + 30 * second, 1]],
  ['half of it came late: again', {}, half, noon, ['poll', noon + 10 * second, 0]],
  ['unknown there for the fifth time: again', { attempt: 5 }, notFound, noon, ['poll', noon + 10 * minute, 5]],
  ['unknown there for the sixth time: no more', { attempt: 6 }, notFound, noon, [null, null, 0]],
  ['no answer for the sixth time: again', { attempt: 6 }, noAnswer, noon, ['poll', noon + 30 * minute, 6]],
  ['a millisecond before the day is over: again', {}, noAnswer, day - 1, ['poll', day - 1 + 10 * second, 0]],
  ['after a day: no more', {}, noAnswer, day, [null, null, 0]],
  ['a definite word: no more', {}, failed, noon, [null, null, 0]],
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

test('after an end that the channel reported there is no polling for late money', () => {
  expect(planOf(payin().whenReported(failed, 'query').whenReported(open, 'query'))).toEqual([null, null, 0]);
});
