import { z } from 'zod';
import type { Order } from '../core/order.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { OrderRow } from '../database/entities/order.ts';
import { isStuck, stuckAfter } from '../ledger/index.ts';
import { assignedAs, assignedFilter } from '../lists/assigned.ts';
import { given, isOneOf } from '../lists/conditions.ts';
import { anyOf, channelId, merchantIds } from '../lists/filter-parts.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { amongMerchants, type Scope } from '../lists/scope.ts';

export const stuckPayoutFilter = z.strictObject({
  merchantIds,
  channelIds: anyOf(channelId),
  ...assignedFilter,
  waitingMinutes: z.number().int().min(1).max(525_600).nullish(),
});
export type StuckPayoutFilter = z.infer<typeof stuckPayoutFilter>;

/**
 * Payouts that have waited for their channel's definite answer for more than `waitingMinutes`, the oldest first or
 * by amount the largest first, unless `isReversed`. The default is an hour.
 * The scale of all waits applies to both.
 */
export function pageStuckPayouts(
  { database, scheduleScale }: { database: Database; scheduleScale: number },
  scope: Scope,
  filter: StuckPayoutFilter,
  page: PageRequest<'stuck_payouts' | 'stuck_payouts_by_amount'>,
  { isReversed = false }: { isReversed?: boolean } = {},
): Promise<Page<Order>> {
  return readPage(
    database.reading,
    {
      table: 'orders',
      isReversed,
      columns: columnsOf(database.orm, OrderRow),
      // The index of open payouts holds few rows, so merchants are not looked up one by one.
      merchants: null,
      indexConditions: (add) => [isStuck(add(waitingMs(filter) * scheduleScale))],
      rowConditions: (add) => [
        ...amongMerchants(filter.merchantIds ?? null, scope, add),
        ...given(isOneOf('t.channel_id', filter.channelIds, add), ...assignedAs(filter, 't.order_no', add)),
      ],
    },
    page,
  );
}

function waitingMs({ waitingMinutes }: StuckPayoutFilter): number {
  return waitingMinutes ? waitingMinutes * 60_000 : stuckAfter;
}
