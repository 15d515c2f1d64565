import { z } from 'zod';
import type { Order } from '../core/order.ts';
import type { Database } from '../store/database.ts';
import { OrderRow } from '../store/entities/order.ts';
import { columnsOf, isStuck, stuckAfter } from '../store/statements.ts';
import { given, isOneOf } from './conditions.ts';
import { anyOf, channelId, merchantIds } from './filter-parts.ts';
import type { Page, PageRequest } from './page.ts';
import { readPage } from './read-page.ts';
import { amongMerchants, type Scope } from './scope.ts';

export const stuckPayoutFilter = z.strictObject({ merchantIds, channelIds: anyOf(channelId) });
export type StuckPayoutFilter = z.infer<typeof stuckPayoutFilter>;

/** Payouts that have waited for their channel's definite answer for more than an hour (times the scale of all waits), the oldest first. */
export function pageStuckPayouts(
  { database, scheduleScale }: { database: Database; scheduleScale: number },
  scope: Scope,
  filter: StuckPayoutFilter,
  page: PageRequest<'stuck_payouts'>,
): Promise<Page<Order>> {
  return readPage<Order>(
    database.reading,
    {
      table: 'orders',
      columns: columnsOf(database.orm, OrderRow),
      key: ['created_at', 'merchant_id', 'order_no'],
      direction: 'asc',
      keyOf: ({ createdAt, merchantId, orderNo }) => [createdAt, merchantId, orderNo],
      // The index of open payouts holds few rows, so that no merchant is looked up by itself.
      merchants: null,
      access: (add) => [isStuck(add(stuckAfter * scheduleScale))],
      filters: (add) => [
        ...amongMerchants(filter.merchantIds ?? null, scope, add),
        ...given(isOneOf('t.channel_id', filter.channelIds, add)),
      ],
    },
    page,
  );
}
