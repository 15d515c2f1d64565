import { joinedMerchant, type MerchantWithWallet, type WantedMerchant } from '../configuration/index.ts';
import type { Order } from '../core/order.ts';
import { columnsAs } from '../database/columns.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { OrderRow } from '../database/entities/order.ts';
import type { VaultAccess } from '../database/vault.ts';
import { isWithin } from '../lists/conditions.ts';
import { readOnceJoined } from '../lists/joined-rows.ts';
import { type Only, withKeys } from '../lists/only.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { merchantsToLookUp, type Scope } from '../lists/scope.ts';
import { findersOf } from './search/list-finders.ts';
import { isPlain, type Search } from './search/list-search.ts';
import { type OrderFilter, type OrderList, type OrderSort, orderLists } from './search/order-filter.ts';
import { searchOrders } from './search/search-orders.ts';

export {
  type OrderFilter,
  type OrderList,
  orderFilter,
  orderLists,
  personalParts,
} from './search/order-filter.ts';
export { SearchTooWide } from './search/search-orders.ts';

/** An order, with its merchant if that was read too. */
export type OrderWithMerchant = Order & { merchant?: MerchantWithWallet };

export interface OrderPageOptions {
  /** The other way than the list's own: oldest or smallest first. */
  isReversed?: boolean;
  only?: Only;
  /** Which fields of each order's merchant are read; default: none. */
  merchant?: WantedMerchant;
  /** Whether a free text is also searched among accounts, phones and names; default: no. */
  maySeePersonal?: boolean;
  /** Milliseconds for each statement of a search. */
  patienceMs?: number;
  /** Candidates that a search sorts at most; default 10,000. */
  mostCandidates?: number;
}

const defaultCandidates = 10_000;

/** The fields that are always read. */
const orderIdentity = ['merchantId', 'orderNo', 'kind', 'createdAt'] as const;

/**
 * A page of orders: newest creation, newest completion or largest amount first, by the page's list; the other way if `isReversed`. Sorted by completion only
 * completed orders are listed. A cursor is valid for its filter and order only. `only`: the wanted properties; of the others
 * only those of the order's identity are set. Pages are full as long as there are enough orders. Throws `SearchTooWide`.
 */
export function pageOrders(
  { database, vault }: DatabaseAccess & VaultAccess,
  scope: Scope,
  filter: OrderFilter,
  page: PageRequest<OrderList>,
  {
    isReversed = false,
    only,
    merchant,
    maySeePersonal = false,
    patienceMs,
    mostCandidates = defaultCandidates,
  }: OrderPageOptions = {},
): Promise<Page<OrderWithMerchant>> {
  const keys = [...orderIdentity, 'amount', 'completedAt'];
  const columns = columnsAs(database.orm, OrderRow, { only: withKeys(only, keys), alias: 't', prefix: '' });
  const joined =
    merchant &&
    readOnceJoined(database.orm, columns, joinedMerchant(merchant, 'merchant'), ['merchantId', 'merchant_id']);
  const finders = findersOf(vault, filter, maySeePersonal);
  const search: Search = { filter, sort: sortOf(page.list), isReversed, scope, finders, mostCandidates };
  if (!isPlain(search))
    return searchOrders<OrderWithMerchant>(database.reading, search, page, {
      ...{ columns: columns.text, joined, patienceMs },
    });
  return readPage<OrderWithMerchant, 'orders'>(
    database.reading,
    {
      table: 'orders',
      columns: columns.text,
      ...(joined && { joined }),
      isReversed,
      merchants: merchantsToLookUp(filter.merchantIds ?? null, scope),
      access: (add) => [
        // The condition of the index of each merchant's orders by time.
        `t.created_at > '-infinity'`,
        ...isWithin('t.created_at', filter.createdFrom, filter.createdTo, add),
      ],
      filters: () => [],
    },
    { ...page, list: orderLists.created },
  );
}

function sortOf(list: OrderList): OrderSort {
  const sorts = Object.entries(orderLists) as [OrderSort, OrderList][];
  return sorts.find(([, name]) => name === list)?.[0] ?? 'created';
}
