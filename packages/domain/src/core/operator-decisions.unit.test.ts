import { expect, test } from 'vitest';
import { aDraft, anOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import { inWords, tell } from '../testing/tell.ts';
import type { Command } from './commands.ts';
import { decide } from './decide.ts';
import type { Draft } from './draft.ts';
import type { CancelOrder, ConfirmFunds, ResolvePayout } from './operator-commands.ts';
import type { Order, OrderKind } from './order.ts';

// What operators may decide about an order, and what they may not.

type Decide = (draft: Draft, order: Order) => Command;
const by = { actor: 'ann', approver: null, reason: 'the customer asked' };
const both = { ...by, approver: 'bob' };
const ref = ({ merchantId, orderNo }: Order): CancelOrder['ref'] => ({ merchantId, orderNo });

function draftOf(country: 'IN' | 'PK' | 'TH' | 'CN', kind: OrderKind, changes: Partial<Order>): Draft {
  const wallet = kind === 'payout' ? { available: '897.50', frozen: '102.50' } : {};
  return aDraft(aWallet(country, wallet), anOrder(country, changes, kind));
}

/** Decides; a refusal has changed nothing. */
function ask(draft: Draft, command: Decide): string {
  if (!draft.order) throw new Error('no order');
  const before = JSON.stringify(draft);
  const refusal = decide(draft, command(draft, draft.order), null, at(noon));
  if (refusal !== null) expect(JSON.stringify(draft)).toBe(before);
  return refusal ?? draft.order.status;
}

const cancel = (confirmedBy: CancelOrder['confirmedBy']): Decide => {
  return (_, order) => ({ type: 'cancelOrder', ref: ref(order), confirmedBy, by });
};
const unsent = { status: 'created', nextAction: 'submit', nextActionAt: noon, attempt: 0, channelRef: null } as const;
const submitting = { ...unsent, attempt: 1 };

// biome-ignore format: a table is read by its columns
test.each<[string, 'IN' | 'PK' | 'TH', OrderKind, Partial<Order>, string, string]>([
  ['not sent yet', 'PK', 'payout', unsent, 'cancelled', 'cancelled'],
  ['not sent yet', 'IN', 'payout', { ...unsent, status: 'processing' }, 'cancelled', 'cancelled'],
  ['being sent', 'PK', 'payout', submitting, 'already_sent', 'cancelled'],
  ['sent', 'IN', 'payout', {}, 'already_sent', 'cancelled'],
  ['on the market', 'PK', 'payout', { mode: 'market', status: 'market_available', nextAction: null, nextActionAt: null }, 'cancelled', 'cancelled'],
  ['claimed', 'PK', 'payout', { mode: 'market', status: 'processing', nextAction: 'expire', task: { claimedBy: 'x', proof: null } }, 'task_claimed', 'task_claimed'],
  ['completed', 'IN', 'payout', { status: 'completed', nextAction: null, nextActionAt: null }, 'transition_impossible', 'transition_impossible'],
  ['failed', 'PK', 'payout', { status: 'failed', nextAction: null, nextActionAt: null }, 'transition_impossible', 'transition_impossible'],
  ['cancelled', 'PK', 'payout', { status: 'cancelled', nextAction: null, nextActionAt: null }, 'transition_impossible', 'transition_impossible'],
  ['not sent yet', 'IN', 'payin', unsent, 'cancelled', 'cancelled'],
  ['sent', 'TH', 'payin', {}, 'already_sent', 'cancelled'],
  ['waiting for an operator', 'TH', 'payin', { mode: 'manual', status: 'created' }, 'cancelled', 'cancelled'],
  ['paid in part at its channel', 'TH', 'payin', { status: 'partial_paid', paidAmount: '40.00' }, 'transition_impossible', 'transition_impossible'],
  ['paid in part', 'TH', 'payin', { mode: 'manual', status: 'partial_paid', paidAmount: '40.00' }, 'transition_impossible', 'transition_impossible'],
  ['completed', 'TH', 'payin', { status: 'completed', nextAction: null, nextActionAt: null }, 'transition_impossible', 'transition_impossible'],
])('%s: a cancel of a %s %s %j gives %s, and %s once its channel says closed', (_, country, kind, changes, alone, confirmed) => {
  for (const [confirmedBy, expected] of [['nothing_sent', alone], ['channel', confirmed]] as const) {
    const draft = draftOf(country, kind, changes);
    expect(ask(draft, cancel(confirmedBy))).toBe(expected);
    const cancelled = expected === 'cancelled';
    expect(draft.added.audits).toHaveLength(cancelled ? 1 : 0);
    expect(draft.added.entries.map((e) => `${e.type} ${e.frozenChange}`)).toEqual(cancelled && kind === 'payout' ? ['PAYOUT_RELEASE -102.50'] : []);
    if (cancelled) expect(draft.added.transitions.at(-1)).toMatchObject({ to: 'cancelled', actor: 'operator:ann', detail: by.reason });
  }
});

const confirm = (amount: string, reference = 'F-1'): Decide => {
  return (_, order): ConfirmFunds => ({ type: 'confirmFunds', ref: ref(order), amount, reference, by });
};
const manual = { mode: 'manual', status: 'created', channelRef: null, nextAction: null, nextActionAt: null } as const;
const credited = ['channel:fake > available 97.50', 'channel:fake > fee_revenue 2.50', 'PAYIN 97.50 -> 97.50'];
const inTwo = [
  ...['channel:fake > suspense 40.00', 'channel:fake > suspense 60.00', 'suspense > available 97.50'],
  ...['suspense > fee_revenue 2.50', 'PAYIN 97.50 -> 97.50'],
];

// biome-ignore format: a table is read by its columns
test.each<[string, 'TH' | 'CN' | 'PK', Partial<Order>, Decide[], string[], string[]]>([
  ['the whole', 'TH', manual, [confirm('100.00')], ['completed'], credited],
  ['the whole', 'CN', manual, [confirm('100.00')], ['completed'], credited],
  ['a part', 'TH', manual, [confirm('40.00')], ['partial_paid'], ['channel:fake > suspense 40.00']],
  ['a part and the rest', 'TH', manual, [confirm('40.00'), confirm('60.00', 'F-2')], ['partial_paid', 'completed'], inTwo],
  ['a part twice', 'TH', manual, [confirm('40.00'), confirm('40.00'), confirm('60.00', 'F-2')], ['partial_paid', 'partial_paid', 'completed'], inTwo],
  ['a large part twice', 'TH', manual, [confirm('60.00'), confirm('60.00')], ['partial_paid', 'partial_paid'], ['channel:fake > suspense 60.00']],
  ['more than is due', 'TH', manual, [confirm('100.01')], ['completed'], [...credited.slice(0, 2), 'channel:fake > suspense 0.01', 'PAYIN 97.50 -> 97.50', 'case wrong_amount 0.01']],
  ['more than is due, twice', 'CN', manual, [confirm('100.01'), confirm('100.01')], ['completed', 'completed'], [...credited.slice(0, 2), 'channel:fake > suspense 0.01', 'PAYIN 97.50 -> 97.50', 'case wrong_amount 0.01']],
  ['more than is left', 'TH', manual, [confirm('40.00'), confirm('60.01', 'F-2')], ['partial_paid', 'completed'], [...inTwo.slice(0, 4), 'channel:fake > suspense 0.01', ...inTwo.slice(4), 'case wrong_amount 0.01']],
  ['a part where the country takes none', 'PK', manual, [confirm('40.00')], ['created'], ['channel:fake > suspense 40.00', 'case wrong_amount 40.00']],
  ['the whole twice', 'TH', manual, [confirm('100.00'), confirm('100.00')], ['completed', 'completed'], credited],
  ['something after the whole', 'TH', manual, [confirm('100.00'), confirm('1.00', 'F-2')], ['completed', 'completed'], [...credited.slice(0, 2), 'channel:fake > suspense 1.00', ...credited.slice(2), 'case double 1.00']],
  ['the whole of an order that has failed', 'TH', { ...manual, status: 'failed' }, [confirm('100.00')], ['failed'], ['channel:fake > suspense 100.00', 'case late 100.00']],
  ['a part after the time ran out', 'TH', { ...manual, status: 'timeout' }, [confirm('40.00')], ['timeout'], ['channel:fake > suspense 40.00', 'case late 40.00']],
  ["funds of a channel's order", 'TH', {}, [confirm('100.00')], ['operation_not_available'], []],
])('%s confirmed (%s)', (_, country, changes, decisions, answers, ledger) => {
  const draft = draftOf(country, 'payin', changes);
  expect(decisions.map((one) => ask(draft, one))).toEqual(answers);
  expect(inWords(draft).filter((line) => / > |^PAYIN|^case/.test(line))).toEqual(ledger);
});

test('a payout has no funds to confirm', () => {
  expect(ask(draftOf('PK', 'payout', {}), confirm('100.00'))).toBe('operation_not_available');
});

const resolve = (outcome: ResolvePayout['outcome'], decision: ResolvePayout['by'] = both): Decide => {
  return (_, order) => ({ type: 'resolvePayout', ref: ref(order), outcome, evidence: 'bank statement', by: decision });
};

test.each<[string, Decide, string, string[]]>([
  ['one operator', resolve('paid', by), 'second_operator_needed', []],
  ['the same one twice', resolve('failed', { ...by, approver: 'ann' }), 'second_operator_needed', []],
  ['paid', resolve('paid'), 'completed', ['PAYOUT -102.50']],
  ['failed', resolve('failed'), 'failed', ['PAYOUT_RELEASE -102.50']],
])('a stuck payout resolved (%s): %s', (_, decision, expected, entries) => {
  for (const status of ['created', 'processing'] as const) {
    const draft = draftOf('PK', 'payout', { status });
    expect(ask(draft, decision)).toBe(expected);
    expect(draft.added.entries.map((e) => `${e.type} ${e.frozenChange}`)).toEqual(entries);
    if (entries.length === 0) continue;
    const actor = 'operator:ann+bob';
    expect(draft.added.transitions.at(-1)).toMatchObject({ actor, detail: `${by.reason}; evidence: bank statement` });
    expect(ask(draft, resolve('paid'))).toBe('transition_impossible');
    expect(ask(draft, resolve('failed'))).toBe('transition_impossible');
    expect(draft.added.audits).toMatchObject([{ actor: 'ann', approver: 'bob', action: 'resolvePayout', auditNo: 1 }]);
  }
});

test('resolved as paid, and then the channel says so: that is the payment which the operators saw, and only another one is too much', () => {
  const draft = draftOf('IN', 'payout', {});
  ask(draft, resolve('paid'));
  const payments = [{ reference: 'P1', amount: '100.00' }];
  for (let i = 0; i < 2; i++) tell(draft, { outcome: 'paid', payments });
  expect(draft.added.cases).toEqual([]);
  expect(draft.added.transfers).toHaveLength(2);
  tell(draft, { outcome: 'paid', payments: [...payments, { reference: 'P2', amount: '100.00' }] });
  expect(draft.added.cases).toMatchObject([{ kind: 'payout_paid_again', reference: 'P2' }]);
});

test('resolved as failed, and then the channel says paid: the merchant keeps its money, the platform bears it', () => {
  const draft = draftOf('IN', 'payout', {});
  ask(draft, resolve('failed'));
  tell(draft, { outcome: 'paid', payments: [{ reference: 'P1', amount: '100.00' }] });
  expect(draft.wallet).toMatchObject({ available: '1000.00', frozen: '0.00' });
  expect(draft.added.cases).toMatchObject([{ kind: 'payout_paid_again', amount: '100.00' }]);
});

test('a payin cannot be resolved', () => {
  expect(ask(draftOf('IN', 'payin', {}), resolve('paid'))).toBe('operation_not_available');
});
