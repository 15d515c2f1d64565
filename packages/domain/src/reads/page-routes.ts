import type { OrderKind, OrderMode } from '../core/order.ts';
import type { Database } from '../store/database.ts';
import { RouteRow } from '../store/entities/merchant.ts';
import { columnsOf } from '../store/statements.ts';
import type { Page, PageRequest } from './page.ts';
import { readPage } from './read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from './scope.ts';

/** A way that a merchant's orders may take. Amounts are decimal text in its currency. */
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

/** A merchant's routes by number, those that are off too. */
export function pageRoutes(
  { database }: { database: Database },
  scope: Scope,
  merchantId: string,
  page: PageRequest<'routes'>,
): Promise<Page<RouteRecord>> {
  return readPage<RouteRecord>(
    database.reading,
    {
      table: 'route',
      columns: columnsOf(database.orm, RouteRow),
      key: ['route_no'],
      direction: 'asc',
      keyOf: ({ routeNo }) => [routeNo],
      merchants: merchantsToLookUp([merchantId], scope),
      access: () => [],
      filters: (add) => ofMerchants([merchantId], scope, add),
    },
    page,
  );
}
