import {
  type StatementFormat,
  type StatementRow,
  type StatementSummary,
  StatementUnreadable,
} from '@tidegate/domain/reconciliation';
import { asDecimal, type Hundredths } from '../reading/amounts.ts';
import { BadRow, rowsOrUnparsed } from '../reading/bad-row.ts';
import { boundedBytes } from '../reading/bytes.ts';
import { daysAfter, earlierDay } from '../reading/dates.ts';
import type { Limits } from '../reading/limits.ts';
import { startText } from '../reading/start.ts';
import { decodeText, textLines } from '../reading/text.ts';
import { type Field, swiftFields } from './fields.ts';
import { type RowContext, readEntry, readSwiftAmount, readSwiftDay } from './read-row.ts';

/**
 * SWIFT MT 940, with or without SWIFT's envelope. A file may have several statements, and a statement several messages
 * (fields 60M and 62M). Texts are Latin; only references are used of them.
 *
 * Field 60F repeats field 62F of the statement before, as SWIFT says, so this one begins on the day after. Some banks
 * write their first day instead: lines of that day cover it.
 */
export function mt940(limits: Limits): StatementFormat {
  return {
    name: 'mt940',
    version: 5,
    recognises: (start) => /(?:^|[\r\n]):60[FM]:[CD]\d{6}/.test(startText(start)),
    async *read(bytes, options) {
      const lines = textLines(decodeText(boundedBytes(bytes, limits.bytes), 'utf-8'), limits);
      const reader = new Reader({ options, limits });
      for await (const field of swiftFields(lines, limits)) yield* reader.take(field);
      reader.end();
    },
  };
}

interface Open {
  account: string | null;
  currency: string;
  opening: Hundredths;
  /** The first day after the opening balance. */
  from: string;
  /** The closing balance of a message that is not the last one of its statement. */
  between: Hundredths | null;
}

class Reader {
  readonly #context: Omit<RowContext, 'currency'>;
  #account: string | null = null;
  #open: Open | null = null;
  /** A field 61 whose field 86 may follow. */
  #entry: Field | null = null;
  #statements = 0;

  constructor(context: Omit<RowContext, 'currency'>) {
    this.#context = context;
  }

  take(field: Field): StatementRow[] {
    const { tag, text, lineNo } = field;
    if (tag === '86') return this.#endEntry(text);
    const before = this.#endEntry('');
    switch (tag) {
      case '25':
      case '25P':
        this.#account = text.split('\n')[0]?.trim() ?? null;
        return before;
      case '60F':
      case '60M':
        this.#begin(field);
        return before;
      case '61':
        if (this.#open === null)
          throw new StatementUnreadable('damaged', 'an entry without an opening balance', lineNo);
        this.#entry = field;
        return before;
      case '62F':
      case '62M':
        return [...before, ...this.#close(field)];
      default:
        return before;
    }
  }

  end(): void {
    if (this.#open !== null)
      throw new StatementUnreadable('damaged', 'the last statement has no closing balance (62F)');
    if (this.#statements === 0)
      throw new StatementUnreadable('other_format', 'the file has no statement (60F and 62F)');
  }

  #begin(field: Field): void {
    const { balance, currency, day } = readBalance(field);
    const { lineNo } = field;
    if (field.tag === '60F') {
      if (this.#open !== null)
        throw new StatementUnreadable('damaged', 'the statement before has no closing balance', lineNo);
      this.#open = { account: this.#account, currency, opening: balance, from: daysAfter(day, 1), between: null };
      return;
    }
    const { between = null, account = null } = this.#open ?? {};
    if (this.#open === null || between === null)
      throw new StatementUnreadable('damaged', 'the first message of this statement is missing', lineNo);
    if (account !== this.#account || between !== balance)
      throw new StatementUnreadable('damaged', 'a message of this statement is missing', lineNo);
    this.#open.between = null;
  }

  #endEntry(info: string): StatementRow[] {
    const [entry, open] = [this.#entry, this.#open];
    this.#entry = null;
    if (entry === null || open === null) return [];
    const context = { ...this.#context, currency: open.currency };
    return rowsOrUnparsed(entry.lineNo, () => readEntry(entry.lineNo, entry.text, info, context));
  }

  #close(field: Field): StatementRow[] {
    const { balance, currency, day } = readBalance(field);
    const open = this.#open;
    if (open === null)
      throw new StatementUnreadable('damaged', 'a closing balance without an opening one', field.lineNo);
    if (currency !== open.currency)
      throw new StatementUnreadable('damaged', 'the balances have two currencies', field.lineNo);
    if (field.tag === '62M') {
      open.between = balance;
      return [];
    }
    this.#open = null;
    this.#statements += 1;
    const summary: StatementSummary = {
      account: open.account,
      currency,
      from: earlierDay(open.from, day),
      to: day,
      opening: asDecimal(open.opening),
      closing: asDecimal(balance),
      lines: null,
      totalIn: null,
      totalOut: null,
    };
    return [{ kind: 'summary', summary }];
  }
}

/** `C141231EUR27,`, which the end of the message may follow in the same line. */
function readBalance({ text, lineNo, tag }: Field): { balance: Hundredths; currency: string; day: string } {
  const [, mark, date = '', currency = '', amount = ''] =
    /^([CD])(\d{6})([A-Z]{3})(\d[\d,]*)\s*(?:-?\}|\n|$)/.exec(text) ?? [];
  try {
    if (mark === undefined) throw new BadRow('it cannot be read');
    const read = readSwiftAmount(amount);
    return { balance: mark === 'C' ? read : -read, currency, day: readSwiftDay(date) };
  } catch (error) {
    if (error instanceof BadRow) throw new StatementUnreadable('damaged', `field ${tag}: ${error.message}`, lineNo);
    throw error;
  }
}
