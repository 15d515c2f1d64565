import type { StatementFormat } from '@tidegate/domain/reconciliation';
import type { Limits } from '../limits.ts';
import { jsonRows } from '../reading/json-rows.ts';
import { readItem, wireItem } from './read-row.ts';

/**
 * Razorpay's reconciliation of settlements: the answers of `GET /v1/settlements/recon/combined`, one page after the
 * other, as they came.
 */
export function razorpayRecon(limits: Limits): StatementFormat {
  return {
    name: 'razorpay-recon',
    version: 2,
    async *read(bytes, options) {
      yield* jsonRows(bytes, {
        list: 'items',
        schema: wireItem,
        limits,
        readItem: (item, lineNo) => readItem(item, lineNo, { limits, options }),
      });
    },
  };
}
