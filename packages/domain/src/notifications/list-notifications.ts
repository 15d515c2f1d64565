import { z } from 'zod';
import type { Notification } from '../core/notification.ts';
import type { OrderRef } from '../core/order.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { NotificationRow } from '../database/entities/order.ts';
import { notificationConditions } from '../ledger/index.ts';
import { given, is, isOneOf, isWithin } from '../lists/conditions.ts';
import { anyOf, created, merchantIds, orderNo, orderStatus, text } from '../lists/filter-parts.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { readPages } from '../lists/read-pages.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from '../lists/scope.ts';
import type { Add } from '../lists/values.ts';

const attempts = z.int().min(0).max(1_000_000);
const notificationState = z.enum(['pending', 'delivered', 'exhausted']);
export const notificationFilter = z.strictObject({
  merchantIds,
  orderNo: orderNo.nullish(),
  states: anyOf(notificationState),
  statuses: anyOf(orderStatus),
  /** Name and port that it goes to, e.g. `shop.test:443`. */
  host: text.nullish(),
  ...created,
  /** Of the last attempt, e.g. `timeout`. */
  errors: anyOf(text),
  attemptsFrom: attempts.nullish(),
  attemptsTo: attempts.nullish(),
});
export type NotificationFilter = z.infer<typeof notificationFilter>;

/** Notifications by the time of their status, the newest first. Their attempts: `loadAttempts`. */
export function pageNotifications(
  { database }: { database: Database },
  scope: Scope,
  filter: NotificationFilter,
  page: PageRequest<'notifications'>,
): Promise<Page<Notification>> {
  const wanted = filter.merchantIds ?? null;
  return readPage(
    database.reading,
    {
      ...notifications(database),
      merchants: merchantsToLookUp(wanted, scope),
      indexConditions: (add) => [
        ...given(is('t.order_no', filter.orderNo, add), onlyExhausted(filter), onlyRetried(filter)),
        ...isWithin('t.created_at', filter.createdFrom, filter.createdTo, add),
      ],
      rowConditions: (add) => [...ofMerchants(wanted, scope, add), ...filtersOf(filter, add)],
    },
    page,
  );
}

/** A page of each order's own notifications, the newest first. */
export function pagesOfNotifications(
  { database }: { database: Database },
  scope: Scope,
  orders: readonly OrderRef[],
  page: PageRequest<'notifications'>,
): Promise<Page<Notification>[]> {
  const list = { ...notifications(database), parent: ['merchant_id', 'order_no'] };
  const parents = orders.map(({ merchantId, orderNo }) => [merchantId, orderNo]);
  return readPages(database.reading, list, scope, parents, page);
}

function notifications({ orm }: Database) {
  return {
    table: 'notification',
    columns: columnsOf(orm, NotificationRow),
  } as const;
}

/** Whether only exhausted notifications are requested. They are few and have their own index. */
function onlyExhausted({ states }: NotificationFilter): string | null {
  return states?.every((state) => state === 'exhausted') ? `t.state = 'exhausted'` : null;
}

/** The condition of the index of notifications that were tried at least twice, and are not delivered. */
export const retriedNotification = `t.state = 'pending' and t.attempt > 1`;

/** Whether only such notifications are requested. */
function onlyRetried({ states, attemptsFrom }: NotificationFilter): string | null {
  return states?.every((state) => state === 'pending') && (attemptsFrom ?? 0) > 1 ? retriedNotification : null;
}

function filtersOf(filter: NotificationFilter, add: Add): string[] {
  return given(
    onlyExhausted(filter) === null ? isOneOf('t.state', filter.states, add) : null,
    isOneOf('t.status', filter.statuses, add),
  ).concat(notificationConditions('t', filter, add));
}
