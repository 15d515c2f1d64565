import { expect, test } from 'vitest';
import { countries } from '../countries/index.ts';
import { all, type Given, given } from '../testing/given.ts';
import { anOrder, aWallet } from '../testing/on-paper.ts';
import { type Chance, chanceOf } from '../testing/random-commands.ts';
import type { ChannelAnswer, ChannelPayment } from './channel-answer.ts';
import type { ApplyReport } from './commands.ts';
import { isTerminal } from './order.ts';
import type { MoneyCase } from './payment.ts';

// Reports of a channel on a payin over 100.00 (a fee of 2.50, an empty wallet). They come in any order, any number of
// times, and most of them after the order has ended. Operators decide in between. Every payment is booked once.

const cents = (amount: string): number => Math.round(Number(amount) * 100);
const by = { actor: 'ann', approver: 'bob', reason: 'seen' };

/** What was reported and decided, in the plainest words that are possible. Amounts are in cents. */
interface Reported {
  /** The first amount under each reference. */
  payments: Map<string, number>;
  /** The payments that were first reported when the order had ended unpaid, as `reference amount`. */
  late: string[];
  /** The payments that were first reported when the order was completed. */
  double: string[];
  /** What operators sent back, and what they credited to the wallet without the order. */
  sentBack: number;
  toWallet: number;
}

const nothingYet = (): Reported => ({ payments: new Map(), late: [], double: [], sentBack: 0, toWallet: 0 });

function payments(chance: Chance): ChannelPayment[] {
  const some = Array.from({ length: 1 + chance.below(2) }, () => ({
    reference: chance.pick('P1', 'P2', 'P3', 'P4', 'P5'),
    amount: chance.pick('100.00', '100.00', '100.00', '99.00', '101.00', '60.00', '40.00'),
  }));
  // A report may name a payment twice.
  return chance.below(8) === 0 ? [...some, ...some] : some;
}

function anAnswer(chance: Chance): ChannelAnswer {
  return chance.pick<() => ChannelAnswer>(
    () => ({ outcome: 'paid', payments: payments(chance) }),
    () => ({ outcome: 'paid', payments: payments(chance) }),
    () => ({ outcome: 'part_paid', payments: payments(chance) }),
    () => ({ outcome: 'part_paid', payments: payments(chance) }),
    () => ({ outcome: 'timed_out', reason: 'unpaid', payments: payments(chance) }),
    () => ({ outcome: 'timed_out', reason: 'unpaid' }),
    () => ({ outcome: 'failed', reason: 'no' }),
    () => ({ outcome: 'closed' }),
    () => ({ outcome: 'accepted', channelRef: 'R' }),
    () => ({ outcome: 'unknown', why: 'no_answer', detail: 'x' }),
    () => ({ outcome: 'unknown', why: 'not_found', detail: 'x' }),
  )();
}

function note(reported: Reported, { order }: Given, answer: ChannelAnswer): void {
  for (const { reference, amount } of 'payments' in answer ? (answer.payments ?? []) : []) {
    if (reported.payments.has(reference)) continue;
    reported.payments.set(reference, cents(amount));
    const kept = `${reference} ${amount}`;
    if (order.status === 'completed') reported.double.push(kept);
    else if (isTerminal(order.status)) reported.late.push(kept);
  }
}

/** Operators decide a case in a random way. What is refused changes nothing. */
function decideOn(before: Given, found: MoneyCase, chance: Chance, reported: Reported): Given {
  const { merchantId, orderNo } = before.order;
  const named = { merchantId, caseNo: found.caseNo, orderNo, by };
  const others = before.state.cases.filter((one) => one !== found && one.state === 'open').map(({ caseNo }) => caseNo);
  const alsoCaseNos = chance.pick([], [], others);
  const way = chance.pick('order', 'order', 'wallet', 'back');
  if (way === 'back') {
    const returned = before.when({ type: 'returnCase', ...named });
    if (returned.refusal === null && found.kind !== 'contradiction') reported.sentBack += cents(found.amount);
    return returned;
  }
  // The database allows one credit of an order, and one wallet credit of a first case.
  const wasCredited = all(before.events, 'entry').some(({ type }) => type === 'PAYIN');
  if (way === 'order') return wasCredited ? before : before.when({ type: 'creditCase', ...named, alsoCaseNos });
  const credited = before.when({ type: 'creditCase', ...named, alsoCaseNos, toWallet: true });
  const isIn = ({ caseNo }: MoneyCase) => caseNo === found.caseNo || alsoCaseNos.includes(caseNo);
  if (credited.refusal === null) reported.toWallet += sum(before.state.cases.filter(isIn).map(inCents));
  return credited;
}

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((total, amount) => total + amount, 0);
const inCents = ({ amount }: { amount: string }): number => cents(amount);
const into = ({ events }: Given, account: string): number =>
  sum(
    all(events, 'transfer').map(
      ({ debit, credit, amount }) => ((credit === account ? 1 : 0) - (debit === account ? 1 : 0)) * cents(amount),
    ),
  );
const opened = ({ state }: Given, kind: MoneyCase['kind']): string[] =>
  state.cases
    .filter((one) => one.kind === kind)
    .map(({ reference, amount }) => `${reference} ${amount}`)
    .toSorted();

function check(now: Given, reported: Reported, story: string): void {
  const { order, state, events } = now;
  const isCompleted = order.status === 'completed';
  const booked = state.payments.map(({ reference, amount }) => [reference, cents(amount)] as const);
  expect(new Map(booked), `${story}: payments`).toEqual(reported.payments);
  expect(booked, `${story}: each payment once`).toHaveLength(reported.payments.size);
  const moved = reported.sentBack - sum(reported.payments.values());
  expect(into(now, 'channel:fake'), `${story}: the channel's account`).toBe(moved);
  const open = state.cases.filter((one) => one.state === 'open' && one.kind !== 'contradiction');
  const parts = order.status === 'partial_paid' ? cents(order.paidAmount) : 0;
  expect(into(now, 'suspense'), `${story}: suspense`).toBe(sum(open.map(inCents)) + parts);
  expect(into(now, 'fee_revenue'), `${story}: fees`).toBe(isCompleted ? 250 : 0);
  const available = (isCompleted ? 9_750 : 0) + reported.toWallet;
  expect(cents(state.wallet.available), `${story}: available`).toBe(available);
  expect(into(now, 'available'), `${story}: transfers to the wallet`).toBe(available);
  const credits = all(events, 'entry').filter(({ type }) => type === 'PAYIN');
  expect(credits, `${story}: credits of the order`).toHaveLength(isCompleted ? 1 : 0);
  expect(opened(now, 'late'), `${story}: cases of late money`).toEqual(reported.late.toSorted());
  expect(opened(now, 'double'), `${story}: cases of more money`).toEqual(
    // A payment beyond the one that completed the order in the same report has a case too.
    expect.arrayContaining(reported.double),
  );
}

/** After an end a report moves the order no more, and its merchant hears nothing new. */
function checkEnded(before: Given, after: Given, story: string): void {
  const notices = ({ events }: Given) => all(events, 'notification').length;
  expect([after.order.status, notices(after)], `${story}: an ended order`).toEqual([
    before.order.status,
    notices(before),
  ]);
}

/** How many times as many random stories the nightly run tries. */
const depth = Number(process.env.TIDEGATE_TEST_DEPTH ?? 1);
const duringAny = ['callback', 'callback', 'query', 'query', 'expiry', 'create'] as const;

/** A random life, of which every state was checked. Adds to `seen` what it went through. */
function liveOne(seed: number, seen: Set<string>): { last: Given; reported: Reported } {
  const chance = chanceOf(seed);
  // Only Thailand takes parts.
  const country = chance.pick('TH', 'TH', ...countries);
  const endsAtFirst = chance.below(2) === 0;
  const reported = nothingYet();
  const answers: ChannelAnswer[] = [];
  let last = given(aWallet(country), anOrder(country));
  for (let step = 0; step < 8; step++) {
    const story = `seed ${seed}, ${country}, step ${step}`;
    const open = last.state.cases.filter(({ state }) => state === 'open');
    const found = open[chance.below(Math.max(1, open.length))];
    const what = chance.below(6);
    if (what === 0 && found) last = decideOn(last, found, chance, reported);
    else {
      // Half of the orders end unpaid at first. Some reports come again, and late.
      const first: ChannelAnswer | undefined =
        step === 0 && endsAtFirst ? chance.pick({ outcome: 'failed', reason: 'no' }, { outcome: 'closed' }) : undefined;
      const again = what === 1 ? answers[chance.below(answers.length)] : undefined;
      const answer = first ?? again ?? anAnswer(chance);
      const during: ApplyReport['during'] = first ? 'query' : chance.pick(...duringAny);
      answers.push(answer);
      note(reported, last, answer);
      const before = last;
      last = last.whenReported(answer, during);
      if (isTerminal(before.order.status)) checkEnded(before, last, story);
    }
    check(last, reported, story);
    seen.add(last.order.status);
    for (const { kind, state } of last.state.cases) seen.add(`${kind} ${state}`);
  }
  return { last, reported };
}

test('every payment of a payin is booked once, also payments after its end', () => {
  const seen = new Set<string>();
  let late = 0;
  let creditedLater = 0;
  for (let seed = 1; seed <= 150 * depth; seed++) {
    const { last, reported } = liveOne(seed, seen);
    late += reported.late.length;
    if (all(last.events, 'transition').some(({ trigger }) => trigger === 'case_credited')) creditedLater += 1;
  }
  // The stories are about what they claim to be about.
  expect(late).toBeGreaterThan(100 * depth);
  expect(creditedLater).toBeGreaterThan(10 * depth);
  const reached = [
    'cancelled',
    'completed',
    'contradiction open',
    'contradiction returned',
    'double credited',
    'double open',
    'double returned',
    'failed',
    'late credited',
    'late open',
    'late returned',
    'partial_paid',
    'processing',
    'parts_of_unpaid open',
    'timeout',
    'wrong_amount credited',
    'wrong_amount open',
    'wrong_amount returned',
  ];
  expect([...seen]).toEqual(expect.arrayContaining(reached));
});
