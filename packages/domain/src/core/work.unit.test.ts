import { expect, test } from 'vitest';
import { inFull } from '../testing/in-full.ts';
import { aDraft, anOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import type { ClaimWork, Reroute } from './commands.ts';
import { decide } from './decide.ts';
import type { Draft } from './draft.ts';
import type { Order } from './order.ts';

// The worker takes what an order waits for, and passes an order on that its channel refused.

const ref = { merchantId: 'TH-1', orderNo: 'PI000000001' };
const open = { status: 'created', channelRef: null, nextAction: 'submit', updatedAt: noon - 60_000 } as const;
const given = (changes: Partial<Order> = {}): Draft => aDraft(aWallet('TH'), anOrder('TH', { ...open, ...changes }));
const claim = (changes: Partial<ClaimWork> = {}): ClaimWork => ({
  ...{ type: 'claimWork', ref, action: 'submit', lease: 25_000 },
  ...changes,
});
const reroute = (changes: Partial<Reroute> = {}): Reroute => ({
  ...{ type: 'reroute', ref, fromChannelId: 'fake', toChannelId: 'next', toChannelBankCode: 'B2', reason: 'closed' },
  ...changes,
});

test('an order that its channel refused is passed on to the next, and the transition that says so keeps its status', () => {
  // Given an order that was created, when it is rerouted, then its history says so, and nobody is notified.
  const draft = given();
  expect(decide(draft, reroute(), null, at(noon))).toBeNull();
  expect(inFull(draft)).toEqual(['2 created > created: rerouted by routing (fake refused (closed), next is next)']);
  expect(draft.added.transitions).toMatchObject([{ ...ref, at: noon, batchNo: 1 }]);
  expect(draft.added.notifications).toEqual([]);
  expect(draft.order).toEqual({
    ...given().order,
    ...{ channelId: 'next', channelBankCode: 'B2', updatedAt: noon },
  });
});

test('a long reason is cut in the history', () => {
  const draft = given();
  decide(draft, reroute({ reason: 'x'.repeat(101) }), null, at(noon));
  expect(draft.added.transitions[0]?.detail).toBe(`fake refused (${'x'.repeat(100)}), next is next`);
});

test.each<[string, Partial<Order>]>([
  ['is at another channel already', { channelId: 'next' }],
  ['was accepted', { channelRef: 'R' }],
  ['has ended', { status: 'failed', nextAction: null, nextActionAt: null }],
])('an order that %s stays where it is', (_, changes) => {
  const draft = given(changes);
  const before = JSON.stringify(draft);
  expect(decide(draft, reroute(), null, at(noon))).toBe('not_this_channel');
  expect(JSON.stringify(draft)).toBe(before);
});

test('due work is taken for as long as the lease, and counted', () => {
  const draft = given({ attempt: 3, nextActionAt: noon });
  expect(decide(draft, claim(), null, at(noon))).toBeNull();
  expect(draft.order).toMatchObject({ nextAction: 'submit', nextActionAt: noon + 25_000, attempt: 4 });
});

test.each<[string, Partial<Order>]>([
  ['is not due for another millisecond', { nextActionAt: noon + 1 }],
  ['waits for something else', { nextAction: 'poll' }],
  ['waits for nothing', { nextAction: null, nextActionAt: null }],
  ['has no time', { nextActionAt: null }],
])('an order that %s is not taken', (_, changes) => {
  const draft = given(changes);
  const before = JSON.stringify(draft);
  expect(decide(draft, claim(), null, at(noon))).toBe('not_due');
  expect(JSON.stringify(draft)).toBe(before);
});

test('nothing can be asked of an order that is not there, or for a channel that does not carry it', () => {
  expect(decide(aDraft(aWallet('TH')), claim(), null, at(noon))).toBe('order_not_found');
  const report = {
    type: 'applyReport',
    ref,
    channelId: 'next',
    answer: { outcome: 'closed' },
    during: 'query',
  } as const;
  expect(decide(given(), report, null, at(noon))).toBe('not_this_channel');
});
