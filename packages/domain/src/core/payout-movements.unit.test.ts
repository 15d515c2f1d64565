import { expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { anOrder, aWallet } from '../testing/on-paper.ts';
import { type Chance, chanceOf } from '../testing/random-commands.ts';
import type { ChannelAnswer, ChannelPayment } from './channel-answer.ts';
import { isOutgoing, leftOfCase, type MoneyCase } from './payment.ts';

// Reports of a channel on a payout over 100.00 (a fee of 2.50, 1000.00 in the wallet). They come in any order, any
// number of times, with any decisions of operators in between. The ledger has what moved, suspense has what is open,
// and the wallet pays once.

const cents = (amount: string): number => Math.round(Number(amount) * 100);
const by = { actor: 'ann', approver: 'bob', reason: 'seen' };

const frozenPayout = (): Given =>
  given(aWallet('IN', { available: '897.50', frozen: '102.50' }), anOrder('IN', {}, 'payout'));

/** What was reported, said once more as plainly as can be: the first amount under each reference, by direction. */
interface Reported {
  out: Map<string, number>;
  back: Map<string, number>;
  /** What operators moved by returning cases: positive out of the channel's account. */
  byOperators: number;
}

function aPayment(chance: Chance): ChannelPayment {
  return {
    reference: chance.pick('P1', 'P2', 'P3'),
    amount: chance.pick('100.00', '100.00', '99.00', '101.00', '40.00'),
  };
}

function anAnswer(chance: Chance): ChannelAnswer {
  const some = Array.from({ length: chance.below(3) }, () => aPayment(chance));
  const payments = [...new Map(some.map((payment) => [payment.reference, payment])).values()];
  return chance.pick<() => ChannelAnswer>(
    () => ({ outcome: 'paid', payments }),
    () => ({ outcome: 'part_paid', payments }),
    () => ({ outcome: 'timed_out', reason: 'late', payments }),
    () => ({ outcome: 'failed', reason: 'no' }),
    () => ({ outcome: 'unknown', why: 'no_answer', detail: 'x' }),
    () => ({
      outcome: 'returned',
      payments,
      returned: { ...aPayment(chance), reference: chance.pick('R1', 'P1') },
      reason: 'closed',
    }),
  )();
}

function note(reported: Reported, answer: ChannelAnswer): void {
  const keep = (to: Map<string, number>, { reference, amount }: ChannelPayment): void => {
    if (!to.has(reference)) to.set(reference, cents(amount));
  };
  const payments = 'payments' in answer ? (answer.payments ?? []) : [];
  for (const payment of payments) keep(reported.out, payment);
  if (answer.outcome === 'returned') keep(reported.back, answer.returned);
}

function resolve(before: Given, outcome: 'paid' | 'failed'): Given {
  const ref = { merchantId: 'IN-1', orderNo: before.order.orderNo };
  return before.when({ type: 'resolvePayout', ref, outcome, evidence: 'statement', by });
}

type Decided = 'creditCase' | 'returnCase' | 'chargeCase' | 'writeOffCase';

function decideOn(before: Given, found: MoneyCase, type: Decided, reported: Reported): Given {
  const { orderNo } = before.order;
  const decided = before.when({ type, merchantId: 'IN-1', caseNo: found.caseNo, orderNo, by });
  if (decided.refusal === null && type === 'returnCase' && found.kind !== 'contradiction')
    reported.byOperators += (isOutgoing(found.kind) ? -1 : 1) * cents(leftOfCase(found).toString());
  return decided;
}

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((total, amount) => total + amount, 0);
const into = ({ events }: Pick<Given, 'events'>, account: string): number =>
  sum(
    all(events, 'transfer').map(
      ({ debit, credit, amount }) => ((credit === account ? 1 : 0) - (debit === account ? 1 : 0)) * cents(amount),
    ),
  );

function check({ order, state, events }: Given, reported: Reported, story: string): void {
  const { wallet, cases } = state;
  const uses = state.payments.map(({ use }) => use);
  const isSeenAlone = uses.includes('evidence') && !uses.includes('credited');
  const moved = sum(reported.out.values()) - sum(reported.back.values()) + reported.byOperators;
  expect(into({ events }, 'channel:fake'), `${story}: the channel's account`).toBe(moved + (isSeenAlone ? 10_000 : 0));
  const open = cases.filter((one) => one.state === 'open' && one.kind !== 'contradiction');
  const held = sum(open.map((one) => (isOutgoing(one.kind) ? -1 : 1) * cents(leftOfCase(one).toString())));
  expect(into({ events }, 'suspense'), `${story}: suspense`).toBe(held);
  const isOpen = order.status === 'processing';
  const adjusted = all(events, 'entry').filter(({ type }) => type === 'ADJUSTMENT');
  const charged = sum(adjusted.map((e) => cents(e.availableChange)));
  const returns = all(events, 'entry').filter(({ type }) => type === 'PAYOUT_RETURN');
  const returned = sum(returns.map((e) => cents(e.availableChange)));
  expect(returned, `${story}: returned`).toBeLessThanOrEqual(order.status === 'completed' ? 10_000 : 0);
  expect(cents(wallet.frozen), `${story}: frozen`).toBe(isOpen ? 10_250 : 0);
  const spent = isOpen || order.status === 'completed' ? 10_250 : 0;
  expect(cents(wallet.available), `${story}: available`).toBe(100_000 - spent + returned + charged);
  // What came back is given back once: to the merchant at most what it was charged, and the platform bears at most what it wrote off.
  expect(charged, `${story}: charged`).toBeLessThanOrEqual(0);
  expect(into({ events }, 'written_off:fake'), `${story}: written off`).toBeLessThanOrEqual(0);
  for (const one of cases) expect(leftOfCase(one).isNegative(), `${story}: case ${one.caseNo}`).toBe(false);
}

/** How many times as many random stories the nightly run tries. */
const depth = Number(process.env.TIDEGATE_TEST_DEPTH ?? 1);

test("the ledger equals the channel's reports, for any reports and decisions", () => {
  const ends = new Set<string>();
  for (let seed = 1; seed <= 300 * depth; seed++) {
    const chance = chanceOf(seed);
    let last = frozenPayout();
    const reported: Reported = { out: new Map(), back: new Map(), byOperators: 0 };
    const reports: ChannelAnswer[] = [];
    for (let step = 0; step < 12; step++) {
      const what = chance.below(8);
      const open = last.state.cases.filter(({ state }) => state === 'open');
      const found = open[chance.below(Math.max(1, open.length))];
      if (what === 0) last = resolve(last, chance.pick('paid', 'failed'));
      else if (what === 1 && found)
        last = decideOn(last, found, chance.pick('creditCase', 'returnCase', 'chargeCase', 'writeOffCase'), reported);
      else {
        // Some again, and late.
        const again = what === 2 ? reports[chance.below(reports.length)] : undefined;
        const answer = again ?? anAnswer(chance);
        reports.push(answer);
        last = last.whenReported(answer, chance.pick('callback', 'query'));
        note(reported, answer);
      }
      check(last, reported, `seed ${seed}, step ${step}`);
    }
    ends.add(last.order.status);
    for (const { kind, state } of last.state.cases) ends.add(`${kind} ${state}`);
  }
  expect([...ends].sort()).toEqual([
    'completed',
    'contradiction open',
    'contradiction returned',
    'failed',
    'payout_paid_again charged',
    'payout_paid_again open',
    'payout_paid_again returned',
    'payout_paid_again written_off',
    'payout_returned credited',
    'payout_returned open',
    'payout_returned returned',
    'payout_underpaid credited',
    'payout_underpaid open',
    'payout_underpaid returned',
    'payout_wrong_amount charged',
    'payout_wrong_amount credited',
    'payout_wrong_amount open',
    'payout_wrong_amount returned',
    'payout_wrong_amount written_off',
    'processing',
    'timeout',
  ]);
});

test('99.00 of 100.00, resolved as paid: the frozen money covers it, and the rest is a case of the merchant', () => {
  const reported = frozenPayout().whenReported({ outcome: 'paid', payments: [{ reference: 'P1', amount: '99.00' }] });
  expect(into(reported, 'channel:fake')).toBe(9_900);
  const resolved = resolve(reported, 'paid');
  expect([into(resolved, 'channel:fake'), into(resolved, 'suspense')]).toEqual([9_900, 100]);
  expect(resolved.state.cases.map(({ kind, state, amount }) => `${kind} ${state} ${amount}`)).toEqual([
    'payout_wrong_amount credited 99.00',
    'payout_underpaid open 1.00',
  ]);
});

test('99.00 of 100.00, resolved as failed: the merchant has its money back, and the case of the outgoing money stays open', () => {
  const reported = frozenPayout().whenReported({ outcome: 'paid', payments: [{ reference: 'P1', amount: '99.00' }] });
  const { wallet, cases } = resolve(reported, 'failed').state;
  expect(wallet).toMatchObject({ available: '1000.00', frozen: '0.00' });
  expect(cases).toMatchObject([{ kind: 'payout_wrong_amount', state: 'open', amount: '99.00' }]);
});
