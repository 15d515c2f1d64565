import {
  type StatementFormat,
  type StatementRow,
  type StatementSummary,
  StatementUnreadable,
} from '@tidegate/domain/reconciliation';
import { asDecimal, type Hundredths } from '../reading/amounts.ts';
import { BadRow, rowsOrUnparsed } from '../reading/bad-row.ts';
import { boundedBytes } from '../reading/bytes.ts';
import type { Limits } from '../reading/limits.ts';
import { startText } from '../reading/start.ts';
import { decodeText, textLines } from '../reading/text.ts';
import { ControlTotals } from './control-totals.ts';
import { readAmountInHundredths, readBaiDay, readBalances } from './fields.ts';
import { type RowContext, readTransaction } from './read-row.ts';
import { type Bai2Record, bai2Records } from './records.ts';

/** The format BAI2. Each account is a statement, and its control totals are compared. */
export function bai2(limits: Limits): StatementFormat {
  return {
    name: 'bai2',
    version: 2,
    recognises: (start) => /^\s*01[,:]/.test(startText(start)),
    async *read(bytes, options) {
      const reader = new Reader({ options, limits });
      const lines = textLines(decodeText(boundedBytes(bytes, limits.bytes), 'utf-8'), limits);
      for await (const record of bai2Records(lines, limits)) yield* reader.take(record);
      reader.end();
    },
  };
}

type Group = Pick<RowContext, 'bookedOn' | 'groupStatus' | 'currency'>;

interface Account {
  currency: string;
  summary: StatementSummary;
}

/** Records that may come after the header, in a group, in an account, and after the end. */
const allowed = {
  outside: ['01'],
  file: ['02', '99'],
  group: ['03', '98'],
  account: ['16', '49'],
  end: [] as string[],
};

class Reader {
  readonly #context: Pick<RowContext, 'options' | 'limits'>;
  readonly #totals = new ControlTotals();
  #place: keyof typeof allowed = 'outside';
  #group: Group = { bookedOn: '', groupStatus: '', currency: '' };
  #account: Account | null = null;

  constructor(context: Pick<RowContext, 'options' | 'limits'>) {
    this.#context = context;
  }

  take(record: Bai2Record): StatementRow[] {
    const { code, lineNo } = record;
    if (!allowed[this.#place].includes(code)) {
      const why = this.#place === 'outside' ? 'other_format' : 'damaged';
      throw new StatementUnreadable(why, `a record ${code} does not belong here`, lineNo);
    }
    switch (code) {
      case '01':
        return this.#move('file', record, []);
      case '02':
        this.#group = orDamaged(record, () => readGroup(record));
        return this.#move('group', record, []);
      case '03':
        return this.#openAccount(record);
      case '16':
        return this.#transaction(record);
      case '49':
        return this.#closeAccount(record);
      case '98':
        this.#totals.close(1, record);
        this.#place = 'file';
        return [];
      default:
        this.#totals.close(2, record);
        this.#place = 'end';
        return [];
    }
  }

  end(): void {
    if (this.#place === 'outside') throw new StatementUnreadable('other_format', 'the file has no record 01');
    if (this.#place !== 'end') throw new StatementUnreadable('damaged', 'the file ends before its record 99');
  }

  #move(place: keyof typeof allowed, record: Bai2Record, amounts: Hundredths[]): StatementRow[] {
    this.#place = place;
    this.#totals.add(record, amounts);
    return [];
  }

  #openAccount(record: Bai2Record): StatementRow[] {
    const balances = orDamaged(record, () => readBalances(record.fields));
    const find = (code: string) => {
      const found = balances.find((balance) => balance.code === code);
      return found === undefined ? null : asDecimal(found.amount);
    };
    const currency = record.fields[1]?.trim() || this.#group.currency;
    const summary: StatementSummary = {
      account: record.fields[0] ?? null,
      currency,
      lines: null,
      from: this.#group.bookedOn,
      to: this.#group.bookedOn,
      // Opening and closing ledger, total credits, total debits.
      opening: find('010'),
      closing: find('015'),
      totalIn: find('100'),
      totalOut: find('400'),
    };
    this.#account = { currency, summary };
    const amounts = balances.map(({ amount }) => amount);
    return this.#move('account', record, amounts);
  }

  #transaction(record: Bai2Record): StatementRow[] {
    const currency = this.#account?.currency ?? '';
    const rows = rowsOrUnparsed(record.lineNo, () =>
      readTransaction(record, { ...this.#context, ...this.#group, currency }),
    );
    this.#totals.add(record, amountOf(record));
    return rows;
  }

  #closeAccount(record: Bai2Record): StatementRow[] {
    this.#totals.close(0, record);
    this.#place = 'group';
    const summary = this.#account?.summary;
    this.#account = null;
    return summary ? [{ kind: 'summary', summary }] : [];
  }
}

/** Reads the date and currency of a group. Without a currency it is in US dollars, as the specification says. */
function readGroup({ fields }: Bai2Record): Group {
  return {
    groupStatus: fields[2]?.trim() ?? '',
    bookedOn: readBaiDay(fields[3]?.trim() ?? ''),
    currency: fields[5]?.trim() || 'USD',
  };
}

function amountOf({ fields }: Bai2Record): Hundredths[] | null {
  try {
    return [readAmountInHundredths(fields[1]?.trim() ?? '', 'the amount')];
  } catch (error) {
    if (error instanceof BadRow) return null;
    throw error;
  }
}

function orDamaged<Read>({ lineNo, code }: Bai2Record, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadRow) throw new StatementUnreadable('damaged', `record ${code}: ${error.message}`, lineNo);
    throw error;
  }
}
