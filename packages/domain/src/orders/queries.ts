import type { MikroORM } from '@mikro-orm/postgresql';
import { columnsOf, type Statement } from '../database/columns.ts';
import { OrderTransition, PaymentRow } from '../database/entities/order.ts';
import { moneySums } from '../ledger/index.ts';
import { whereAll } from '../lists/values.ts';

// Queries of orders that `ledger/queries.ts` does not have. Those of the figures are in
// `figures/queries.ts`.

const millis = (column: string): string => `round(extract(epoch from ${column}) * 1000)::float8`;
// A clock in a subquery is evaluated once, so that the indexes of due work can be used. It has whole milliseconds,
// like the columns.
const now = '(select clock_timestamp()::timestamptz(3))';
/** Sends of money wait while the payouts of their merchant are stopped (ADR 0034). */
const isStopped = 'merchant_id in (select merchant_id from payout_stop where released_at is null)';
/** The settlement that a channel pays under the number $1. */
export const settlementOfPaymentSql = `select merchant_id as "merchantId", seq::float8 as seq, settlement_no as "settlementNo", channel_id as "channelId", currency
  from settlement where payment_no = $1`;

const dueNotifications = (queue: 'notify' | 'retry', attempts: string): string => `
(select '${queue}', merchant_id, order_no, '', status, host, ${millis('next_attempt_at')}, traceparent, '', 0, false, 0, 0 from notification
   where state = 'pending' and held_by is null and ${attempts} and next_attempt_at <= ${now} order by next_attempt_at limit $1)`;

/** The channels with due or later work of a table, by its index over channels: `refund_due_by_channel`, `settlement_due_by_channel`. */
const channelsWith = (table: string, name: string, queue: string): string => `${name} as (
    (select '${queue}' as queue, channel_id from ${table} where next_action_at is not null order by channel_id limit 1)
    union all
    select n.* from ${name} k cross join lateral (
      select '${queue}', channel_id from ${table} where next_action_at is not null and channel_id > k.channel_id order by channel_id limit 1) n)`;

/** How many due rows of one channel and action each of the two windows reads. */
export const dueWindow = 1_000;
/** The most rows of one channel and action in an answer: no run of `dispatch` gives them more jobs. */
const mostOfChannel = 500;

/**
 * Due work of a table. `kinds`: the rows with each channel, and for orders each action. `ofKind`: what a row has in
 * common with its kind `k`, the beginning of an index that ends with `next_action_at`. `ordered`: further columns of that
 * index. `columns`: those of the answer, and `is_held` for rows that may not be done now.
 *
 * Of each kind two windows are read along the index: the oldest rows, and those from the time that the caller has
 * reached ($2 queues, $3 channels, $4 times in ms). Of both the oldest row of each merchant comes first, then the second of each, and
 * so on. So a backlog of one merchant hides no other for longer than the second window takes to pass it, and the cost
 * has a bound. The first place is kept in any case: it says how far its kind was read.
 */
const dueInTurn = (
  [table, kinds]: [string, string],
  { ofKind, ordered = [] }: { ofKind: string; ordered?: readonly string[] },
  columns: string,
): string => {
  const order = [...ordered, 'next_action_at'].join(', ');
  const at = (time: string): string => `(${[...ordered.map((column) => `k.${column}`), time].join(', ')})`;
  const window = (from: string): string => `(select ${columns}, next_action_at from ${table}
         where ${ofKind} and (${order}) >= ${at(from)} and (${order}) <= ${at(now)} order by ${order} limit ${dueWindow})`;
  // Names are compared byte by byte, because the rules of a language cost many times as much.
  return `(select o.queue, merchant_id as "merchantId", order_no as "orderNo", o.channel_id as "channelId", status, '' as host,
     ${millis('next_action_at')} as "dueAt", traceparent, refund_no as "refundNo", case_no::float8 as "caseNo", is_held as "isHeld", read, ${millis('reached')} as reached
   from ${kinds} k left join unnest($2::text[], $3::text[], $4::float8[]) as r(queue, channel_id, at)
     on r.queue = k.queue and r.channel_id = k.channel_id
   cross join lateral (select o.*, row_number() over (order by is_held, turn, next_action_at) as place
     from (select o.*, row_number() over (partition by merchant_id collate "C" order by next_action_at) as turn,
         (count(*) over ())::integer as read, max(next_action_at) over () as reached
       from (${window("'-infinity'")}
         union all ${window("coalesce(to_timestamp(r.at / 1000), 'infinity')")}) o) o) o
   where place = 1 or (place <= ${mostOfChannel} and not is_held)
   order by place, next_action_at limit $1)`;
};

const ofChannel = { ofKind: 'next_action_at is not null and channel_id = k.channel_id' };
const isHeldSend = `(next_action = 'send' and ${isStopped}) as is_held`;

// From one channel and action to the next by the index `orders_due_by_channel`.
const dueSql = `
with recursive kind as (
    (select next_action as queue, channel_id from orders where next_action is not null order by next_action, channel_id limit 1)
    union all
    select n.* from kind k cross join lateral (
      select next_action, channel_id from orders where next_action is not null and (next_action, channel_id) > (k.queue, k.channel_id)
      order by next_action, channel_id limit 1) n),
  ${channelsWith('refund', 'refunding', 'refund')},
  ${channelsWith('settlement', 'settling', 'settle')}
${dueInTurn(
  ['orders', 'kind'],
  // Compared and ordered as rows: an index over the time alone would be read from its beginning, past all other channels.
  { ofKind: 'next_action is not null and next_action = k.queue', ordered: ['channel_id'] },
  `next_action as queue, merchant_id, order_no, channel_id, status, traceparent, '' as refund_no, 0 as case_no,
    (next_action = 'submit' and kind = 'payout' and ${isStopped}) as is_held`,
)}
union all ${dueInTurn(
  ['refund', 'refunding'],
  ofChannel,
  `'refund' as queue, merchant_id, order_no, channel_id, '' as status, null as traceparent, refund_no, case_no, ${isHeldSend}`,
)}
union all ${dueInTurn(
  ['settlement', 'settling'],
  ofChannel,
  `'settle' as queue, merchant_id, payment_no as order_no, channel_id, '' as status, null as traceparent, '' as refund_no, 0 as case_no, ${isHeldSend}`,
)}
union all ${dueNotifications('notify', 'attempt = 0')} union all ${dueNotifications('retry', 'attempt > 0')}`;

/**
 * Due work of all queues: at most $1 orders, as many refunds, settlements, first attempts at notifications, and retries. Of one
 * channel and action at most 500 orders. $2, $3 and $4: how far the kinds were read that have more than one window.
 */
export const dueWorkStatement: Statement = { name: 'due-work', text: dueSql };

const ofOrder = 'where merchant_id = $1 and order_no = $2';

/** The changes of status of an order ($1 merchant, $2 order number), the oldest first. */
export function transitionsOfOrderSql(orm: MikroORM): string {
  return `select ${columnsOf(orm, OrderTransition)} from order_transition t ${ofOrder} order by seq limit 1000`;
}

/** The payments for an order ($1 merchant, $2 order number), the oldest first. */
export function paymentsOfOrderSql(orm: MikroORM): string {
  return `select ${columnsOf(orm, PaymentRow)} from payment t ${ofOrder} order by seq limit 1000`;
}

/** Payments of the platform tenant $1 with one of the references $2, by the index `payment_by_reference`. */
export const unmatchedByReferenceSql = `
select order_no as "orderNo", direction, reference, channel_id as "channelId", use, line from payment where merchant_id = $1 and reference = any($2::text[]) limit 1000`;

/** Payments of orders in the currency $4 with the reference $1 at the channel $2 in the direction $3, by the index `payment_by_reference`. */
export const paymentsOfReferenceSql = `
select p.use, p.line from payment p join orders o on o.merchant_id = p.merchant_id and o.order_no = p.order_no
where p.reference = $1 and p.channel_id = $2 and p.direction = $3 and o.currency = $4 limit 1000`;

/** What the money of orders is computed from, by their keys (merchants, numbers). `place`: which of them, from 1. */
export function orderMoneySql([merchants, numbers]: readonly [string, string], conditions: readonly string[]): string {
  return `select k.place::integer, t.kind, t.currency, t.status, t.mode, t.amount::text, t.paid_amount::text as "paidAmount",
      t.pay_link as "payLink", t.pay_qr as "payQr", ${millis('t.expires_at')} as "expiresAt", ${moneySums}
    from unnest(${merchants}::text[], ${numbers}::text[]) with ordinality as k(m, n, place)
    join orders t on t.merchant_id = k.m and t.order_no = k.n${whereAll(conditions)}`;
}

/** What the outcome of payments is computed from, by their keys (merchants, orders, numbers). */
export function outcomesSql(
  [merchants, orders, numbers]: readonly [string, string, string],
  conditions: readonly string[],
): string {
  return `select k.place::integer, t.status, t.currency, p.use, p.reference, p.amount::text,
      (select coalesce(json_agg(s), '[]') from (
        select c.kind, c.state, c.reference, c.refund_no as "refundNo", c.amount::text, c.came_back::text as "cameBack"
        from money_case c where c.merchant_id = p.merchant_id and c.order_no = p.order_no
          and (c.reference = p.reference or c.kind = 'parts_of_unpaid')) s) as cases
    from unnest(${merchants}::text[], ${orders}::text[], ${numbers}::integer[]) with ordinality as k(m, n, seq, place)
    join orders t on t.merchant_id = k.m and t.order_no = k.n
    join payment p on p.merchant_id = k.m and p.order_no = k.n and p.seq = k.seq${whereAll(conditions)}`;
}
