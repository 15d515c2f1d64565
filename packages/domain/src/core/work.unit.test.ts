import { expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { inFull } from '../testing/in-full.ts';
import { anOrder, aWallet, noon } from '../testing/on-paper.ts';
import type { ClaimWork, Reroute } from './commands.ts';
import type { Order } from './order.ts';

// The worker takes what an order waits for, and passes an order on that its channel refused.

const ref = { merchantId: 'TH-1', orderNo: 'PI000000001' };
const open = { status: 'created', channelRef: null, nextAction: 'submit', updatedAt: noon - 60_000 } as const;
const anOpenOrder = (changes: Partial<Order> = {}): Given =>
  given(aWallet('TH'), anOrder('TH', { ...open, ...changes }));
const claim = (changes: Partial<ClaimWork> = {}): ClaimWork => ({
  type: 'claimWork',
  ref,
  action: 'submit',
  lease: 25_000,
  ...changes,
});
const reroute = (changes: Partial<Reroute> = {}): Reroute => ({
  type: 'reroute',
  ref,
  fromChannelId: 'fake',
  toChannelId: 'next',
  toChannelBankCode: 'B2',
  reason: 'closed',
  ...changes,
});

test('an order that its channel refused goes to the next channel, with a transition that keeps its status', () => {
  const rerouted = anOpenOrder().when(reroute());
  expect(inFull(rerouted)).toEqual(['2 created > created: rerouted by routing (fake refused (closed), next is next)']);
  expect(all(rerouted.events, 'transition')).toMatchObject([{ ...ref, at: noon, batchNo: 1 }]);
  expect(all(rerouted.events, 'notification')).toEqual([]);
  expect(rerouted.order).toEqual({ ...anOpenOrder().order, channelId: 'next', channelBankCode: 'B2', updatedAt: noon });
});

test('a long reason is shortened in the history', () => {
  const { events } = anOpenOrder().when(reroute({ reason: 'x'.repeat(101) }));
  expect(all(events, 'transition')[0]?.detail).toBe(`fake refused (${'x'.repeat(100)}), next is next`);
});

test.each<[string, Partial<Order>]>([
  ['is at another channel already', { channelId: 'next' }],
  ['was accepted', { channelRef: 'R' }],
  ['is a payout', { kind: 'payout' }],
  ['has ended', { status: 'failed', nextAction: null, nextActionAt: null }],
])('an order that %s stays at its channel', (_, changes) => {
  anOpenOrder(changes).when(reroute()).gives('not_this_channel');
});

test('due work is claimed for the time of the lease, and the attempt is counted', () => {
  const claimed = anOpenOrder({ attempt: 3, nextActionAt: noon }).when(claim());
  expect(claimed.order).toMatchObject({ nextAction: 'submit', nextActionAt: noon + 25_000, attempt: 4 });
});

test.each<[string, Partial<Order>]>([
  ['is not due for another millisecond', { nextActionAt: noon + 1 }],
  ['waits for another action', { nextAction: 'poll' }],
  ['waits for nothing', { nextAction: null, nextActionAt: null }],
  ['has no time of its next action', { nextActionAt: null }],
])('an order that %s is not claimed', (_, changes) => {
  anOpenOrder(changes).when(claim()).gives('not_due');
});

test('reports about an unknown order, or from another channel, are refused', () => {
  given(aWallet('TH')).when(claim()).gives('order_not_found');
  const report = {
    type: 'applyReport',
    ref,
    channelId: 'next',
    answer: { outcome: 'closed' },
    during: 'query',
  } as const;
  anOpenOrder().when(report).gives('not_this_channel');
});
