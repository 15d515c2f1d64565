import { z } from 'zod';
import type { Order } from '../core/order.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { OrderRow } from '../database/entities/order.ts';
import { assignedAs, assignedFilter } from '../lists/assigned.ts';
import { given } from '../lists/conditions.ts';
import { merchantIds, text } from '../lists/filter-parts.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { amongMerchants, type Scope } from '../lists/scope.ts';
import type { Add } from '../lists/values.ts';

/**
 * `available`: not claimed. `claimed`: an operator is paying it. `asked`: the claim ran out, and the operator is asked
 * whether they paid. `proven`: the operator says that it is paid.
 */
export const payoutTaskFilter = z.strictObject({
  merchantIds,
  state: z.enum(['available', 'claimed', 'asked', 'proven']).nullish(),
  claimedBy: text.nullish(),
  ...assignedFilter,
});
export type PayoutTaskFilter = z.infer<typeof payoutTaskFilter>;

/** Open payout tasks as their orders, the oldest first or by amount the largest first, unless `isReversed`. */
export function pagePayoutTasks(
  { database }: { database: Database },
  scope: Scope,
  filter: PayoutTaskFilter,
  page: PageRequest<'payout_tasks' | 'payout_tasks_by_amount'>,
  { isReversed = false }: { isReversed?: boolean } = {},
): Promise<Page<Order>> {
  return readPage(
    database.reading,
    {
      table: 'orders',
      isReversed,
      columns: columnsOf(database.orm, OrderRow),
      // The index of open payouts has few rows, so merchants need not be looked up one by one.
      merchants: null,
      indexConditions: () => [`t.kind = 'payout'`, states[filter.state ?? 'any']],
      rowConditions: (add) => [
        `t.mode = 'market'`,
        ...amongMerchants(filter.merchantIds ?? null, scope, add),
        ...given(claimedBy(filter, add), ...assignedAs(filter, 't.order_no', add)),
      ],
    },
    page,
  );
}

const states = {
  any: `t.status in ('market_available', 'processing')`,
  available: `t.status = 'market_available'`,
  claimed: `t.status = 'processing' and t.task -> 'proof' = 'null' and t.task -> 'askedAt' is null`,
  asked: `t.status = 'processing' and t.task -> 'proof' = 'null' and t.task -> 'askedAt' is not null`,
  proven: `t.status = 'processing' and t.task -> 'proof' <> 'null'`,
} as const;

function claimedBy(filter: PayoutTaskFilter, add: Add): string | null {
  return filter.claimedBy == null ? null : `t.task ->> 'claimedBy' = ${add(filter.claimedBy)}`;
}
