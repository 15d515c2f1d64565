import { StatementUnreadable } from '@tidegate/domain/reconciliation';
import { asDecimal, type Hundredths } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { readAmountInHundredths } from './fields.ts';
import type { Bai2Record } from './records.ts';

interface Level {
  sum: Hundredths;
  records: number;
  /** The number of accounts of a group, or of groups of the file. */
  children: number;
}

const empty = (): Level => ({ sum: 0n, records: 0, children: 0 });

/**
 * Compares the control totals of accounts (49), groups (98) and the file (99): the sum of all amounts with their signs,
 * and the number of records. If an amount of a record cannot be read, only the numbers of records are compared.
 */
export class ControlTotals {
  readonly #levels = [empty(), empty(), empty()];
  #isWhole = true;

  /**
   * Adds a record that is not a trailer, with its amounts; null if they cannot be read. The header of a group belongs
   * to no account.
   */
  add({ physical, code }: Bai2Record, amounts: readonly Hundredths[] | null): void {
    if (amounts === null) this.#isWhole = false;
    const lowest = code === '01' ? 2 : code === '02' ? 1 : 0;
    for (const level of this.#levels.slice(lowest)) level.records += physical;
    const [account] = this.#levels;
    if (account) account.sum += (amounts ?? []).reduce((sum, amount) => sum + amount, 0n);
  }

  /** Compares a trailer. `depth`: 0 an account, 1 a group, 2 the file. Throws StatementUnreadable. */
  close(depth: 0 | 1 | 2, record: Bai2Record): void {
    for (const level of this.#levels) level.records += record.physical;
    const level = this.#levels[depth] ?? empty();
    const { lineNo, code, fields } = record;
    const [total, ...counts] = this.#read(record);
    const [records, children] = depth === 0 ? [counts[0], undefined] : [counts[1], counts[0]];
    const differs = (what: string, has: unknown, says: unknown) =>
      new StatementUnreadable('totals_differ', `record ${code} says ${says} ${what}, the file has ${has}`, lineNo);
    if (this.#isWhole && total !== level.sum) throw differs('in all', asDecimal(level.sum), asDecimal(total ?? 0n));
    if (fields.length > 1 && records !== BigInt(level.records)) throw differs('records', level.records, records);
    if (children !== undefined && children !== BigInt(level.children))
      throw differs(depth === 1 ? 'accounts' : 'groups', level.children, children);
    this.#closeLevel(depth, level);
  }

  #read({ fields, lineNo, code }: Bai2Record): Hundredths[] {
    try {
      return fields.map((field) => readAmountInHundredths(field.trim(), `record ${code}`));
    } catch (error) {
      if (error instanceof BadRow) throw new StatementUnreadable('damaged', error.message, lineNo);
      throw error;
    }
  }

  #closeLevel(depth: number, level: Level): void {
    const parent = this.#levels[depth + 1];
    if (parent) {
      parent.sum += level.sum;
      parent.children += 1;
    }
    this.#levels[depth] = empty();
    // Records of a closed group do not belong to the next account.
    for (let below = 0; below < depth; below++) this.#levels[below] = empty();
  }
}
