import { StatementUnreadable } from '@tidegate/domain/reconciliation';
import { asDecimal, type Hundredths } from './amounts.ts';

interface Step {
  balance: Hundredths;
  /** The change of the balance by the row. */
  change: Hundredths;
  /** Unix milliseconds. */
  at: number;
}

/**
 * Follows the balance after each row, whether the oldest or the newest row comes first. Finds the balances before the
 * first and after the last row. If a row was set aside, these balances are unknown.
 */
export class RunningBalance {
  #first: Step | null = null;
  #last: Step | null = null;
  #rises = true;
  #falls = true;
  #isWhole = true;
  readonly #usual: 'oldest first' | 'newest first';

  /** `usual`: the order of the rows if neither balances nor times show it. */
  constructor(usual: 'oldest first' | 'newest first') {
    this.#usual = usual;
  }

  add(balance: Hundredths, change: Hundredths, at: number): void {
    const step = { balance, change, at };
    if (this.#last !== null) {
      this.#rises &&= this.#last.balance + change === balance;
      this.#falls &&= balance + this.#last.change === this.#last.balance;
    }
    this.#first ??= step;
    this.#last = step;
  }

  /** Takes a row that has only a balance. False, without an effect, if it is neither that before the last row nor that after it. */
  repeat(balance: Hundredths): boolean {
    const last = this.#last;
    if (last !== null && balance !== last.balance && balance !== last.balance - last.change) return false;
    this.add(balance, 0n, last?.at ?? Number.NaN);
    return true;
  }

  skip(): void {
    this.#isWhole = false;
  }

  /** Throws StatementUnreadable if the balances do not follow from the rows. */
  ends(): { opening: string | null; closing: string | null } {
    const [first, last] = [this.#first, this.#last];
    if (first === null || last === null || !this.#isWhole) return { opening: null, closing: null };
    if (!this.#rises && !this.#falls)
      throw new StatementUnreadable('totals_differ', 'the balances do not follow from the rows: some are missing');
    const [oldest, newest] = this.#isOldestFirst(first, last) ? [first, last] : [last, first];
    return { opening: asDecimal(oldest.balance - oldest.change), closing: asDecimal(newest.balance) };
  }

  /** Balances alone may be correct in both orders, for example if a payout came back. */
  #isOldestFirst(first: Step, last: Step): boolean {
    if (this.#rises !== this.#falls) return this.#rises;
    if (first.at < last.at || first.at > last.at) return first.at < last.at;
    return this.#usual === 'oldest first';
  }
}
