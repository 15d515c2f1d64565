import type { Currency } from './country.ts';
import { Money } from './money.ts';
import { isTerminal, type Order } from './order.ts';
import { isOfPayout, isOutgoing, isWithoutMoney, type MoneyCase, type Payment } from './payment.ts';

// Where an order's money is. Everything that people are told about it comes from here: the payer on the checkout
// page, and operators in the console.

/** What these functions read of an order. */
export type OrderOfMoney = Pick<Order, 'kind' | 'currency' | 'status' | 'mode' | 'amount' | 'paidAmount'>;
/** A payment, or the sum of the payments with the same use. */
export type PaymentSum = Pick<Payment, 'use' | 'amount'>;
/** A case, or the sum of the cases with the same kind, state and refund. */
export type CaseSum = Pick<MoneyCase, 'kind' | 'state' | 'amount' | 'cameBack' | 'refundNo'>;

/** The money of an order, as decimal text in its currency. */
export interface OrderMoney {
  /** What the payer pays, or the payee receives. */
  readonly asked: string;
  /** Payin: what came from payers. Payout: what was paid out, also again or later as operators saw. */
  readonly arrived: string;
  /** Payin: parts that count for the order while it is open. They are neither held by a case nor credited. */
  readonly counted: string;
  /** Payin: what the payer is asked to pay now; 0.00 once the order has ended, or while other money is held. */
  readonly rest: string;
  /** In suspense, until operators decide the open cases. Includes `returning`. */
  readonly held: string;
  /** What the channel is sending back now. */
  readonly returning: string;
  /** Payin: what the order credited to its merchant, before the fee. Payout: 0.00. */
  readonly credited: string;
  /** Payin: what operators credited otherwise: to the merchant's wallet, or to another order. Payout: 0.00. */
  readonly creditedOtherwise: string;
  /** Payin: sent back to the payer. Payout: sent back by the bank, or given back by the channel. */
  readonly returned: string;
  /** Payout: what left and is not covered, until operators decide the open cases. Payin: 0.00. */
  readonly out: string;
}

/** The sums of an order, from all its payments and cases. */
export function moneyOfOrder(
  order: OrderOfMoney,
  payments: readonly PaymentSum[],
  cases: readonly CaseSum[],
): OrderMoney {
  const sums = { order, payments: sumBy(order, payments), cases: sumBy(order, cases.filter(hasMoney)) };
  const money = order.kind === 'payin' ? moneyOfPayin(sums) : moneyOfPayout(sums);
  return Object.fromEntries(
    Object.entries({ asked: Money.of(order.amount, order.currency), ...money }).map(([name, sum]) => [
      name,
      sum.toString(),
    ]),
  ) as unknown as OrderMoney;
}

interface Sums {
  order: OrderOfMoney;
  payments: SumOf<PaymentSum>;
  cases: SumOf<CaseSum>;
}

type MoneySums = Record<Exclude<keyof OrderMoney, 'asked'>, Money>;

function moneyOfPayin({ order: { currency, status, amount, paidAmount }, payments, cases }: Sums): MoneySums {
  const zero = Money.zero(currency);
  const asked = Money.of(amount, currency);
  const credited = status === 'completed' ? asked : zero;
  // The parts of an ended order are in its case.
  const counted = isTerminal(status) ? zero : Money.of(paidAmount, currency);
  const held = cases(({ state }) => state === 'open');
  const returned = cases(({ state }) => state === 'returned');
  const explained = credited.plus(counted).plus(held).plus(returned);
  // A report that only confirms a known payment brings no money. Other uses are of payouts.
  const reported = payments(({ use }) => use === 'credited' || use === 'part' || use === 'suspense');
  // An order can also be credited with the money of another one.
  const arrived = larger(reported, explained);
  const isAsking = !isTerminal(status) && held.isZero() && arrived.equals(explained);
  return {
    arrived,
    counted,
    rest: isAsking ? larger(zero, asked.minus(counted)) : zero,
    held,
    returning: cases(({ state, refundNo }) => state === 'open' && refundNo !== null),
    credited,
    creditedOtherwise: arrived.minus(explained),
    returned,
    out: zero,
  };
}

function moneyOfPayout({ order: { currency, status, amount }, payments, cases }: Sums): MoneySums {
  const zero = Money.zero(currency);
  const confirmed = payments(({ use }) => use === 'credited');
  // What operators or a proof showed counts until the channel reports it.
  const shown = confirmed.isZero() && status === 'completed' ? Money.of(amount, currency) : confirmed;
  // Operators closed these cases by hand: the channel sent it out after all, or gave it back. No payment shows that.
  const sentOut = cases(({ state, kind }) => state === 'returned' && isOfPayout({ kind }));
  const givenBack = cases(({ state, kind }) => state === 'returned' && isOutgoing(kind));
  return {
    arrived: shown.plus(payments(({ use }) => use === 'unasked')).plus(sentOut),
    counted: zero,
    rest: zero,
    held: cases(({ state, kind }) => state === 'open' && !isOutgoing(kind)),
    returning: zero,
    credited: zero,
    creditedOtherwise: zero,
    returned: payments(({ use }) => use === 'returned').plus(givenBack),
    out: cases(({ state, kind }) => state === 'open' && isOutgoing(kind)),
  };
}

/** What a payer is told and what they have to do next. The page has words for each state. */
export type PayerState =
  | 'preparing'
  | 'waiting'
  | 'part_paid'
  /** Partly paid, and the channel offers no way to pay the rest. */
  | 'part_paid_no_way'
  /** The time to pay is over, and nothing has arrived. */
  | 'late'
  | 'paid'
  | 'failed'
  | 'expired'
  | 'cancelled'
  | AskingState;

/** Money arrived that is not credited, or more than was asked for: the payer must not pay again, but ask the merchant. */
export type AskingState = 'received_less' | 'received_all' | 'received_more' | 'paid_more' | 'sent_back';

/** The next step of a payer. `now` in Unix milliseconds. */
export function payerStateOf(
  order: Pick<Order, 'status' | 'payLink' | 'payQr' | 'expiresAt'>,
  money: OrderMoney,
  now: number,
): PayerState {
  const is = (name: keyof OrderMoney): boolean => money[name] !== '0.00';
  const isOver = order.expiresAt !== null && order.expiresAt <= now;
  if (order.status === 'completed') return compare(money.arrived, money.asked) > 0 ? 'paid_more' : 'paid';
  const kept = is('held') || is('creditedOtherwise') || (is('counted') && isOver);
  if (kept) return receivedState(money);
  if (is('counted')) return hasWay(order) ? 'part_paid' : 'part_paid_no_way';
  if (is('returned')) return 'sent_back';
  if (isTerminal(order.status))
    return order.status === 'failed' || order.status === 'cancelled' ? order.status : 'expired';
  if (isOver) return 'late';
  return hasWay(order) ? 'waiting' : 'preparing';
}

function hasWay({ payLink, payQr }: Pick<Order, 'payLink' | 'payQr'>): boolean {
  return payLink !== null || payQr !== null;
}

function receivedState({ arrived, asked }: OrderMoney): AskingState {
  const difference = compare(arrived, asked);
  if (difference === 0) return 'received_all';
  return difference < 0 ? 'received_less' : 'received_more';
}

/** A sentence for the payer about money, with its amount. Each is true by itself. */
export type PayerSentence =
  | { say: 'arrived' | 'asked' | 'held' | 'returning' | 'returned' | 'credited_otherwise'; amount: string }
  | { say: 'do_not_pay' | 'ask_merchant' };

/** What a payer is told about money that is not simply paid: where it is, and what to do. */
export function payerSentencesOf(currency: Currency, money: OrderMoney): readonly PayerSentence[] {
  const { arrived, asked, held, counted, returning, returned, creditedOtherwise } = money;
  const of = (amount: string): Money => Money.of(amount, currency);
  const waiting = of(held).minus(of(returning)).plus(of(counted)).toString();
  const amounts = [
    { say: 'arrived', amount: arrived },
    { say: 'asked', amount: arrived === asked ? '0.00' : asked },
    { say: 'held', amount: waiting },
    { say: 'credited_otherwise', amount: creditedOtherwise },
    { say: 'returning', amount: returning },
    { say: 'returned', amount: returned },
  ] as const;
  return [...amounts.filter(({ amount }) => amount !== '0.00'), { say: 'do_not_pay' }, { say: 'ask_merchant' }];
}

/** What operators have to do next about an order's money. */
export type OperatorStep =
  /** Money is in suspense, or has left: the open cases have to be decided. */
  | 'decide_cases'
  /** The channel is sending all held money back. */
  | 'wait_for_refund'
  /** Nothing is held, but a case asks what is true. */
  | 'clear_up_contradiction'
  /** An operator confirms what the payer sent. */
  | 'confirm_funds'
  | 'wait_for_payer'
  | 'wait_for_rest'
  /** A payout is on its way. */
  | 'wait_for_payout'
  | 'none';

/** The next step of operators, from the same facts. */
function operatorStepOf(order: OrderOfMoney, money: OrderMoney, cases: readonly CaseSum[]): OperatorStep {
  if (money.out !== '0.00') return 'decide_cases';
  if (money.held !== '0.00') return money.returning === money.held ? 'wait_for_refund' : 'decide_cases';
  if (cases.some((one) => one.state === 'open' && !hasMoney(one))) return 'clear_up_contradiction';
  if (isTerminal(order.status)) return 'none';
  if (order.kind === 'payout') return 'wait_for_payout';
  if (order.mode === 'manual') return 'confirm_funds';
  return money.counted === '0.00' ? 'wait_for_payer' : 'wait_for_rest';
}

/** The whole of an order's money: where it is, and the next step of its payer and of operators. */
export interface OrderMoneyReport {
  readonly money: OrderMoney;
  /** Null: a payout has no payer. */
  readonly payer: PayerState | null;
  readonly operator: OperatorStep;
}

/** Where an order's money is and what to do next, from its payments and cases. `now` in Unix milliseconds. */
export function reportOrderMoney(
  order: OrderOfMoney & Pick<Order, 'payLink' | 'payQr' | 'expiresAt'>,
  payments: readonly PaymentSum[],
  cases: readonly CaseSum[],
  now: number,
): OrderMoneyReport {
  const money = moneyOfOrder(order, payments, cases);
  const payer = order.kind === 'payin' ? payerStateOf(order, money, now) : null;
  return { money, payer, operator: operatorStepOf(order, money, cases) };
}

/** What became of a payment. */
export type PaymentOutcome =
  /** A part that counts for the order, which is still open. */
  | 'counted'
  | 'credited'
  /** Some of it was credited; the rest is held, or was decided otherwise. */
  | 'credited_in_part'
  | 'held'
  | 'returning'
  /** Payin: sent back to the payer. Payout: sent out again by the channel. */
  | 'returned'
  /** Payout: it left and nothing covers it. */
  | 'out'
  | 'charged'
  | 'written_off'
  /** Payout: the channel gave it back. */
  | 'given_back'
  /** Payout: the bank sent it back, and it made up for money that had left. */
  | 'covered'
  /** Operators saw it. No channel reported it. */
  | 'evidence'
  /** It confirms a payment that a statement had shown. */
  | 'confirmed';

/** A case of the payment's order. */
export type CaseOfPayment = CaseSum & Pick<MoneyCase, 'reference'>;

/** What became of a payment, from the cases of its order. */
export function outcomeOfPayment(
  { use, reference, amount }: Pick<Payment, 'use' | 'reference' | 'amount'>,
  { status, currency }: Pick<Order, 'status' | 'currency'>,
  cases: readonly CaseOfPayment[],
): PaymentOutcome {
  if (use === 'evidence' || use === 'confirmed') return use;
  // Money that left and its return may have the same reference, and cases of their own.
  const isOfOther = ({ kind }: CaseOfPayment): boolean => (isOutgoing(kind) ? use === 'returned' : use === 'unasked');
  const isNamed = (one: CaseOfPayment): boolean => reference !== null && one.reference === reference && !isOfOther(one);
  const own = cases.filter((one) => hasMoney(one) && (isNamed(one) || (use === 'part' && isOfParts(one))));
  if (use === 'unasked') return outcomeOfOutgoing(own);
  if (use === 'returned') return own.length === 0 ? 'covered' : outcomeOfHeld(own);
  if (use === 'part' && own.length === 0) return status === 'completed' ? 'credited' : 'counted';
  // The case of its excess.
  if (use === 'credited') return own.some(isIncoming) ? 'credited_in_part' : 'credited';
  // Money of another merchant's case is credited when its order completes.
  if (own.length === 0) return status === 'completed' ? 'credited' : 'held';
  // Its case is of another merchant, and this is about the rest.
  const inCases = own.reduce((sum, one) => sum.plus(Money.of(one.amount, currency)), Money.zero(currency));
  const isRest = status === 'completed' && use === 'suspense' && inCases.isLessThan(Money.of(amount, currency));
  return isRest ? 'credited_in_part' : outcomeOfHeld(own);
}

function outcomeOfHeld(cases: readonly CaseOfPayment[]): PaymentOutcome {
  const has = (test: (one: CaseOfPayment) => boolean): boolean => cases.some(test);
  const isCredited = has(({ state }) => state === 'credited');
  const isOther = has(({ state }) => state !== 'credited');
  if (isCredited) return isOther ? 'credited_in_part' : 'credited';
  if (has(({ state, refundNo }) => state === 'open' && refundNo === null)) return 'held';
  return has(({ state }) => state === 'open') ? 'returning' : 'returned';
}

function outcomeOfOutgoing(cases: readonly CaseOfPayment[]): PaymentOutcome {
  if (cases.length === 0 || cases.some(({ state }) => state === 'open')) return 'out';
  if (cases.some(({ state }) => state === 'charged')) return 'charged';
  if (cases.some(({ state }) => state === 'written_off')) return 'written_off';
  return cases.some(({ state }) => state === 'credited') ? 'covered' : 'given_back';
}

/** What a case holds in suspense now, in decimal text. Not money that left. */
export function heldByCase({ kind, state, amount, cameBack, currency }: MoneyCase): string {
  if (state !== 'open' || isWithoutMoney(kind) || isOutgoing(kind)) return '0.00';
  return Money.of(amount, currency as Currency)
    .minus(Money.of(cameBack, currency as Currency))
    .toString();
}

function hasMoney({ kind }: Pick<CaseSum, 'kind'>): boolean {
  return !isWithoutMoney(kind);
}

/** A case of all parts of an order, or its rest once another order took the most of it. */
function isOfParts({ kind, reference }: Pick<CaseOfPayment, 'kind' | 'reference'>): boolean {
  return kind === 'parts_of_unpaid' || (kind === 'wrong_amount' && reference === null);
}

function isIncoming({ kind }: Pick<CaseSum, 'kind'>): boolean {
  return !isOutgoing(kind);
}

type SumOf<Row> = (isCounted: (row: Row) => boolean) => Money;

function sumBy<Row extends { amount: string; cameBack?: string }>(
  { currency }: OrderOfMoney,
  rows: readonly Row[],
): SumOf<Row> {
  const left = ({ amount, cameBack = '0.00' }: Row): Money =>
    Money.of(amount, currency).minus(Money.of(cameBack, currency));
  return (isCounted) => rows.filter(isCounted).reduce((sum, row) => sum.plus(left(row)), Money.zero(currency));
}

function larger(a: Money, b: Money): Money {
  return a.isLessThan(b) ? b : a;
}

/** Compares two amounts with two decimals each. */
function compare(a: string, b: string): number {
  const cents = (amount: string): bigint => BigInt(amount.replace('.', ''));
  const difference = cents(a) - cents(b);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}
