import { expect, test } from 'vitest';
import { aDraft, anOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import { type Chance, chanceOf } from '../testing/random-commands.ts';
import { tell } from '../testing/tell.ts';
import type { ChannelAnswer, ChannelPayment } from './channel-answer.ts';
import { decide } from './decide.ts';
import type { Draft } from './draft.ts';
import { isOutgoing, type MoneyCase } from './payment.ts';

// Whatever a channel reports of a payout over 100.00 (a fee of 2.50, 1000.00 in the wallet), in whatever order and however often, and
// whatever operators decide in between: the ledger has what moved, suspense has what is open, and the wallet pays once.

const cents = (amount: string): number => Math.round(Number(amount) * 100);
const by = { actor: 'ann', approver: 'bob', reason: 'seen' };

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

function resolve(draft: Draft, outcome: 'paid' | 'failed'): void {
  const ref = { merchantId: 'IN-1', orderNo: draft.order?.orderNo ?? '' };
  decide(draft, { type: 'resolvePayout', ref, outcome, evidence: 'statement', by }, null, at(noon));
}

function decideOn(draft: Draft, found: MoneyCase, type: 'creditCase' | 'returnCase', reported: Reported): void {
  const orderNo = draft.order?.orderNo ?? null;
  draft.cases = [found];
  const credits = draft.added.entries.some(({ type }) => type === 'PAYOUT_RETURN');
  // The database stands for one return per payout.
  if (type === 'creditCase' && credits) return;
  const refusal = decide(draft, { type, merchantId: 'IN-1', caseNo: found.caseNo, orderNo, by }, null, at(noon));
  if (refusal === null && type === 'returnCase' && found.kind !== 'contradiction')
    reported.byOperators += isOutgoing(found.kind) ? -cents(found.amount) : cents(found.amount);
}

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((total, amount) => total + amount, 0);
const into = ({ added }: Draft, account: string): number =>
  sum(
    added.transfers.map(
      ({ debit, credit, amount }) => ((credit === account ? 1 : 0) - (debit === account ? 1 : 0)) * cents(amount),
    ),
  );

function check(draft: Draft, reported: Reported, story: string): void {
  const { order, wallet, added } = draft;
  const uses = draft.payments.map(({ use }) => use);
  const isSeenAlone = uses.includes('evidence') && !uses.includes('credited');
  const moved = sum(reported.out.values()) - sum(reported.back.values()) + reported.byOperators;
  expect(into(draft, 'channel:fake'), `${story}: the channel's account`).toBe(moved + (isSeenAlone ? 10_000 : 0));
  const open = added.cases.filter(({ state, kind }) => state === 'open' && kind !== 'contradiction');
  const held = sum(open.map(({ kind, amount }) => (isOutgoing(kind) ? -1 : 1) * cents(amount)));
  expect(into(draft, 'suspense'), `${story}: suspense`).toBe(held);
  const isOpen = order?.status === 'processing';
  const returned = sum(
    added.entries.filter(({ type }) => type === 'PAYOUT_RETURN').map((e) => cents(e.availableChange)),
  );
  expect(returned, `${story}: returned`).toBeLessThanOrEqual(order?.status === 'completed' ? 10_000 : 0);
  expect(cents(wallet.frozen), `${story}: frozen`).toBe(isOpen ? 10_250 : 0);
  const spent = isOpen || order?.status === 'completed' ? 10_250 : 0;
  expect(cents(wallet.available), `${story}: available`).toBe(100_000 - spent + returned);
}

/** How many times as many random stories the nightly run tries. */
const depth = Number(process.env.TIDEGATE_TEST_DEPTH ?? 1);

test('the ledger has what the channel reported, whatever it reports and operators decide', () => {
  const ends = new Set<string>();
  for (let seed = 1; seed <= 300 * depth; seed++) {
    const chance = chanceOf(seed);
    const draft = aDraft(aWallet('IN', { available: '897.50', frozen: '102.50' }), anOrder('IN', {}, 'payout'));
    const reported: Reported = { out: new Map(), back: new Map(), byOperators: 0 };
    const told: ChannelAnswer[] = [];
    for (let step = 0; step < 12; step++) {
      const what = chance.below(8);
      const open = draft.added.cases.filter(({ state }) => state === 'open');
      const found = open[chance.below(Math.max(1, open.length))];
      if (what === 0) resolve(draft, chance.pick('paid', 'failed'));
      else if (what === 1 && found) decideOn(draft, found, chance.pick('creditCase', 'returnCase'), reported);
      else {
        // Some again, and late.
        const again = what === 2 ? told[chance.below(told.length)] : undefined;
        const answer = again ?? anAnswer(chance);
        told.push(answer);
        tell(draft, answer, chance.pick('callback', 'query'));
        note(reported, answer);
      }
      check(draft, reported, `seed ${seed}, step ${step}`);
    }
    ends.add(draft.order?.status ?? '');
    for (const { kind, state } of draft.added.cases) ends.add(`${kind} ${state}`);
  }
  expect([...ends].sort()).toEqual([
    ...['completed', 'contradiction open', 'contradiction returned', 'failed'],
    ...['payout_paid_again open', 'payout_paid_again returned'],
    ...['payout_returned credited', 'payout_returned open', 'payout_returned returned'],
    ...['payout_underpaid credited', 'payout_underpaid open', 'payout_underpaid returned'],
    ...['payout_wrong_amount credited', 'payout_wrong_amount open', 'payout_wrong_amount returned'],
    ...['processing', 'timeout'],
  ]);
});

test('99.00 of 100.00, resolved as paid: the frozen money covers it, and the rest is a case of the merchant', () => {
  const draft = aDraft(aWallet('IN', { available: '897.50', frozen: '102.50' }), anOrder('IN', {}, 'payout'));
  tell(draft, { outcome: 'paid', payments: [{ reference: 'P1', amount: '99.00' }] });
  expect(into(draft, 'channel:fake')).toBe(9_900);
  resolve(draft, 'paid');
  expect([into(draft, 'channel:fake'), into(draft, 'suspense')]).toEqual([9_900, 100]);
  expect(draft.added.cases.map(({ kind, state, amount }) => `${kind} ${state} ${amount}`)).toEqual([
    'payout_wrong_amount credited 99.00',
    'payout_underpaid open 1.00',
  ]);
});

test('99.00 of 100.00, resolved as failed: the merchant has its money back, and the case of what left stays open', () => {
  const draft = aDraft(aWallet('IN', { available: '897.50', frozen: '102.50' }), anOrder('IN', {}, 'payout'));
  tell(draft, { outcome: 'paid', payments: [{ reference: 'P1', amount: '99.00' }] });
  resolve(draft, 'failed');
  expect(draft.wallet).toMatchObject({ available: '1000.00', frozen: '0.00' });
  expect(draft.added.cases).toMatchObject([{ kind: 'payout_wrong_amount', state: 'open', amount: '99.00' }]);
});
