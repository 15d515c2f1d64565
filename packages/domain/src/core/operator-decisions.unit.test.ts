import { expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { inWords } from '../testing/in-words.ts';
import { anOrder, aWallet, noon } from '../testing/on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';
import type { Command } from './commands.ts';
import type { CancelOrder, ConfirmFunds, ResolvePayout } from './operator-commands.ts';
import type { Order, OrderKind } from './order.ts';

// What operators may decide about an order, and what they may not.

type Decide = (order: Order) => Command;
const by = { actor: 'ann', approver: null, reason: 'the customer asked' };
const both = { ...by, approver: 'bob' };
const ref = ({ merchantId, orderNo }: Order): CancelOrder['ref'] => ({ merchantId, orderNo });

function givenOrder(country: 'IN' | 'PK' | 'TH' | 'CN', kind: OrderKind, changes: Partial<Order>): Given {
  const wallet = kind === 'payout' ? { available: '897.50', frozen: '102.50' } : {};
  return given(aWallet(country, wallet), anOrder(country, changes, kind));
}

const ask = (before: Given, command: Decide): Given => before.when(command(before.order));
/** Why the decision was refused, or what the order is after it. */
const answerOf = ({ refusal, order }: Given): string => refusal ?? order.status;

const cancel = (confirmedBy: CancelOrder['confirmedBy']): Decide => {
  return (order) => ({ type: 'cancelOrder', ref: ref(order), confirmedBy, by });
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
])('%s: cancelling a %s %s', (_, country, kind, changes, alone, confirmed) => {
  for (const [confirmedBy, expected] of [['nothing_sent', alone], ['channel', confirmed]] as const) {
    const decided = ask(givenOrder(country, kind, changes), cancel(confirmedBy));
    expect(answerOf(decided)).toBe(expected);
    const cancelled = expected === 'cancelled';
    expect(all(decided.events, 'record')).toHaveLength(cancelled ? 1 : 0);
    expect(all(decided.events, 'entry').map((e) => `${e.type} ${e.frozenChange}`)).toEqual(cancelled && kind === 'payout' ? ['PAYOUT_RELEASE -102.50'] : []);
    if (cancelled) expect(all(decided.events, 'transition').at(-1)).toMatchObject({ to: 'cancelled', actor: 'operator:ann', detail: by.reason });
  }
});

const confirm = (amount: string, reference = 'F-1'): Decide => {
  return (order): ConfirmFunds => ({ type: 'confirmFunds', ref: ref(order), amount, reference, by });
};
const manual = { mode: 'manual', status: 'created', channelRef: null, nextAction: null, nextActionAt: null } as const;
const credited = ['channel:fake > available 97.50', 'channel:fake > fee_revenue 2.50', 'PAYIN 97.50 -> 97.50'];
const inTwo = [
  'channel:fake > suspense 40.00',
  'channel:fake > suspense 60.00',
  'suspense > available 97.50',
  'suspense > fee_revenue 2.50',
  'PAYIN 97.50 -> 97.50',
];

// biome-ignore format: a table is read by its columns
test.each<[string, 'TH' | 'CN' | 'PK', Partial<Order>, Decide[], string[], string[]]>([
  ['the whole amount', 'TH', manual, [confirm('100.00')], ['completed'], credited],
  ['the whole amount', 'CN', manual, [confirm('100.00')], ['completed'], credited],
  ['a part', 'TH', manual, [confirm('40.00')], ['partial_paid'], ['channel:fake > suspense 40.00']],
  ['a part and the rest', 'TH', manual, [confirm('40.00'), confirm('60.00', 'F-2')], ['partial_paid', 'completed'], inTwo],
  ['a part twice', 'TH', manual, [confirm('40.00'), confirm('40.00'), confirm('60.00', 'F-2')], ['partial_paid', 'partial_paid', 'completed'], inTwo],
  ['a large part twice', 'TH', manual, [confirm('60.00'), confirm('60.00')], ['partial_paid', 'partial_paid'], ['channel:fake > suspense 60.00']],
  ['more than is due', 'TH', manual, [confirm('100.01')], ['completed'], [...credited.slice(0, 2), 'channel:fake > suspense 0.01', 'PAYIN 97.50 -> 97.50', 'case wrong_amount 0.01']],
  ['more than is due, twice', 'CN', manual, [confirm('100.01'), confirm('100.01')], ['completed', 'completed'], [...credited.slice(0, 2), 'channel:fake > suspense 0.01', 'PAYIN 97.50 -> 97.50', 'case wrong_amount 0.01']],
  ['more than is left', 'TH', manual, [confirm('40.00'), confirm('60.01', 'F-2')], ['partial_paid', 'completed'], [...inTwo.slice(0, 4), 'channel:fake > suspense 0.01', ...inTwo.slice(4), 'case wrong_amount 0.01']],
  ['a part in a country without part payments', 'PK', manual, [confirm('40.00')], ['created'], ['channel:fake > suspense 40.00', 'case wrong_amount 40.00']],
  ['the whole amount twice', 'TH', manual, [confirm('100.00'), confirm('100.00')], ['completed', 'completed'], credited],
  ['a further amount after the whole amount', 'TH', manual, [confirm('100.00'), confirm('1.00', 'F-2')], ['completed', 'completed'], [...credited.slice(0, 2), 'channel:fake > suspense 1.00', ...credited.slice(2), 'case double 1.00']],
  ['the whole amount of an order that has failed', 'TH', { ...manual, status: 'failed' }, [confirm('100.00')], ['failed'], ['channel:fake > suspense 100.00', 'case late 100.00']],
  ['a part after the time ran out', 'TH', { ...manual, status: 'timeout' }, [confirm('40.00')], ['timeout'], ['channel:fake > suspense 40.00', 'case late 40.00']],
  ["the funds of a channel's order", 'TH', {}, [confirm('100.00')], ['operation_not_available'], []],
])('confirming %s (%s payin)', (_, country, changes, decisions, answers, ledger) => {
  let decided = givenOrder(country, 'payin', changes);
  const results = decisions.map((one) => {
    decided = ask(decided, one);
    return answerOf(decided);
  });
  expect(results).toEqual(answers);
  expect(inWords(decided).filter((line) => / > |^PAYIN|^case/.test(line))).toEqual(ledger);
});

test('a payout has no funds to confirm', () => {
  ask(givenOrder('PK', 'payout', {}), confirm('100.00')).gives('operation_not_available');
});

const resolve = (outcome: ResolvePayout['outcome'], decision: ResolvePayout['by'] = both): Decide => {
  return (order) => ({ type: 'resolvePayout', ref: ref(order), outcome, evidence: 'bank statement', by: decision });
};

// biome-ignore format: a table is read by its columns
test.each<[string, Partial<Order>, string, string]>([
  ['claimed to be sent', { ...submitting, commandId: 'claim', nextActionAt: noon + 1 }, 'not_due', 'completed'],
  ['claimed by a worker that died', { ...submitting, commandId: 'claim' }, 'failed', 'completed'],
  ['answered, and sent again later', { ...submitting, nextActionAt: noon + 60_000 }, 'failed', 'completed'],
  ['being queried', { nextAction: 'poll', commandId: 'claim', nextActionAt: noon + 1 }, 'failed', 'completed'],
])('a payout that is %s', (_, changes, failed, paid) => {
  const open = givenOrder('IN', 'payout', changes);
  expect([answerOf(ask(open, resolve('failed'))), answerOf(ask(open, resolve('paid')))]).toEqual([failed, paid]);
  ask(open, resolve('failed', by)).gives('second_operator_needed');
});

test.each<[string, Decide, string, string[]]>([
  ['one operator', resolve('paid', by), 'second_operator_needed', []],
  ['the same one twice', resolve('failed', { ...by, approver: 'ann' }), 'second_operator_needed', []],
  ['paid', resolve('paid'), 'completed', ['PAYOUT -102.50']],
  ['failed', resolve('failed'), 'failed', ['PAYOUT_RELEASE -102.50']],
])('a stuck payout that is resolved (%s) ends with: %s', (_, decision, expected, entries) => {
  for (const status of ['created', 'processing'] as const) {
    const resolved = ask(givenOrder('PK', 'payout', { status }), decision);
    expect(answerOf(resolved)).toBe(expected);
    expect(all(resolved.events, 'entry').map((e) => `${e.type} ${e.frozenChange}`)).toEqual(entries);
    if (entries.length === 0) continue;
    const actor = 'operator:ann+bob';
    const detail = `${by.reason}; evidence: bank statement`;
    expect(all(resolved.events, 'transition').at(-1)).toMatchObject({ actor, detail });
    ask(resolved, resolve('paid')).gives('transition_impossible');
    ask(resolved, resolve('failed')).gives('transition_impossible');
    const record = { actor: 'ann', approver: 'bob', action: 'resolvePayout', auditNo: 1 };
    expect(all(resolved.events, 'record')).toMatchObject([record]);
  }
});

test('after a resolution as paid, the first payment of the channel counts as the one that operators saw, and a further payment opens a case', () => {
  const payments = [{ reference: 'P1', amount: '100.00' }];
  const answer: ChannelAnswer = { outcome: 'paid', payments };
  const resolved = ask(givenOrder('IN', 'payout', {}), resolve('paid')).whenReportedEach([answer, answer]);
  expect(all(resolved.events, 'opened')).toEqual([]);
  expect(all(resolved.events, 'transfer')).toHaveLength(2);
  const more = resolved.whenReported({
    outcome: 'paid',
    payments: [...payments, { reference: 'P2', amount: '100.00' }],
  });
  expect(all(more.events, 'opened')).toMatchObject([{ kind: 'payout_paid_again', reference: 'P2' }]);
});

test('after a resolution as failed, a report of paid leaves the wallet unchanged, and the platform bears the payment', () => {
  const failed = ask(givenOrder('IN', 'payout', {}), resolve('failed'));
  const paid = failed.whenReported({ outcome: 'paid', payments: [{ reference: 'P1', amount: '100.00' }] });
  expect(paid.state.wallet).toMatchObject({ available: '1000.00', frozen: '0.00' });
  expect(all(paid.events, 'opened')).toMatchObject([{ kind: 'payout_paid_again', amount: '100.00' }]);
});

test('a payin cannot be resolved', () => {
  ask(givenOrder('IN', 'payin', {}), resolve('paid')).gives('operation_not_available');
});

test('repeated funds with the same reference, in any spelling, move nothing; another amount is refused', () => {
  const once = ask(givenOrder('TH', 'payin', manual), confirm('40.00', 'F-1'));
  for (const reference of ['F-1', 'f1', 'F 1'])
    expect(all(ask(once, confirm('40.00', reference)).events, 'payment')).toHaveLength(1);
  ask(once, confirm('40.01', 'F-1')).gives('booking_no_taken');
  // An exact reference wins over one that is equal only after normalisation.
  const known = { merchantId: 'TH-1', orderNo: once.order.orderNo, channelId: 'fake', use: 'part' } as const;
  const payments = ['f1', 'F-1'].map((reference, i) => ({
    ...known,
    seq: i + 1,
    direction: 'in' as const,
    reference,
    amount: `${i + 1}0.00`,
    line: null,
    receivedAt: noon,
    batchNo: 1,
  }));
  const both = given(aWallet('TH'), anOrder('TH', { ...manual, status: 'partial_paid', paidAmount: '30.00' }), {
    payments,
  });
  expect(ask(both, confirm('20.00', 'F-1')).refusal).toBeNull();
  ask(both, confirm('10.00', 'F-1')).gives('booking_no_taken');
});

test('the audit record of a decision names the order, its approval and its command, and at most 500 characters of evidence', () => {
  const recordOf = (command: Command) =>
    all(givenOrder('IN', 'payout', {}).when(command).events, 'record').map(({ detail, commandId }) => [
      JSON.parse(detail),
      commandId,
    ]);
  const { merchantId, orderNo } = anOrder('IN', {}, 'payout');
  const command = resolve('failed')(anOrder('IN', {}, 'payout')) as ResolvePayout;
  const what = { outcome: 'failed', evidence: 'bank statement', ref: { merchantId, orderNo } };
  expect(recordOf(command)).toEqual([[what, null]]);
  expect(recordOf({ ...command, id: 'id-1' })).toEqual([[what, 'id-1']]);
  const long = givenOrder('IN', 'payout', {}).when({ ...command, evidence: 'x'.repeat(600) });
  expect(all(long.events, 'transition').at(-1)?.detail).toHaveLength(500);
});
