import type { MikroORM } from '@mikro-orm/postgresql';
import { columnsOf, type Statement } from '../database/columns.ts';
import { OrderTransition, PaymentRow } from '../database/entities/order.ts';

// Statements about orders that `ledger/statements.ts` does not have. Those of the figures are in
// `figures/statements.ts`.

const millis = (column: string): string => `round(extract(epoch from ${column}) * 1000)::float8`;
// A clock in a subquery is evaluated once, so that the indexes of due work can be used. It has whole milliseconds,
// like the columns.
const now = '(select clock_timestamp()::timestamptz(3))';
const dueNotifications = (queue: 'notify' | 'retry', attempts: string): string => `
(select '${queue}', merchant_id, order_no, '', status, host, ${millis('next_attempt_at')}, traceparent, '', 0 from notification
   where state = 'pending' and held_by is null and ${attempts} and next_attempt_at <= ${now} order by next_attempt_at limit $1)`;

/** The channels with due or later work of a table, by its index over channels: `refund_due_by_channel`, `settlement_due_by_channel`. */
const channelsWith = (table: string, name: string): string => `${name} as (
    (select channel_id from ${table} where next_action_at is not null order by channel_id limit 1)
    union all
    select n.* from ${name} k cross join lateral (
      select channel_id from ${table} where next_action_at is not null and channel_id > k.channel_id order by channel_id limit 1) n)`;

/** Due work of a table, the oldest of each channel first. */
const dueByChannel = (
  table: string,
  channels: string,
  queue: string,
  { orderNo, refundNo, caseNo }: { orderNo: string; refundNo: string; caseNo: string },
): string => `(select '${queue}', merchant_id, order_no, channel_id, '', '', ${millis('next_action_at')}, null, refund_no, case_no
  from (select r.*, row_number() over (partition by r.channel_id order by r.next_action_at) as place
    from ${channels} k cross join lateral (
      select channel_id, merchant_id, ${orderNo} as order_no, next_action_at, ${refundNo} as refund_no, ${caseNo} as case_no from ${table}
      where next_action_at is not null and channel_id = k.channel_id and next_action_at <= ${now} order by next_action_at limit $1) r) r
  order by place, next_action_at limit $1)`;

// From one channel and action to the next by the index `orders_due_by_channel`.
const dueSql = `
with recursive kind as (
    (select next_action, channel_id from orders where next_action is not null order by next_action, channel_id limit 1)
    union all
    select n.* from kind k cross join lateral (
      select next_action, channel_id from orders where next_action is not null and (next_action, channel_id) > (k.next_action, k.channel_id)
      order by next_action, channel_id limit 1) n),
  ${channelsWith('refund', 'refunding')},
  ${channelsWith('settlement', 'settling')}
(select next_action as queue, merchant_id as "merchantId", order_no as "orderNo", channel_id as "channelId", status, '' as host,
     ${millis('next_action_at')} as "dueAt", traceparent, '' as "refundNo", 0::float8 as "caseNo"
   from (select o.*, row_number() over (partition by o.next_action, o.channel_id order by o.next_action_at) as place
     from kind k cross join lateral (
       select next_action, channel_id, merchant_id, order_no, status, next_action_at, traceparent from orders
       where next_action is not null and next_action = k.next_action and channel_id = k.channel_id and next_action_at <= ${now}
       order by next_action_at limit least($1::integer, 500)) o) o
   order by place, next_action_at limit $1)
union all ${dueByChannel('refund', 'refunding', 'refund', { orderNo: 'order_no', refundNo: 'refund_no', caseNo: 'case_no' })}
union all ${dueByChannel('settlement', 'settling', 'settle', { orderNo: 'payment_no', refundNo: "''", caseNo: '0' })}
union all ${dueNotifications('notify', 'attempt = 0')} union all ${dueNotifications('retry', 'attempt > 0')}`;

/**
 * Due work of all queues: at most $1 orders, as many refunds, settlements, first attempts at notifications, and retries. Of one
 * channel and action at most 500 orders, because no run gives them more jobs.
 */
export const dueWorkStatement: Statement = { name: 'due-work', text: dueSql };

const ofOrder = 'where merchant_id = $1 and order_no = $2';

/** The changes of status of an order ($1 merchant, $2 order number), the oldest first. */
export function transitionsOfOrderSql(orm: MikroORM): string {
  return `select ${columnsOf(orm, OrderTransition)} from order_transition t ${ofOrder} order by seq limit 1000`;
}

/** The payments for an order ($1 merchant, $2 order number), the oldest first. */
export function paymentsOfOrderSql(orm: MikroORM): string {
  return `select ${columnsOf(orm, PaymentRow)} from payment t ${ofOrder} order by received_at, reference limit 1000`;
}

/** Payments of the platform tenant $1 with one of the references $2, by the index `payment_by_reference`. */
export const unmatchedByReferenceSql = `
select order_no as "orderNo", reference, channel_id as "channelId" from payment where merchant_id = $1 and reference = any($2::text[]) limit 1000`;
