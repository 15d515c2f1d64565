import { type StatementFormat, type StatementSummary, StatementUnreadable } from '@tidegate/domain/reconciliation';
import { BadRow } from '../reading/bad-row.ts';
import { dayIn, daysAfter, readIsoTime } from '../reading/dates.ts';
import { jsonRows } from '../reading/json-rows.ts';
import type { Limits } from '../reading/limits.ts';
import { isJsonPage } from '../reading/start.ts';
import { readTransaction, wireTransaction } from './read-row.ts';

/**
 * Opn's transactions: the answers of `GET /transactions`, one page after the other, as they came. Ask with
 * `expand=true`: only then is there a gross amount.
 */
export function opnTransactions(limits: Limits): StatementFormat {
  return {
    name: 'opn-transactions',
    version: 4,
    recognises: (start) =>
      isJsonPage(start, {
        empty: /"data"\s{0,9}:\s{0,9}\[\s{0,9}\]/,
        page: /"object"\s{0,9}:\s{0,9}"list"/,
        item: /"object"\s{0,9}:\s{0,9}"transaction"/,
      }),
    async *read(bytes, options) {
      let total: number | null = null;
      let period: Period = { from: null, to: null };
      const rows = yield* jsonRows(bytes, {
        list: 'data',
        schema: wireTransaction,
        limits,
        readItem: (item, lineNo) => readTransaction(item, lineNo, { limits, options }),
        readDocument(page) {
          if (typeof page.total === 'number') total = page.total;
          period = readPeriod(page, options.timeZone);
        },
      });
      // The domain's check of `lines` is not used, because a missing page means that the file is damaged.
      if (total !== null && total !== rows)
        throw new StatementUnreadable('totals_differ', `Opn says ${total} transactions, the file has ${rows}`);
      const { from, to } = period;
      if (to === null || (from !== null && from > to)) return;
      const none = { account: null, currency: null, opening: null, closing: null };
      yield { kind: 'summary', summary: { ...none, from, to, lines: null, totalIn: null, totalOut: null } };
    },
  };
}

type Period = Pick<StatementSummary, 'from' | 'to'>;

/**
 * The whole days between `from` and `to` of a page (https://docs.omise.co/api-pagination). If the request had no
 * `from`, Opn answers 1970, which is not used as the first day.
 */
function readPeriod(page: Readonly<Record<string, unknown>>, timeZone: string): Period {
  try {
    const [from, to] = [page.from, page.to].map((text) =>
      typeof text !== 'string' || text.startsWith('1970-01-01') ? null : readIsoTime(text, 'UTC'),
    );
    return {
      from: from ? daysAfter(dayIn(from - 1, timeZone), 1) : null,
      // `to` may be the last second of a day, or the first second of the next day.
      to: to ? daysAfter(dayIn(to + 1_000, timeZone), -1) : null,
    };
  } catch (error) {
    if (error instanceof BadRow) throw new StatementUnreadable('damaged', 'the period of a page cannot be read');
    throw error;
  }
}
