import { expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { aNewOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';

// The schedule of an open payout: submitted at once, then polled without an end (decisions 5.4).

const noAnswer: ChannelAnswer = { outcome: 'unknown', why: 'no_answer', detail: '' };
const notFound: ChannelAnswer = { outcome: 'unknown', why: 'not_found', detail: '' };
const pending: ChannelAnswer = { outcome: 'accepted' };

function created(): Given {
  return given(aWallet('IN', { available: '1000.00' })).when({
    type: 'createPayout',
    order: aNewOrder('IN', 'payout'),
  });
}

interface Answers {
  submit: ChannelAnswer;
  poll: ChannelAnswer;
}

/** Lets the worker do what is next, when it is due; `answers` says what the channel says to it. Tells what it did, and when. */
function work(before: Given, answers: Answers): { after: Given; action: string; now: number } {
  const { nextAction: action, nextActionAt: now, merchantId, orderNo } = before.order;
  if (action === null || now === null || action === 'expire') throw new Error('nothing to do');
  const claim = { type: 'claimWork', ref: { merchantId, orderNo }, action, lease: 25_000 } as const;
  const claimed = before.when(claim, at(now));
  expect(claimed.refusal).toBeNull();
  claimed.when(claim, at(now)).gives('not_due');
  return { after: claimed.whenReported(answers[action], action === 'submit' ? 'create' : 'query', now), action, now };
}

function days(first: Given, answers: Answers, steps: number): { last: Given; done: string[] } {
  let last = first;
  let since = noon;
  const done = Array.from({ length: steps }, () => {
    const { after, action, now } = work(last, answers);
    const waited = (now - since) / 1000;
    last = after;
    since = now;
    return `${action} after ${waited}`;
  });
  return { last, done };
}

const waits = [10, 30, 60, 120, 300, 600, 1800, 3600];

test.each([
  ['never answers', noAnswer],
  ['always says that it is pending', pending],
])('a channel that %s is polled after 10 s, 30 s, 1, 2, 5, 10, 30 min, then hourly without end', (_, answer) => {
  const { last, done } = days(created(), { submit: answer, poll: answer }, 60);
  const polls = Array.from({ length: 59 }, (_, i) => `poll after ${waits[i] ?? 3600}`);
  expect(done).toEqual(['submit after 0', ...polls]);
  expect(last.state.wallet).toMatchObject({ available: '897.50', frozen: '102.50' });
  expect(all(last.events, 'entry')).toHaveLength(1);
});

test('a payout that its channel does not know is sent again at once, and polled after longer and longer waits', () => {
  const { last, done } = days(created(), { submit: noAnswer, poll: notFound }, 12);
  expect(done).toEqual([
    'submit after 0',
    'poll after 10',
    'submit after 0',
    'poll after 60',
    'submit after 0',
    'poll after 300',
    'submit after 0',
    'poll after 1800',
    'submit after 0',
    'poll after 3600',
    'submit after 0',
    'poll after 3600',
  ]);
  expect(last.order.channelId).toBe('fake');
});

test('a payout that its channel never knows is not sent in a loop', () => {
  const { done } = days(created(), { submit: notFound, poll: notFound }, 10);
  expect(done).toEqual(['submit after 0', ...waits.map((s) => `submit after ${s}`), 'submit after 3600']);
});

test('every wait is scaled', () => {
  const { merchantId, orderNo } = created().order;
  const ref = { merchantId, orderNo };
  const answered = created()
    .when({ type: 'claimWork', ref, action: 'submit', lease: 25_000 })
    .when({ type: 'applyReport', ref, channelId: 'fake', answer: noAnswer, during: 'create' }, at(noon, 0.01));
  expect(answered.order).toMatchObject({ nextAction: 'poll', nextActionAt: noon + 100 });
});

test('a callback before the first submit counts, and a later callback does not delay the next poll', () => {
  const early = created().whenReported(pending);
  expect(early.order).toMatchObject({ nextAction: 'poll', nextActionAt: noon + 10_000 });
  const later = early.whenReported(pending, 'callback', noon + 9_000);
  expect(later.order).toMatchObject({ nextAction: 'poll', nextActionAt: noon + 10_000 });
});

test('a payout for which money is known to have left is not sent again, although its channel does not know it', () => {
  const first = work(created(), { submit: pending, poll: pending }).after;
  expect(first.whenReported(notFound, 'query').order.nextAction).toBe('submit');
  const partPaid: ChannelAnswer = { outcome: 'part_paid', payments: [{ reference: 'UTR1', amount: '40.00' }] };
  const left = first.whenReported(partPaid, 'query');
  expect(left.whenReported(notFound, 'query').order.nextAction).toBe('poll');
});
