import type { OrderKind, OrderMode } from '../core/order.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { RouteRow } from '../database/entities/merchant.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPages } from '../lists/read-pages.ts';
import type { Scope } from '../lists/scope.ts';

/** A route for a merchant's orders. Amounts are decimal text in its currency. */
export interface RouteRecord {
  merchantId: string;
  routeNo: number;
  kind: OrderKind;
  bankCode: string | null;
  channelId: string;
  mode: OrderMode;
  minAmount: string;
  maxAmount: string;
  priority: number;
  weight: number;
  enabled: boolean;
}

/** A page of each merchant's routes by number, also disabled ones. */
export function pagesOfRoutes(
  { database }: { database: Database },
  scope: Scope,
  merchantIds: readonly string[],
  page: PageRequest<'routes'>,
): Promise<Page<RouteRecord>[]> {
  return readPages(
    database.reading,
    {
      table: 'route',
      columns: columnsOf(database.orm, RouteRow),
      parent: ['merchant_id'],
    },
    scope,
    merchantIds.map((merchantId) => [merchantId]),
    page,
  );
}
