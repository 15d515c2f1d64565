import { expect, test } from 'vitest';
import { aDraft, aNewOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import { tell } from '../testing/tell.ts';
import type { ChannelAnswer } from './channel-answer.ts';
import { decide } from './decide.ts';
import type { Draft } from './draft.ts';
import { createPayout } from './payout.ts';

// When an open payout is looked at: submitted at once, then asked about, for ever (decisions 5.4).

const noAnswer: ChannelAnswer = { outcome: 'unknown', why: 'no_answer', detail: '' };
const notFound: ChannelAnswer = { outcome: 'unknown', why: 'not_found', detail: '' };
const pending: ChannelAnswer = { outcome: 'accepted' };

function created(): Draft {
  const draft = aDraft(aWallet('IN', { available: '1000.00' }));
  expect(createPayout(draft, { type: 'createPayout', order: aNewOrder('IN', 'payout') }, at(noon))).toBeNull();
  return draft;
}

/** Lets the worker do what is next, when it is due; `answers` says what the channel says to it. Tells what it did, and how long it had waited. */
function work(draft: Draft, since: number, answers: { submit: ChannelAnswer; poll: ChannelAnswer }): [string, number] {
  const { order } = draft;
  if (!order || order.nextAction === null || order.nextActionAt === null || order.nextAction === 'expire')
    throw new Error('nothing to do');
  const { nextAction: action, nextActionAt: now, merchantId, orderNo } = order;
  const ref = { merchantId, orderNo };
  expect(decide(draft, { type: 'claimWork', ref, action, lease: 25_000 }, null, at(now))).toBeNull();
  expect(decide(draft, { type: 'claimWork', ref, action, lease: 25_000 }, null, at(now))).toBe('not_due');
  tell(draft, answers[action], action === 'submit' ? 'create' : 'query', now);
  return [action, (now - since) / 1000];
}

function day(draft: Draft, answers: { submit: ChannelAnswer; poll: ChannelAnswer }, steps: number): string[] {
  let since = noon;
  return Array.from({ length: steps }, () => {
    const [action, waited] = work(draft, since, answers);
    since += waited * 1000;
    return `${action} after ${waited}`;
  });
}

const waits = [10, 30, 60, 120, 300, 600, 1800, 3600];

test.each([
  ['never answers', noAnswer],
  ['always says that it is pending', pending],
])('a channel that %s is asked after 10 s, 30 s, 1, 2, 5, 10, 30 min, then hourly without end', (_, answer) => {
  const draft = created();
  const steps = day(draft, { submit: answer, poll: answer }, 60);
  const polls = Array.from({ length: 59 }, (_, i) => `poll after ${waits[i] ?? 3600}`);
  expect(steps).toEqual(['submit after 0', ...polls]);
  expect(draft.wallet).toMatchObject({ available: '897.50', frozen: '102.50' });
  expect(draft.added.entries).toHaveLength(1);
});

test('one that does not know the order gets it again at once, and is asked less and less often', () => {
  const draft = created();
  const steps = day(draft, { submit: noAnswer, poll: notFound }, 12);
  expect(steps).toEqual([
    ...['submit after 0', 'poll after 10', 'submit after 0', 'poll after 60', 'submit after 0', 'poll after 300'],
    ...['submit after 0', 'poll after 1800', 'submit after 0', 'poll after 3600', 'submit after 0', 'poll after 3600'],
  ]);
  expect(draft.order?.channelId).toBe('fake');
});

test('one that says so even when the order is sent is not sent it in a loop', () => {
  const steps = day(created(), { submit: notFound, poll: notFound }, 10);
  expect(steps).toEqual(['submit after 0', ...waits.map((s) => `submit after ${s}`), 'submit after 3600']);
});

test('every wait is scaled', () => {
  const draft = created();
  const { order } = draft;
  if (!order) throw new Error('no order');
  const ref = { merchantId: order.merchantId, orderNo: order.orderNo };
  decide(draft, { type: 'claimWork', ref, action: 'submit', lease: 25_000 }, null, at(noon));
  decide(
    draft,
    { type: 'applyReport', ref, channelId: 'fake', answer: noAnswer, during: 'create' },
    null,
    at(noon, 0.01),
  );
  expect(order).toMatchObject({ nextAction: 'poll', nextActionAt: noon + 100 });
});

test('a callback before the first try counts, and one after it does not put off the next question', () => {
  const early = tell(created(), pending);
  expect(early.order).toMatchObject({ nextAction: 'poll', nextActionAt: noon + 10_000 });
  const later = tell(early, pending, 'callback', noon + 9_000);
  expect(later.order).toMatchObject({ nextAction: 'poll', nextActionAt: noon + 10_000 });
});
