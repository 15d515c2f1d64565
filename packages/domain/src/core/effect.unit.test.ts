import { expect, test } from 'vitest';
import { type Given, given } from '../testing/given.ts';
import { anApproval, anOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';
import { decide } from './decide.ts';
import { effectOf, effectText } from './effect.ts';
import type { Decision } from './operator.ts';
import type { ResolvePayout } from './operator-commands.ts';

// A payout over 100.00 with a fee of 2.50, of which its channel may report a part as paid.

const payout = (): Given =>
  given(aWallet('IN', { available: '897.50', frozen: '102.50' }), anOrder('IN', {}, 'payout'));
const part: ChannelAnswer = { outcome: 'part_paid', payments: [{ reference: 'P1', amount: '60.00' }] };
const failed: ChannelAnswer = { outcome: 'failed', reason: 'no' };
const back: ChannelAnswer = {
  outcome: 'returned',
  payments: [{ reference: 'P1', amount: '60.00' }],
  returned: { reference: 'R1', amount: '60.00' },
  reason: 'account closed',
};
const both = { actor: 'ann', approver: 'bob', reason: 'a test' };

function resolveAs(outcome: ResolvePayout['outcome'], by: Decision = both): ResolvePayout {
  const { merchantId, orderNo } = anOrder('IN', {}, 'payout');
  return { type: 'resolvePayout', ref: { merchantId, orderNo }, outcome, evidence: 'a bank statement', by };
}

/** What the command would do, in words. */
function effect(before: Given, command: ResolvePayout): string[] {
  const decided = decide(before.state, command, at(noon));
  if (typeof decided === 'string') throw new Error(decided);
  return [...effectOf(decided)];
}

const released = [
  'order PO000000001 becomes failed',
  'IN-1 is notified: order PO000000001 is failed',
  'wallet of IN-1: available +102.50, frozen -102.50 (PAYOUT_RELEASE)',
  '102.50 INR from frozen to available (IN-1)',
];

test('the effect of a decision is what it does to orders, wallets, accounts and notifications', () => {
  expect(effect(payout(), resolveAs('failed'))).toEqual(released);
  expect(effect(payout(), resolveAs('paid'))).toEqual([
    'order PO000000001 becomes completed',
    'IN-1 is notified: order PO000000001 is completed',
    'wallet of IN-1: frozen -102.50 (PAYOUT)',
    '100.00 INR from frozen to channel:fake (IN-1)',
    '2.50 INR from frozen to fee_revenue (IN-1)',
  ]);
});

test('an effect has no balances, numbers or times, so other traffic of the wallet does not change it', () => {
  const later = given(
    aWallet('IN', { available: '5.00', frozen: '500.00', lastEntryNo: 7, lastTransferNo: 9 }),
    anOrder('IN', {}, 'payout'),
  );
  expect(effect(later, resolveAs('failed'))).toEqual(released);
});

test('a channel that fails a payout of which a part has left releases nothing, and opens a case', () => {
  const after = payout().whenReported(part).whenReported(failed);
  expect(after.order).toMatchObject({
    status: 'processing',
    contradiction: 'no, although 60.00 of 100.00 has left',
    nextAction: 'poll',
  });
  expect(after.state.wallet).toMatchObject({ available: '897.50', frozen: '102.50' });
  expect(after.whenReported({ outcome: 'timed_out', reason: 'late' }).order.status).toBe('processing');
});

test('once the part came back, the channel can fail the payout', () => {
  const after = payout().whenReported(part).whenReported(back).whenReported(failed);
  expect(after.order.status).toBe('failed');
  expect(after.state.wallet).toMatchObject({ available: '1000.00', frozen: '0.00' });
});

test('a payout of which a part has left cannot be cancelled', () => {
  const { ref } = resolveAs('failed');
  const cancel = { type: 'cancelOrder', ref, confirmedBy: 'channel', by: { ...both, approver: null } } as const;
  payout().whenReported(part).when(cancel).gives('money_left');
});

test('two operators who release a payout of which a part has left see what the platform bears', () => {
  expect(effect(payout().whenReported(part), resolveAs('failed'))).toEqual([
    ...released,
    '60.00 has left for order PO000000001 already: the platform bears it',
  ]);
});

test('an approval whose effect is another one by now is refused', () => {
  const approved = { ...both, approvalId: 'A-1' };
  const agreed = decide(payout().state, resolveAs('failed'), at(noon));
  if (typeof agreed === 'string') throw new Error(agreed);
  const approval = anApproval({ merchantId: 'IN-1', effect: effectText(effectOf(agreed)) });
  const refusal = (before: Given, changes: object = {}): unknown => {
    const decided = decide(
      { ...before.state, approval: { ...approval, ...changes } },
      resolveAs('failed', approved),
      at(noon),
    );
    return typeof decided === 'string' ? decided : 'accepted';
  };
  expect(refusal(payout())).toBe('accepted');
  expect(refusal(payout().whenReported(part))).toBe('effect_changed');
  // Requested before effects were kept.
  expect(refusal(payout().whenReported(part), { effect: null })).toBe('accepted');
});
