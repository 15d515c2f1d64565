import { describe, expect, test } from 'vitest';
import { countries } from '../countries/index.ts';
import { type Given, given } from '../testing/given.ts';
import { anOrder, aWallet, noon } from '../testing/on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';
import type { Country } from './country.ts';
import { Money } from './money.ts';
import type { DecideCase } from './operator-commands.ts';
import { isTerminal } from './order.ts';
import {
  type CaseSum,
  moneyOfOrder,
  outcomeOfPayment,
  type PaymentSum,
  payerSentencesOf,
  reportOrderMoney,
} from './order-money.ts';

// A payin over 100.00, in each country, whatever its payer pays and whatever operators decide. Nothing that the payer or
// an operator is told may be false.

const way = { payLink: 'https://bank.test/', payQr: null, expiresAt: noon + 1_000 };
const open = (country: Country): Given => given(aWallet(country), anOrder(country, way));

/** What the payer sends, in the order in which the channel reports it. */
const paying = {
  nothing: [],
  less: ['40.00'],
  exact: ['100.00'],
  more: ['120.00'],
  twice: ['100.00', '100.00'],
  'in two parts': ['40.00', '60.00'],
  'in two parts that are too much': ['40.00', '70.00'],
} as const;
const when = ['in time', 'late'] as const;
const deciding = ['nothing', 'returned', 'refunding', 'credited', 'to the wallet'] as const;

const partPaid = (amounts: readonly string[]): ChannelAnswer => ({
  outcome: 'part_paid',
  payments: amounts.map((amount, i) => ({ reference: `P${i}`, amount })),
});
const paid = (before: Given, amounts: readonly string[]): Given =>
  amounts.reduce((story, _, i) => story.whenReported(partPaid(amounts.slice(0, i + 1))), before);
const ended = (before: Given): Given => before.whenReported({ outcome: 'timed_out', reason: 'too late' });

function decided(before: Given, decision: (typeof deciding)[number]): Given {
  const cases = before.state.cases.filter(({ state }) => state === 'open');
  const [first] = cases;
  if (!first || decision === 'nothing') return before;
  const { merchantId, orderNo } = before.order;
  const by = { actor: 'ann', approver: 'bob', reason: 'checked' };
  const decide = (story: Given, command: Omit<DecideCase, 'merchantId' | 'orderNo' | 'by'>): Given =>
    story.when({ merchantId, orderNo, by, ...command });
  if (decision === 'returned')
    return cases.reduce((story, { caseNo }) => decide(story, { type: 'returnCase', caseNo }), before);
  if (decision === 'refunding')
    return decide(before, { type: 'returnCase', caseNo: first.caseNo, refundNo: 'RF0000001' });
  if (decision === 'credited') return decide(before, { type: 'creditCase', caseNo: first.caseNo });
  const toWallet = { toMerchantId: merchantId, toWallet: true };
  return cases.reduce((story, { caseNo }) => decide(story, { type: 'creditCase', caseNo, ...toWallet }), before);
}

interface Told {
  country: Country;
  amounts: readonly string[];
  story: Given;
  isOver: boolean;
}

const sum = (country: Country, amounts: readonly string[]): Money => {
  const { currency } = anOrder(country);
  return amounts.reduce((total, amount) => total.plus(Money.of(amount, currency)), Money.zero(currency));
};

/** Everything that must hold of what people are told. Returns the payer's state. */
function check({ country, amounts, story, isOver }: Told): string {
  const { order, state } = story;
  const { money, payer, operator } = reportOrderMoney(order, state.payments, state.cases, isOver ? noon + 2_000 : noon);
  expect(money.asked).toBe('100.00');
  expect(money.arrived).toBe(sum(country, amounts).toString());
  const { counted, held, credited, creditedOtherwise, returned } = money;
  expect(sum(country, [counted, held, credited, creditedOtherwise, returned]).toString()).toBe(money.arrived);
  const isAskedToPay = payer === 'waiting' || payer === 'part_paid' || payer === 'part_paid_no_way';
  const isSentOn = payer === 'expired' || payer === 'failed' || payer === 'cancelled';
  const waits = sum(country, [held, creditedOtherwise]);
  // Money that arrived and is not credited to the order: no word of paying, ordering again or nothing at all.
  if (!waits.isZero()) expect([isAskedToPay, isSentOn, payer === 'late', payer === 'paid']).not.toContain(true);
  if (!waits.isZero()) expect(money.rest).toBe('0.00');
  if (isAskedToPay) expect([isTerminal(order.status), isOver]).toEqual([false, false]);
  if (isSentOn || payer === 'late') expect(money.arrived).toBe('0.00');
  if (payer === 'paid') expect([credited, money.arrived]).toEqual(['100.00', '100.00']);
  if (payer === 'received_less') expect(Number(money.arrived)).toBeLessThan(100);
  if (payer === 'received_all') expect(money.arrived).toBe('100.00');
  if (payer === 'received_more' || payer === 'paid_more') expect(Number(money.arrived)).toBeGreaterThan(100);
  // What the payer reads adds up.
  const sentences = payerSentencesOf(order.currency, money);
  const told = (say: string): string =>
    sentences.flatMap((one) => (one.say === say && 'amount' in one ? [one.amount] : []))[0] ?? '0.00';
  expect(told('arrived')).toBe(money.arrived);
  expect(
    sum(country, [...['held', 'returning', 'returned', 'credited_otherwise'].map(told), credited]).toString(),
  ).toBe(money.arrived);
  expect(sentences.map(({ say }) => say).slice(-2)).toEqual(['do_not_pay', 'ask_merchant']);
  if (held !== '0.00') expect(['decide_cases', 'wait_for_refund']).toContain(operator);
  // The channel says that it timed out after it was paid.
  if (held === '0.00' && isTerminal(order.status)) expect(['none', 'clear_up_contradiction']).toContain(operator);
  return payer ?? '';
}

const everything = countries.flatMap((country) =>
  Object.entries(paying).flatMap(([how, amounts]) =>
    when.flatMap((time) => deciding.map((decision) => ({ country, how, amounts, time, decision }))),
  ),
);

test.each(everything)('$country: $how $time, then $decision', ({ country, amounts, time, decision }) => {
  const late = ended(open(country));
  const before = time === 'late' ? paid(late, amounts) : paid(open(country), amounts);
  for (const story of [before, decided(before, decision)]) {
    check({ country, amounts, story, isOver: time === 'late' });
    check({ country, amounts, story, isOver: true });
    if (time === 'in time') check({ country, amounts, story: decided(ended(story), decision), isOver: true });
  }
});

const stateAfter = (country: Country, amounts: readonly string[], time: 'in time' | 'late'): string => {
  const story = time === 'late' ? paid(ended(open(country)), amounts) : paid(open(country), amounts);
  return check({ country, amounts, story, isOver: time === 'late' });
};

test.each<[Country, keyof typeof paying, (typeof when)[number], string]>([
  ['CN', 'nothing', 'in time', 'waiting'],
  ['CN', 'less', 'in time', 'received_less'],
  ['CN', 'more', 'in time', 'received_more'],
  ['CN', 'in two parts', 'in time', 'received_all'],
  ['CN', 'exact', 'in time', 'paid'],
  ['CN', 'twice', 'in time', 'paid_more'],
  ['CN', 'nothing', 'late', 'cancelled'],
  ['CN', 'exact', 'late', 'received_all'],
  ['IN', 'nothing', 'late', 'expired'],
  ['IN', 'exact', 'late', 'received_all'],
  ['IN', 'twice', 'late', 'received_more'],
  ['TH', 'less', 'in time', 'part_paid_no_way'],
  ['TH', 'in two parts', 'in time', 'paid'],
  ['TH', 'in two parts that are too much', 'in time', 'received_more'],
  ['TH', 'less', 'late', 'received_less'],
  ['PK', 'more', 'late', 'received_more'],
])('%s: the payer of %s %s reads %s', (country, how, time, state) => {
  expect(stateAfter(country, paying[how], time)).toBe(state);
});

test('a part of an order whose time is over is not asked to be completed', () => {
  const story = paid(open('TH'), ['40.00']);
  expect(check({ country: 'TH', amounts: ['40.00'], story, isOver: true })).toBe('received_less');
});

describe('what became of a payment', () => {
  const outcomes = ({ state, order }: Given): string[] =>
    state.payments.map((payment) => outcomeOfPayment(payment, order, state.cases));

  test.each<[string, () => Given, string[]]>([
    ['a part of an open order', () => paid(open('TH'), ['40.00']), ['counted']],
    ['parts of a completed order', () => paid(open('TH'), ['40.00', '60.00']), ['credited', 'credited']],
    ['a part of an expired order', () => ended(paid(open('TH'), ['40.00'])), ['held']],
    ['late money', () => paid(ended(open('CN')), ['100.00']), ['held']],
    ['late money that was credited', () => decided(paid(ended(open('CN')), ['100.00']), 'credited'), ['credited']],
    ['late money that was more', () => decided(paid(ended(open('CN')), ['120.00']), 'credited'), ['credited_in_part']],
    ['late money that was returned', () => decided(paid(ended(open('CN')), ['100.00']), 'returned'), ['returned']],
    ['a part that was returned', () => decided(ended(paid(open('TH'), ['40.00'])), 'returned'), ['returned']],
  ])('%s', (_, story, outcome) => {
    expect(outcomes(story())).toEqual(outcome);
  });
});

test('a payment that left and its return, under one reference, each have their own case', () => {
  const payout = anOrder('IN', { status: 'failed' }, 'payout');
  const caseOf = (kind: CaseSum['kind'], state: CaseSum['state']) =>
    ({ kind, state, reference: 'P', amount: '100.00', cameBack: '0.00', refundNo: null }) as const;
  const cases = [caseOf('payout_paid_again', 'charged'), caseOf('payout_returned', 'open')];
  const outcome = (use: 'unasked' | 'returned') =>
    outcomeOfPayment({ use, reference: 'P', amount: '100.00' }, payout, cases);
  expect([outcome('unasked'), outcome('returned')]).toEqual(['charged', 'held']);
});

describe('a payout whose case operators closed by hand', () => {
  const order = { ...anOrder('IN', { status: 'completed' }, 'payout'), paidAmount: '100.00' };
  const money = (use: PaymentSum['use'], kind: CaseSum['kind'], state: CaseSum['state']) => {
    const payments: PaymentSum[] = [
      { use: 'credited', amount: '100.00' },
      { use, amount: '100.00' },
    ];
    return moneyOfOrder(order, payments, [{ kind, state, amount: '100.00', cameBack: '0.00', refundNo: null }]);
  };

  test('was paid twice, and one payment was given back', () => {
    expect(money('unasked', 'payout_paid_again', 'returned')).toMatchObject({ arrived: '200.00', returned: '100.00' });
    expect(money('unasked', 'payout_paid_again', 'written_off')).toMatchObject({ arrived: '200.00', returned: '0.00' });
  });

  test('came back and was sent out again: the payee has the money', () => {
    expect(money('returned', 'payout_returned', 'returned')).toMatchObject({ arrived: '200.00', returned: '100.00' });
    expect(money('returned', 'payout_returned', 'credited')).toMatchObject({ arrived: '100.00', returned: '100.00' });
  });
});
