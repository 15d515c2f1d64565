import type { Statement } from '../../database/columns.ts';
import { endedStatuses } from '../figures/roll-up/queries.ts';

// Ended orders that are queried a few times more (docs/adr/0020-ended-orders-are-watched.md).

const millis = (column: string): string => `round(extract(epoch from ${column}) * 1000)::float8`;
// A clock in a subquery is evaluated once, so that the index can be used.
const now = '(select clock_timestamp()::timestamptz(3))';

/** All channels with their adapters, also disabled ones. */
export const channelAdaptersSql = 'select channel_id as "channelId", adapter from channel order by channel_id';

/**
 * The next orders to take into the watch: bounds of their transitions, and whether there are more. Parameters: $1 time
 * up to which the orders ended, $2 most transitions.
 */
export const endedRangeSql = `
with progress as (select until from order_watch_progress),
last as (select at from order_transition where at > (select until from progress) and at <= $1::timestamptz order by at offset $2::integer - 1 limit 1)
select until::text as "from", coalesce((select at from last), $1::timestamptz)::text as "to", exists (select from last) as "isMore"
from progress where until < $1::timestamptz`;

/**
 * Adds the orders that ended after $1 and up to $2 to the watch. $3: JSON rows that say which orders of which channels
 * are watched, and how many ms after their end they are due. An order that a case completed after its end was added at
 * that end. Orders that the channel refused, and never accepted before, are left out: the channel does not have them.
 */
export const watchSql = `
insert into order_watch (merchant_id, order_no, channel_id, ended_at, due_at)
select o.merchant_id, o.order_no, o.channel_id, x.at, x.at + w."waitMs" * interval '1 ms'
from order_transition x join orders o on o.merchant_id = x.merchant_id and o.order_no = x.order_no
join json_to_recordset($3::json) as w("channelId" text, kind text, "isPaid" boolean, "waitMs" float8)
  on w."channelId" = o.channel_id and w.kind = o.kind and w."isPaid" = (x."to" = 'completed')
where x.at > $1::timestamptz and x.at <= $2::timestamptz and x."to" in ${endedStatuses} and x."from" <> x."to" and o.mode = 'upstream'
  and not (x.trigger = 'channel_refused' and o.channel_ref is null)
on conflict (merchant_id, order_no) do nothing`;

/** Orders that ended up to $1 are in the watch. */
export const watchedUntilSql = 'update order_watch_progress set until = $1::timestamptz';

/** While no channel watches, orders that ended up to $1 are left out. Written once a minute. */
export const leaveOutSql = `update order_watch_progress set until = $1::timestamptz where until < $1::timestamptz - interval '1 minute'`;

/** The $1 longest due watches of each channel, from one channel to the next by the index `order_watch_due`. */
export const dueWatchesStatement: Statement = {
  name: 'due-watches',
  text: `
with recursive watching as (
    (select channel_id from order_watch order by channel_id limit 1)
    union all
    select n.channel_id from watching c cross join lateral (
      select channel_id from order_watch where channel_id > c.channel_id order by channel_id limit 1) n)
select w.merchant_id as "merchantId", w.order_no as "orderNo", c.channel_id as "channelId", ${millis('w.due_at')} as "dueAt"
from watching c cross join lateral (
  select merchant_id, order_no, due_at from order_watch where channel_id = c.channel_id and due_at <= ${now} order by due_at limit $1) w`,
};

/**
 * Drops watches of the channels $1 (JSON rows with the longest time after the end, in ms) that are over: of the $2
 * longest due of each channel those that ended earlier. Rows that another process holds are left to it.
 */
export const dropOverSql = `
with over as (
  select w.merchant_id, w.order_no from json_to_recordset($1::json) as c("channelId" text, "maxMs" float8) cross join lateral (
    select merchant_id, order_no, ended_at from order_watch where channel_id = c."channelId" and due_at <= ${now}
    order by due_at limit $2 for update skip locked) w
  where w.ended_at < ${now} - c."maxMs" * interval '1 ms')
delete from order_watch o using over where o.merchant_id = over.merchant_id and o.order_no = over.order_no
returning o.channel_id as "channelId"`;

const ofOrder = 'merchant_id = $1 and order_no = $2';

/** Claims the watch of an order ($1 merchant, $2 order number) for $3 ms, if it is due. */
export const claimWatchStatement: Statement = {
  name: 'claim-watch',
  text: `update order_watch set due_at = clock_timestamp() + $3::float8 * interval '1 ms' where ${ofOrder} and due_at <= ${now}
  returning ${millis('ended_at')} as "endedAt", ${millis('clock_timestamp()')} as "now"`,
};

/** The watch of the order is due next at $3, in Unix ms. */
export const postponeWatchStatement: Statement = {
  name: 'postpone-watch',
  text: `update order_watch set due_at = to_timestamp($3::float8 / 1000) where ${ofOrder}`,
};

export const endWatchStatement: Statement = { name: 'end-watch', text: `delete from order_watch where ${ofOrder}` };
