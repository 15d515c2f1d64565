import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, Given, given } from '../testing/given.ts';
import { anOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import type { Command, RefundRef } from './commands.ts';
import { Money } from './money.ts';
import type { RefundAnswer } from './refund-answer.ts';

// Operators, workers that die, and a channel that loses answers, in random order: the money of a case leaves once. What
// leaves again after operators were wrong is booked.

const by = { actor: 'ann', approver: 'bob', reason: 'checked' };

/** A channel that moves the money of one number once, and never moves what it refused. */
class ModelChannel {
  readonly moved = new Set<string>();
  readonly refused = new Set<string>();

  send(refundNo: string, chance: number): RefundAnswer {
    if (chance % 5 === 0 && !this.moved.has(refundNo)) this.refused.add(refundNo);
    else if (chance % 3 !== 0 && !this.refused.has(refundNo)) this.moved.add(refundNo);
    return chance % 2 === 0 ? { outcome: 'unknown', why: 'no_answer', detail: 'lost' } : this.query(refundNo);
  }

  query(refundNo: string): RefundAnswer {
    if (this.moved.has(refundNo)) return { outcome: 'refunded', refundRef: refundNo };
    if (this.refused.has(refundNo)) return { outcome: 'refused', reason: 'no' };
    return { outcome: 'unknown', why: 'not_found', detail: 'none', maySendAgain: true };
  }
}

/** A call on its way to the channel, or its answer on its way to the ledger. */
interface Late extends RefundRef {
  answer: () => RefundAnswer;
  during: 'send' | 'query';
}

class Simulation {
  #now = noon;
  #ledger: Given;
  #numbers = 0;
  #late: Late[] = [];
  readonly channel = new ModelChannel();
  readonly #refunds = new Map<string, NonNullable<Given['state']['refund']>>();

  constructor() {
    const opened = given(aWallet('TH'), anOrder('TH')).whenReportedEach([
      { outcome: 'failed', reason: 'no' },
      { outcome: 'paid', payments: [{ reference: 'P1', amount: '100.00' }] },
    ]);
    this.#ledger = new Given(opened.state);
  }

  /** The refunds whose money the ledger has booked. */
  get booked(): string[] {
    return [...this.#refunds.values()].filter((one) => one.transferNo !== null).map((one) => one.refundNo);
  }

  get ledger(): Given {
    return this.#ledger;
  }

  #do(command: Command, refundNo?: string): boolean {
    const refund = (refundNo !== undefined && this.#refunds.get(refundNo)) || null;
    const { state, events } = this.#ledger;
    const done = new Given({ ...state, refund }, events).when(command, at(this.#now));
    if (done.refusal !== null) return false;
    this.#ledger = done;
    const after = done.state.refund;
    if (after) this.#refunds.set(after.refundNo, after);
    return true;
  }

  step(what: number, chance: number): void {
    this.#now += 1 + chance;
    const named = { merchantId: 'TH-1', caseNo: 1 };
    const orderNo = this.#ledger.order.orderNo;
    if (what === 0) this.#do({ type: 'returnCase', ...named, orderNo, refundNo: `RF${++this.#numbers}`, by });
    else if (what === 1) this.#do({ type: 'returnCase', ...named, orderNo, by });
    else if (what === 2) this.#do({ type: 'creditCase', ...named, orderNo, by });
    else if (what === 3) this.deliver(chance);
    else if (what === 9) this.resolve();
    else this.work(chance);
  }

  /** Operators end the refund by what they see at the channel now. They miss what has not arrived there. */
  resolve(): void {
    const refundNo = this.#ledger.state.cases[0]?.refundNo;
    if (!refundNo) return;
    const outcome = this.channel.moved.has(refundNo) ? 'refunded' : 'failed';
    const ref = { merchantId: 'TH-1', caseNo: 1, refundNo };
    this.#do({ type: 'resolveRefund', ...ref, outcome, evidence: 'seen', by }, refundNo);
  }

  /** A worker takes what is due, calls the channel, and applies the answer now, later or never. */
  work(chance: number, place = chance): void {
    const due = [...this.#refunds.values()].filter((one) => one.nextActionAt !== null && one.nextActionAt <= this.#now);
    const refund = due[place % Math.max(1, due.length)];
    if (!refund) return;
    const { refundNo, attempt, nextAction } = refund;
    const ref = { merchantId: 'TH-1', caseNo: 1, refundNo };
    const action = nextAction === 'send' ? 'send' : 'query';
    const claim = { type: 'claimRefund', id: `${refundNo} ${attempt}`, action, attempt, lease: 25_000 } as const;
    if (!this.#do({ ...claim, ...ref }, refundNo)) return;
    if (chance % 7 === 0) return;
    const call = () => (action === 'send' ? this.channel.send(refundNo, chance) : this.channel.query(refundNo));
    // A network can hold up a call as well as its answer.
    const answer = chance % 11 === 0 ? null : call();
    this.#late.push({ ...ref, answer: () => answer ?? call(), during: action });
    if (chance % 4 !== 0) this.deliver(0);
  }

  deliver(chance: number): void {
    const [late] = this.#late.splice(chance % Math.max(1, this.#late.length), 1);
    if (late) this.#do({ type: 'applyRefund', ...late, answer: late.answer() }, late.refundNo);
  }

  /** The workers go on until nothing is under way. The channel answers from now on. */
  settle(): void {
    while (this.#late.length > 0) this.deliver(0);
    for (let round = 0; round < 90; round++) {
      this.#now += 7_300_000;
      for (let place = this.#refunds.size; place > 0; place--) this.work(13, place);
      this.deliver(0);
    }
  }
}

const runOf = (steps: [number, number][]): Simulation => {
  const run = new Simulation();
  for (const [what, chance] of steps) run.step(what, chance);
  run.settle();
  return run;
};
const stepsTo = (max: number) => fc.array(fc.tuple(fc.integer({ min: 0, max }), fc.nat(60_000)), { maxLength: 40 });
const outOf = ({ ledger }: Simulation): string =>
  all(ledger.events, 'transfer')
    .filter(({ debit }) => debit === 'suspense')
    .reduce((sum, { amount }) => sum.plus(Money.of(amount, 'THB')), Money.zero('THB'))
    .toString();

test('the money of a case leaves suspense once, in any order of workers and channel answers', () => {
  fc.assert(
    fc.property(stepsTo(8), (steps) => {
      const run = runOf(steps);
      const { cases } = run.ledger.state;
      const [found] = cases;
      expect(cases).toHaveLength(1);
      expect(outOf(run)).toBe(found?.state === 'open' ? '0.00' : '100.00');
      // The channel moved it if, and only if, the ledger says so.
      expect([...run.channel.moved]).toEqual(found?.refundNo ? [found.refundNo] : []);
      expect(found?.state === 'open' ? found.refundNo : null).toBeNull();
    }),
    { numRuns: 80 },
  );
});

test('if operators end refunds by evidence, every movement of the channel is booked, and a case shows money that left twice', () => {
  fc.assert(
    fc.property(stepsTo(9), (steps) => {
      const run = runOf(steps);
      const [found, ...others] = run.ledger.state.cases;
      const moved = [...run.channel.moved];
      expect(run.booked.toSorted()).toEqual(moved.toSorted());
      const byHand = found?.state !== 'open' && found?.refundNo === null ? 1 : 0;
      expect(outOf(run)).toBe(Money.of(`${(moved.length + byHand) * 100}.00`, 'THB').toString());
      expect(found?.state === 'open' ? found.refundNo : null).toBeNull();
      expect(others.map(({ kind }) => kind)).toEqual(
        moved.filter((refundNo) => refundNo !== found?.refundNo).map(() => 'payout_paid_again'),
      );
    }),
    { numRuns: 80 },
  );
});
