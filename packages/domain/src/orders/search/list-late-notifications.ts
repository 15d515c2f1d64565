import { amongMerchants, type Scope } from '../../lists/scope.ts';
import { type Add, whereAll } from '../../lists/values.ts';
import { rangeConditions } from './list-row-conditions.ts';
import type { OrderFilter, OrderSort } from './order-filter.ts';

// Orders by the state of their notifications. Late notifications (given up, held back, or in a later attempt) have
// indexes in the order of each list of orders. Those in time are few: they are looked up and sorted.
// baseline/notifications.ts has the indexes.

/** The states of notifications that have such indexes. Delivered ones have none: they are most. */
export type OpenNotificationState = 'pending' | 'exhausted';

/** The column of a late notification `n` for each column of an order `t`. */
const columnOf: Record<string, string> = {
  created_at: 'order_created_at',
  amount: 'order_amount',
  completed_at: 'order_completed_at',
};

/** The same conditions or order for a late notification, which has the sorted columns of its order. */
const ofNotification = (text: string): string =>
  text.replace(/\bt\.(\w+)/g, (_, column: string) => `n.${columnOf[column] ?? column}`);

/** The condition of the indexes of late notifications. */
const isLate = `n.state <> 'delivered' and n.order_created_at is not null`;
/** The condition of the index of pending notifications that are in time. */
const isInTime = `n.state = 'pending' and n.order_created_at is null`;

/** Counts pending notifications that are in time, up to one more than `most`. */
export const inTimeSql = (most: number): string =>
  `select count(*)::integer as count from (select from notification n where ${isInTime} limit ${most + 1}) n`;

/** What is asked for, and which part of the list is read. */
export interface NotifiedPart {
  states: readonly OpenNotificationState[];
  filter: OrderFilter;
  sort: OrderSort;
  scope: Scope;
  /** Conditions of an order `t`: its place in the list. */
  cursors: readonly string[];
  order: string;
  limit: number;
}

/**
 * Keys of orders with notifications in these states, in the order of the list. `nth` numbers the notifications: one
 * order can have several of them.
 */
export function ordersOfNotifications(part: NotifiedPart, add: Add): string {
  const { states, filter, sort, scope, cursors, order, limit } = part;
  const conditions = [
    ...amongMerchants(filter.merchantIds ?? null, { ...scope, countries: null }, add),
    ...rangeConditions(filter, add),
    ...(sort === 'completed' ? ['t.completed_at is not null'] : []),
    ...cursors,
  ];
  const end = `${order} limit ${limit}`;
  const columns = 'n.order_created_at as created_at, n.order_amount as amount, n.order_completed_at as completed_at';
  const late = states.map(
    (state) =>
      `select n.merchant_id, n.order_no, ${columns} from notification n${whereAll([`n.state = '${state}'`, isLate, ...conditions.map(ofNotification)])} ${ofNotification(end)}`,
  );
  const inTime = `select t.merchant_id, t.order_no, t.created_at, t.amount, t.completed_at from notification n cross join lateral (
    select o.* from orders o where o.merchant_id = n.merchant_id and o.order_no = n.order_no offset 0) t${whereAll([isInTime, ...conditions])} ${end}`;
  const all = [...late, ...(states.includes('pending') ? [inTime] : [])].map((one) => `(${one})`).join(' union all ');
  return `select t.merchant_id, t.order_no, max(t.nth) as nth from (
      select t.*, row_number() over () as nth from (select t.* from (${all}) t ${end}) t) t group by t.merchant_id, t.order_no`;
}
