import type { Order } from '../core/order.ts';
import { columnsAs } from '../database/columns.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { OrderRow } from '../database/entities/order.ts';
import type { VaultAccess } from '../database/vault.ts';
import { isWithin } from '../lists/conditions.ts';
import { type Only, withKeys } from '../lists/only.ts';
import type { PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { merchantsToLookUp, type Scope } from '../lists/scope.ts';
import { isPlain, rowConditions, type Search } from './search/list-conditions.ts';
import { findersOf } from './search/list-finders.ts';
import { type OrderFilter, type OrderList, type OrderSort, orderLists } from './search/order-filter.ts';
import { type SearchedPage, searchOrders } from './search/search-orders.ts';

export {
  type OrderFilter,
  type OrderList,
  orderFilter,
  orderLists,
  personalParts,
} from './search/order-filter.ts';
export { type SearchedPage, type SearchedUntil, SearchTooWide } from './search/search-orders.ts';

export interface OrderPageOptions {
  /** The reverse order of the list: oldest or smallest first. */
  isReversed?: boolean;
  only?: Only;
  /** Whether a free text is also searched among accounts, phones and names; default: no. */
  maySeePersonal?: boolean;
  /**
   * All pages will be read. So orders are read by creation and checked one by one, unless the filter names a text that finds few. A page can be short.
   * Only for the list by creation.
   */
  isScan?: boolean;
  /** Milliseconds for each statement of a search. */
  patienceMs?: number;
  /** Candidates that a search sorts at most; default 4,000, or 10,000 of a scan; of a range of creation more. */
  maxCandidates?: number;
  /** About how many orders a page of a search looks at one by one; default 650, or 20,000 of a scan. */
  maxExamined?: number;
  /** The orders of more merchants are looked at by creation, not group by group; default 20. */
  maxMerchants?: number;
  /** Where more groups would have to be looked at, orders are looked at in the order of the list; default 5,000. */
  maxGroups?: number;
}

/** The most that one page may cost: about 50 ms of PostgreSQL, or a second for a page of a scan, which is longer. */
const costs = { page: { candidates: 4_000, examined: 650 }, scan: { candidates: 10_000, examined: 20_000 } };

/** The fields that are always read. */
const orderIdentity = ['merchantId', 'orderNo', 'kind', 'createdAt'] as const;

/**
 * A page of orders: newest creation, newest completion or largest amount first, by the page's list; the other way if `isReversed`. Sorted by completion only
 * completed orders are listed. A cursor is valid for its filter and order only. `only`: the wanted properties; of the others
 * only those of the order's identity are set. A page
 * of a search that looks at each order can be short: `searchedUntil` says how far it came. Throws `SearchTooWide`.
 */
export async function pageOrders(
  { database, vault }: DatabaseAccess & VaultAccess,
  scope: Scope,
  filter: OrderFilter,
  page: PageRequest<OrderList>,
  {
    isReversed = false,
    only,
    maySeePersonal = false,
    isScan = false,
    patienceMs,
    maxCandidates = costs[isScan ? 'scan' : 'page'].candidates,
    maxExamined = costs[isScan ? 'scan' : 'page'].examined,
    maxMerchants = 20,
    maxGroups = 5_000,
  }: OrderPageOptions = {},
): Promise<SearchedPage<Order>> {
  const keys = [...orderIdentity, 'amount', 'completedAt'];
  const columns = columnsAs(database.orm, OrderRow, { only: withKeys(only, keys), alias: 't', prefix: '' });
  const finders = findersOf(vault, filter, maySeePersonal);
  const limits = { maxCandidates, maxExamined, maxMerchants, maxGroups };
  const search: Search = { filter, sort: sortOf(page.list), isReversed, scope, finders, ...limits };
  const isScanned = isScan && findersOf(vault, { ...filter, notificationStates: null }, maySeePersonal).length === 0;
  if (!isPlain(search) && !isScanned)
    return searchOrders<Order>(database.reading, search, page, { columns: columns.text, patienceMs });
  const plain = await readPage<Order, 'orders'>(
    database.reading,
    {
      table: 'orders',
      columns: columns.text,
      isReversed,
      merchants: merchantsToLookUp(filter.merchantIds ?? null, scope),
      indexConditions: (add) => [
        // The same condition as that of the index of each merchant's orders by time.
        `t.created_at > '-infinity'`,
        ...isWithin('t.created_at', filter.createdFrom, filter.createdTo, add),
      ],
      rowConditions: (add) =>
        isScanned ? [...rowConditions(filter, 'created', scope, add), ...finders.map(({ holds }) => holds(add))] : [],
    },
    { ...page, list: orderLists.created },
  );
  return { ...plain, searchedUntil: null };
}

function sortOf(list: OrderList): OrderSort {
  const sorts = Object.entries(orderLists) as [OrderSort, OrderList][];
  return sorts.find(([, name]) => name === list)?.[0] ?? 'created';
}
