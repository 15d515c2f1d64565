import type { StatementFormat } from '@tidegate/domain/reconciliation';
import { jsonRows } from '../reading/json-rows.ts';
import type { Limits } from '../reading/limits.ts';
import { isJsonPage } from '../reading/start.ts';
import { readItem, wireItem } from './read-row.ts';

/**
 * Razorpay's reconciliation of settlements: the answers of `GET /v1/settlements/recon/combined`, one page after the
 * other, as they came.
 */
export function razorpayRecon(limits: Limits): StatementFormat {
  return {
    name: 'razorpay-recon',
    version: 2,
    recognises: (start) =>
      isJsonPage(start, { empty: /"items"\s{0,9}:\s{0,9}\[\s{0,9}\]/, page: /"items"/, item: /"entity_id"/ }),
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
