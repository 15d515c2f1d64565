import type { Notification, NotificationState } from '../core/notification.ts';
import type { Decision } from '../core/operator.ts';
import type { Order, OrderRef, OrderStatus } from '../core/order.ts';
import type { Outcome } from '../core/rejection.ts';
import { versionOfNotification, versionOfOrder } from '../core/version.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { collectValues } from '../lists/values.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration } from './change-configuration.ts';
import type { LedgerReadAccess } from './ledger-access.ts';
import {
  countSql,
  type NotificationKeys,
  type NotificationParts,
  type ResendSelection,
  type ResendValues,
  resendSql,
  selectedKeysSql,
} from './resend/queries.ts';
import { notificationByStatusSql } from './versions/queries.ts';

/** The merchant, and the request key of 1 to 64 characters, which makes the request idempotent. */
export interface ResendRequest {
  merchantId: string;
  requestKey: string;
}

/**
 * How many notifications matched, and for how many a new round begins. The others wait for their first attempt, or
 * have one in flight.
 */
export interface Resent {
  matched: number;
  resent: number;
  /** The key is known: these are the figures of the first request, and nothing was done now. */
  repeated: boolean;
}

/**
 * Notifications whose status was reached from `from` on and before `to`, in Unix ms. They are in one of these states
 * now, and have all of these parts.
 */
export interface ResendRange extends NotificationParts {
  from: number;
  to: number;
  states: readonly NotificationState[];
}

/** The most notifications that one request may resend. */
const maxResent = 10_000;
/** The longest range of one request. */
const maxRange = 31 * 24 * 60 * 60_000;

/**
 * Sends an order's notification again, also a delivered one: that of the given status, or those of all its statuses
 * (decisions 7.5). The body stays the same; the schedule begins again. Requester and reason go into the merchant's
 * audit records. An expected version is that of the notification, or without a status that of the order. Rejections:
 * notification_not_found, request_key_taken, version_outdated.
 */
export function resendNotification(
  domain: ChangeAccess,
  request: ResendRequest,
  { orderNo, status }: { orderNo: OrderRef['orderNo']; status: OrderStatus | null },
  by: Decision,
): Promise<Outcome<Resent>> {
  return resend(domain, request, by, {
    change: 'resendNotification',
    subject: orderNo,
    asked: { orderNo, status },
    recorded: { status, requestKey: request.requestKey },
    selection: { orderNo, status },
    version: (database) => versionNow(domain, database, { merchantId: request.merchantId, orderNo }, status),
  });
}

/** The version of the notification of a status, or with null of the order. */
async function versionNow(
  { sql, database }: LedgerReadAccess,
  { pool }: ChangeTransaction['database'],
  { merchantId, orderNo }: OrderRef,
  status: OrderStatus | null,
): Promise<string | null> {
  if (status === null) {
    const { rows } = await pool.query<Order>(sql.orderByNo.text, [merchantId, orderNo]);
    return rows[0] ? versionOfOrder(rows[0]) : null;
  }
  const { rows } = await pool.query<Notification>(notificationByStatusSql(database.orm), [merchantId, orderNo, status]);
  return rows[0] ? versionOfNotification(rows[0]) : null;
}

/**
 * Sends all of a merchant's notifications of a time range again, like `resendNotification`. If there are more than
 * 10,000, none is sent. Rejections: notification_not_found, too_many_notifications, request_key_taken;
 * time_range_wrong if the range is empty or longer than 31 days.
 */
export async function resendNotifications(
  domain: ChangeAccess,
  request: ResendRequest,
  range: ResendRange,
  by: Decision,
): Promise<Outcome<Resent>> {
  if (isWrong(range)) return { ok: false, rejection: 'time_range_wrong' };
  // A part that is absent is no key of the JSON.
  const wanted = {
    ...range,
    states: [...range.states].sort(),
    ...(range.errors && { errors: [...range.errors].sort() }),
  };
  return resend(domain, request, by, {
    change: 'resendNotifications',
    subject: request.requestKey,
    asked: wanted,
    recorded: range,
    selection: range,
  });
}

/** How many notifications `resendNotifications` would match and send now. Beyond 10,000 it sends none. */
export interface ResendCount {
  /** Counted up to 10,001. */
  matched: number;
  wouldSend: number;
}

/**
 * Counts what `resendNotifications` would send of this merchant, and writes nothing. Rejection: time_range_wrong, as
 * there.
 */
export async function countResend(
  { database }: DatabaseAccess,
  merchantId: string,
  range: ResendRange,
): Promise<Outcome<ResendCount>> {
  if (isWrong(range)) return { ok: false, rejection: 'time_range_wrong' };
  const { values, add } = collectValues();
  const text = countSql(merchantId, range, maxResent, add);
  const { rows } = await database.pool.query<{ matched: number; resent: number }>(text, values);
  const { matched = 0, resent = 0 } = rows[0] ?? {};
  return { ok: true, value: { matched, wouldSend: matched > maxResent ? 0 : resent } };
}

function isWrong({ from, to }: ResendRange): boolean {
  return to <= from || to - from > maxRange;
}

interface Resend {
  change: string;
  subject: string;
  /** The request that the key identifies. */
  asked: object;
  /** The part of it that goes into the audit record. */
  recorded: object;
  selection: ResendSelection;
  /** The version of the resent object, read in the same transaction; null: it does not exist. */
  version?(database: ChangeTransaction['database']): Promise<string | null>;
}

interface Row extends Omit<Resent, 'repeated'> {
  known: { same: boolean; matched: number; resent: number } | null;
}

/**
 * Selects the notifications before it locks the merchant's wallet: a selection may read a month of them. Then one
 * statement resends them by their keys, in its own transaction. No other merchant's commands wait for it.
 */
async function resend(
  domain: ChangeAccess,
  { merchantId, requestKey }: ResendRequest,
  by: Decision,
  { change, subject, asked, recorded, selection, version }: Resend,
): Promise<Outcome<Resent>> {
  const request = { merchantId, requestKey, asked: JSON.stringify(asked), actor: by.actor, most: maxResent };
  const keys = await selectKeys(domain, request, selection);
  if (keys.orderNos.length > maxResent) return { ok: false, rejection: 'too_many_notifications' };
  const { expectedVersion, ...decision } = by;
  return changeConfiguration<Resent>(domain, { tenant: merchantId, change }, decision, async ({ database }) => {
    if (expectedVersion !== undefined && version && expectedVersion !== (await version(database)))
      return { ok: false, rejection: 'version_outdated' };
    const { values, add } = collectValues();
    const text = resendSql(request, keys, selection, add);
    const { rows } = await database.pool.query<Row>(text, values);
    const done = outcomeOf(rows[0] as Row);
    return done.ok ? { ok: true, value: { subject, after: { ...recorded, ...done.value }, value: done.value } } : done;
  });
}

async function selectKeys(
  { database }: DatabaseAccess,
  request: ResendValues,
  selection: ResendSelection,
): Promise<NotificationKeys> {
  const { values, add } = collectValues();
  const text = selectedKeysSql(request, selection, add);
  const { rows } = await database.pool.query<{ orderNo: string; status: string }>(text, values);
  return { orderNos: rows.map(({ orderNo }) => orderNo), statuses: rows.map(({ status }) => status) };
}

function outcomeOf({ known, matched, resent }: Row): Outcome<Resent> {
  if (known && !known.same) return { ok: false, rejection: 'request_key_taken' };
  if (known) return { ok: true, value: { matched: known.matched, resent: known.resent, repeated: true } };
  if (matched === 0) return { ok: false, rejection: 'notification_not_found' };
  return { ok: true, value: { matched, resent, repeated: false } };
}
