import type { NotificationWork, Work } from '../core/queued-work.ts';
import type { DatabaseAccess } from '../database/database.ts';

type Row = Pick<NotificationWork, 'merchantId' | 'orderNo' | 'status' | 'host' | 'dueAt'> & {
  queue: Work['queue'];
  channelId: string;
  traceparent: string | null;
};

/**
 * What is due and claimed by nobody; at most `limit` orders, as many first attempts at notifications, and as many retries. Of the orders the
 * longest waiting of each channel and action come first, then the second of each, and so on: a backlog of one hides no other.
 */
export async function dueWork(domain: DatabaseAccess, limit: number): Promise<Work[]> {
  const { rows } = await domain.database.pool.query<Row>({ name: 'due-work', text: dueSql, values: [limit] });
  return rows.map(workOf);
}

function workOf({ queue, merchantId, orderNo, channelId, status, host, dueAt, traceparent }: Row): Work {
  const traced = traceparent !== null && { traceparent };
  return queue === 'notify' || queue === 'retry'
    ? { queue, merchantId, orderNo, status, host, dueAt, ...traced }
    : { queue, merchantId, orderNo, channelId, dueAt, ...traced };
}

const millis = (column: string): string => `round(extract(epoch from ${column}) * 1000)::float8`;
// The clock in a subquery is asked once, so that the indexes of what is due are of use; in whole milliseconds, as the columns are.
const now = '(select clock_timestamp()::timestamptz(3))';
const dueNotifications = (queue: 'notify' | 'retry', attempts: string): string => `
(select '${queue}', merchant_id, order_no, '', status, host, ${millis('next_attempt_at')}, traceparent from notification
   where state = 'pending' and held_by is null and ${attempts} and next_attempt_at <= ${now} order by next_attempt_at limit $1)`;

// From one channel and action to the next by the index `orders_due_by_channel`.
export const dueSql = `
with recursive kind as (
    (select next_action, channel_id from orders where next_action is not null order by next_action, channel_id limit 1)
    union all
    select n.* from kind k cross join lateral (
      select next_action, channel_id from orders where next_action is not null and (next_action, channel_id) > (k.next_action, k.channel_id)
      order by next_action, channel_id limit 1) n)
(select next_action as queue, merchant_id as "merchantId", order_no as "orderNo", channel_id as "channelId", status, '' as host,
     ${millis('next_action_at')} as "dueAt", traceparent
   from (select o.*, row_number() over (partition by o.next_action, o.channel_id order by o.next_action_at) as place
     from kind k cross join lateral (
       select next_action, channel_id, merchant_id, order_no, status, next_action_at, traceparent from orders
       where next_action is not null and next_action = k.next_action and channel_id = k.channel_id and next_action_at <= ${now}
       order by next_action_at limit $1) o) o
   order by place, next_action_at limit $1)
union all ${dueNotifications('notify', 'attempt = 0')} union all ${dueNotifications('retry', 'attempt > 0')}`;
