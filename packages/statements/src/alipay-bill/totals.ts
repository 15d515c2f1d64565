import { StatementUnreadable } from '@tidegate/domain/reconciliation';
import { absolute, asDecimal, type Hundredths, readAmount } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { daysAfter, dayText } from '../reading/dates.ts';
import type { AlipayRow } from './read-row.ts';

/** What the bill says about itself in the lines that begin with `#`. */
export interface BillNotes {
  account: string | null;
  from: string | null;
  to: string | null;
  payins: Total | null;
  refunds: Total | null;
}

interface Total {
  count: number;
  received: Hundredths;
}

export const noNotes: BillNotes = { account: null, from: null, to: null, payins: null, refunds: null };

/** Adds a line to the notes. Its commas and colons may be full-width characters. */
export function readNote(notes: BillNotes, line: string, lineNo: number): BillNotes {
  const text = line.replaceAll('：', ':').replaceAll('，', ',');
  const [, account] = /账号:\[([^[\]]*)\]/.exec(text) ?? [];
  const [, from, to] = /起始日期:\[([^[\]]*)\]\s{0,8}终止日期:\[([^[\]]*)\]/.exec(text) ?? [];
  const [, kind, count = '', received = ''] =
    /(交易|退款)合计:(\d{1,9})笔,商家实收(?:退款)?共(-?[\d.]{1,18})元/.exec(text) ?? [];
  try {
    const total = { count: Number(count), received: absolute(readAmount(received || '0', 'the total')) };
    return {
      account: account ?? notes.account,
      from: from === undefined ? notes.from : dayOf(from),
      to: to === undefined ? notes.to : lastDay(to),
      payins: kind === '交易' ? total : notes.payins,
      refunds: kind === '退款' ? total : notes.refunds,
    };
  } catch (error) {
    if (error instanceof BadRow) throw new StatementUnreadable('damaged', error.message, lineNo);
    throw error;
  }
}

/** `2026年11月01日 00:00:00` */
function dayOf(text: string): string {
  const [, year, month, day] = /^(\d{4})年(\d\d)月(\d\d)日/.exec(text) ?? [];
  if (year === undefined) throw new BadRow('the period cannot be read');
  return dayText({ year: Number(year), month: Number(month), day: Number(day) });
}

/** The last day of the period. The end of the period is not included if it is midnight. */
function lastDay(text: string): string {
  const day = dayOf(text);
  return text.endsWith(' 00:00:00') ? daysAfter(day, -1) : day;
}

/** Adds up the rows, for the comparison with the totals of the bill. */
export class Totals {
  #rows = 0;
  #isWhole = true;
  readonly #read = { payin: { count: 0, received: 0n }, refund: { count: 0, received: 0n } };

  get rows(): number {
    return this.#rows;
  }

  /** Adds a row; null for a row that was set aside. */
  add(row: AlipayRow | null): void {
    this.#rows += 1;
    if (row === null || row.type === 'unknown') this.#isWhole = false;
    else {
      this.#read[row.type].count += 1;
      this.#read[row.type].received += row.received;
    }
  }

  /**
   * Throws StatementUnreadable if rows are missing, or if the totals differ. A row that was set aside counts as a row
   * without an amount.
   */
  compare({ payins, refunds }: BillNotes): void {
    if (payins === null || refunds === null)
      throw new StatementUnreadable('damaged', 'the totals at the end are missing');
    const rowCount = payins.count + refunds.count;
    if (rowCount !== this.#rows)
      throw new StatementUnreadable('totals_differ', `the bill says ${rowCount} rows and has ${this.#rows}`);
    if (!this.#isWhole) return;
    compareTotal('payments', payins, this.#read.payin);
    compareTotal('refunds', refunds, this.#read.refund);
  }
}

function compareTotal(what: string, stated: Total, found: Total): void {
  if (stated.count === found.count && stated.received === found.received) return;
  const words = ({ count, received }: Total) => `a count of ${count} and a total of ${asDecimal(received)}`;
  throw new StatementUnreadable(
    'totals_differ',
    `${what}: the bill states ${words(stated)}, but its rows have ${words(found)}`,
  );
}
