import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { at, aWallet, noon } from '../testing/on-paper.ts';
import { aSettlement } from '../testing/settlements-on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';
import type { Command } from './commands.ts';

// Operators, workers that die, a channel that loses answers and a bank that returns money, in random order.
// The amount of a settlement leaves through its channel once at most, and the ledger says what the channel was seen to move.

const by = { actor: 'ann', approver: 'bob', reason: 'checked' };
const named = { merchantId: 'TH-1', seq: 1, settlementNo: 'STTEST000001' };
const paid = { reference: 'UTR-1', amount: '100.00' };
/** Money that left for it besides, in another amount. */
const other = { reference: 'UTR-0', amount: '40.00' };

/** A channel that pays a number once, never pays what it refused, and whose bank may return it later. */
class ModelChannel {
  sends = 0;
  #state: 'none' | 'open' | 'paid' | 'refused' | 'returned' = 'none';

  get hasPaid(): boolean {
    return this.#state === 'paid' || this.#state === 'returned';
  }

  send(chance: number): void {
    this.sends += 1;
    if (this.#state !== 'none') return;
    if (chance % 5 !== 4) this.#state = chance % 4 === 0 ? 'refused' : 'open';
  }

  work(chance: number): void {
    if (this.#state === 'open' && chance % 3 > 0) this.#state = chance % 3 === 1 ? 'paid' : 'refused';
    else if (this.#state === 'paid' && chance % 4 === 0) this.#state = 'returned';
  }

  query(chance: number): ChannelAnswer {
    if (chance % 3 === 0) return { outcome: 'unknown', why: 'no_answer', detail: 'lost' };
    switch (this.#state) {
      case 'none':
        return { outcome: 'unknown', why: 'not_found', detail: 'none' };
      case 'open':
        return { outcome: 'accepted', channelRef: 'C-1' };
      case 'paid':
        return { outcome: 'paid', payments: chance % 5 === 4 ? [other, paid] : [paid] };
      case 'returned':
        return { outcome: 'returned', payments: [paid], returned: { ...paid, reference: 'UTR-2' }, reason: 'closed' };
      default:
        return { outcome: 'failed', reason: 'no' };
    }
  }
}

class Simulation {
  #now = noon;
  #ledger: Given;
  #late: { answer: () => ChannelAnswer; during: 'send' | 'query' }[] = [];
  readonly channel = new ModelChannel();
  hasSeenOther = false;

  constructor() {
    const settlement = aSettlement({ state: 'approved', approvedAt: noon });
    this.#ledger = given(aWallet('TH', { available: '0.00' }), null, { settlement });
  }

  get ledger(): Given {
    return this.#ledger;
  }

  #do(command: Command): boolean {
    const done = this.#ledger.when(command, at(this.#now));
    if (done.refusal !== null) return false;
    this.#ledger = done;
    const answer = command.type === 'applySettlementPayment' ? command.answer : null;
    if (answer?.outcome === 'paid' && answer.payments.includes(other)) this.hasSeenOther = true;
    return true;
  }

  step(what: number, chance: number): void {
    this.#now += 1 + chance * 1_000;
    const { settlement } = this.#ledger.state;
    if (!settlement) return;
    if (what === 0)
      this.#do({ type: 'sendSettlement', ...named, channelId: 'fake', channelBankCode: null, paymentNo: 'SP1', by });
    else if (what === 1) this.#work(chance);
    else if (what === 2) this.channel.work(chance);
    else if (what === 3) this.#arrive(chance);
    else if (what === 4) this.#end(chance);
    else if (what === 5) this.#do({ type: 'paySettlement', ...named, reference: 'R', by });
  }

  /** A worker takes the next call. It may die before or after it, and its answer may be late. */
  #work(chance: number): void {
    const { settlement } = this.#ledger.state;
    if (!settlement?.nextAction || settlement.nextActionAt === null) return;
    if (chance % 2 === 0) this.#now = Math.max(this.#now, settlement.nextActionAt);
    const { nextAction: during, attempt } = settlement;
    if (!this.#do({ type: 'claimSettlementPayment', ...named, action: during, attempt, lease: 25_000 })) return;
    if (chance % 7 === 0) return;
    if (during === 'send') this.channel.send(chance);
    const answer = (): ChannelAnswer => this.channel.query(chance);
    if (chance % 4 === 1) this.#late.push({ answer, during });
    else this.#do({ type: 'applySettlementPayment', ...named, paymentNo: 'SP1', answer: answer(), during });
  }

  #arrive(chance: number): void {
    const [one] = this.#late.splice(chance % Math.max(1, this.#late.length), 1);
    if (one)
      this.#do({
        type: 'applySettlementPayment',
        ...named,
        paymentNo: 'SP1',
        answer: one.answer(),
        during: one.during,
      });
  }

  /** Operators see what the channel knows; sometimes they are wrong. */
  #end(chance: number): void {
    const { settlement } = this.#ledger.state;
    if (!settlement?.paymentNo) return;
    const isRight = chance % 5 > 0;
    if (this.channel.hasPaid === isRight) this.#do({ type: 'confirmSettlement', ...named, reference: 'UTR', by });
    else this.#do({ type: 'failSettlement', ...named, seen: settlement.state, detail: 'no', bookingNo: 'B', by });
  }
}

const steps = fc.array(fc.tuple(fc.nat(5), fc.nat(60)), { maxLength: 40 });

test('in any order of events each settlement amount moves once, and no money leaves twice', () => {
  fc.assert(
    fc.property(steps, (chosen) => {
      const simulation = new Simulation();
      for (const [what, chance] of chosen) simulation.step(what, chance);
      const { ledger, channel } = simulation;
      const { settlement, wallet } = ledger.state;
      const transfers = all(ledger.events, 'transfer');
      const count = (cause: string): number => transfers.filter((one) => one.cause === cause).length;
      const [out, back] = [count('settlement_paid'), count('settlement_returned')];
      const borne = transfers.filter((one) => one.cause === 'suspense_out').map(({ amount }) => amount);
      const late = borne.filter((amount) => amount === '100.00').length;
      // Whatever the channel reported besides is booked once, with a case.
      expect(borne.filter((amount) => amount === other.amount)).toHaveLength(simulation.hasSeenOther ? 1 : 0);
      expect(out + late).toBeLessThanOrEqual(1);
      expect(back).toBeLessThanOrEqual(out);
      expect(count('adjustment')).toBe(settlement?.state === 'failed' ? 1 : 0);
      expect(wallet.available).toBe(settlement?.state === 'failed' ? '100.00' : '0.00');
      if (settlement?.state === 'confirmed' && settlement.paymentNo !== null) expect(out).toBe(1);
      const amounts = transfers.map(({ amount }) => amount);
      expect(amounts.filter((amount) => amount !== '100.00' && amount !== other.amount)).toEqual([]);
      // What an operator claimed by hand never reaches the channel.
      if (settlement?.paymentNo === null) expect(channel.sends).toBe(0);
    }),
    { numRuns: 2_000 },
  );
});
