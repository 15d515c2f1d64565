import { type StatementFormat, StatementUnreadable } from '@tidegate/domain/reconciliation';
import type { Limits } from '../limits.ts';
import { jsonRows } from '../reading/json-rows.ts';
import { readTransaction, wireTransaction } from './read-row.ts';

/**
 * Opn's transactions: the answers of `GET /transactions`, one page after the other, as they came. Ask with
 * `expand=true`: only then is there a gross amount.
 */
export function opnTransactions(limits: Limits): StatementFormat {
  return {
    name: 'opn-transactions',
    version: 1,
    async *read(bytes, options) {
      let total: number | null = null;
      const rows = yield* jsonRows(bytes, {
        ...{ list: 'data', schema: wireTransaction, limits },
        readItem: (item, lineNo) => readTransaction(item, lineNo, { limits, options }),
        readDocument(page) {
          if (typeof page.total === 'number') total = page.total;
        },
      });
      // Not the domain's check of `lines`: a page that is missing is a file that is damaged.
      if (total !== null && total !== rows)
        throw new StatementUnreadable('totals_differ', `Opn says ${total} transactions, the file has ${rows}`);
    },
  };
}
