import { given, is, isOneOf, isWithin } from '../../lists/conditions.ts';
import { type Add, whereAll } from '../../lists/values.ts';

/**
 * The parts by which both a list of notifications and a resend can be limited. A part that is absent does not restrict.
 */
export interface NotificationParts {
  host?: string | null | undefined;
  /** The error of the last attempt. */
  errors?: readonly string[] | null | undefined;
  attemptsFrom?: number | null | undefined;
  attemptsTo?: number | null | undefined;
}

/** Conditions that keep notifications `n`, an SQL alias, to these parts. */
export function notificationConditions(n: string, parts: NotificationParts, add: Add): string[] {
  const { host, errors, attemptsFrom, attemptsTo } = parts;
  const lastError = `(select a.error from notification_attempt a
    where a.merchant_id = ${n}.merchant_id and a.order_no = ${n}.order_no and a.status = ${n}.status order by a.attempt desc limit 1)`;
  return given(
    is(`${n}.host`, host, add),
    attemptsFrom == null ? null : `${n}.attempt >= ${add(attemptsFrom)}::integer`,
    attemptsTo == null ? null : `${n}.attempt <= ${add(attemptsTo)}::integer`,
    isOneOf(lastError, errors, add),
  );
}

/** The notifications of a merchant that a resend is about: those of an order, or those of a time range. */
export type ResendSelection =
  | { orderNo: string; status: string | null }
  | ({ from: number; to: number; states: readonly string[] } & NotificationParts);

/** The requester, the request, its key, and how many notifications may be resent. */
export interface ResendValues {
  merchantId: string;
  requestKey: string;
  /** The request that the key identifies, as JSON. */
  asked: string;
  actor: string;
  most: number;
}

function selected(merchantId: string, selection: ResendSelection, add: Add): string[] {
  const ours = `n.merchant_id = ${add(merchantId)}`;
  if ('orderNo' in selection)
    return [ours, ...given(is('n.order_no', selection.orderNo, add), is('n.status', selection.status, add))];
  return [
    ours,
    ...isWithin('n.created_at', selection.from, selection.to, add),
    ...given(isOneOf('n.state', selection.states, add)),
    // The same condition as that of the index by time.
    `n.body <> ''`,
    ...notificationConditions('n', selection, add),
  ];
}

// A notification that waits for the first attempt of its round is skipped, and so is one with an attempt in flight.
const mayBeResent = `(n.state <> 'pending' or (n.attempt > n.earlier_attempts and exists (
        select from notification_attempt a where a.merchant_id = n.merchant_id and a.order_no = n.order_no and a.status = n.status
          and a.attempt = n.attempt)))`;

/** Counts the selected notifications of a merchant up to one more than `most`, and those of them that a resend would send now. */
export function countSql(merchantId: string, selection: ResendSelection, most: number, add: Add): string {
  return `select count(*)::integer as matched, count(*) filter (where may_be_resent)::integer as resent
    from (select ${mayBeResent} as may_be_resent from notification n${whereAll(selected(merchantId, selection, add))} limit ${most + 1}) n`;
}

/**
 * The keys of the selected notifications of a merchant, up to one more than `most`; none if the request key is known.
 * Reads as many rows as the selection has: not to be run under a lock.
 */
export function selectedKeysSql(request: ResendValues, selection: ResendSelection, add: Add): string {
  const isNew = `not exists (select from notification_resend r where r.merchant_id = ${add(request.merchantId)} and r.request_key = ${add(request.requestKey)})`;
  return `select n.order_no as "orderNo", n.status from notification n${whereAll([...selected(request.merchantId, selection, add), isNew])} limit ${request.most + 1}`;
}

/** Keys of notifications of one merchant, by column. */
export interface NotificationKeys {
  orderNos: readonly string[];
  statuses: readonly string[];
}

/**
 * Begins a new round for these notifications, as far as they still have one of the selected states. Stores the request:
 * its key, its content and its requester. A known key writes nothing: `known` is the result of that request. The
 * notifications go to their host's backlog, so that many of them delay no other merchant. One that was delivered or
 * exhausted before does not hold back newer ones (decisions 7.3).
 */
export function resendSql(request: ResendValues, keys: NotificationKeys, selection: ResendSelection, add: Add): string {
  const merchant = `${add(request.merchantId)}::text`;
  const key = `${add(request.requestKey)}::text`;
  const requestedJson = `${add(request.asked)}::jsonb`;
  const states = 'states' in selection ? given(isOneOf('n.state', selection.states, add)) : [];
  return `with known as (
    select asked = ${requestedJson} as same, matched, put_back as resent from notification_resend where merchant_id = ${merchant} and request_key = ${key}),
  named as materialized (
    select order_no, status from unnest(${add(keys.orderNos)}::text[], ${add(keys.statuses)}::text[]) as k(order_no, status)
      where not exists (select from known)),
  counted as (select count(*)::integer as matched from named),
  put as (
    update notification n set state = 'pending', held_by = case when n.host = '' then null else 'host' end, earlier_attempts = n.attempt,
      is_repeat = n.is_repeat or n.state <> 'pending', next_attempt_at = clock_timestamp(), delivered_at = null
    from named${whereAll([`n.merchant_id = ${merchant}`, 'n.order_no = named.order_no', 'n.status = named.status', ...states, mayBeResent])}
    returning n.order_no),
  kept as (
    insert into notification_resend (merchant_id, request_key, asked, matched, put_back, requested_by)
    select ${merchant}, ${key}, ${requestedJson}, matched, (select count(*) from put), ${add(request.actor)} from counted where matched > 0)
  select matched, (select count(*)::integer from put) as resent, (select row_to_json(known) from known) as known from counted`;
}
