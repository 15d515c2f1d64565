import type { NotificationWork, Work } from '../ports/work.ts';
import type { Domain } from './domain.ts';

type Row = Pick<NotificationWork, 'merchantId' | 'orderNo' | 'status' | 'host' | 'dueAt'> & {
  queue: Work['queue'];
  traceparent: string | null;
};

/** What is due and claimed by nobody, the longest waiting first; at most `limit` orders, as many first attempts at notifications, and as many retries. */
export async function dueWork(domain: Domain, limit: number): Promise<Work[]> {
  const { rows } = await domain.database.pool.query<Row>({ name: 'due-work', text: dueSql, values: [limit] });
  return rows.map(workOf);
}

function workOf({ queue, merchantId, orderNo, status, host, dueAt, traceparent }: Row): Work {
  const traced = traceparent !== null && { traceparent };
  return queue === 'notify' || queue === 'retry'
    ? { queue, merchantId, orderNo, status, host, dueAt, ...traced }
    : { queue, merchantId, orderNo, dueAt, ...traced };
}

const millis = (column: string): string => `round(extract(epoch from ${column}) * 1000)::float8`;
// The clock in a subquery is asked once, so that the indexes of what is due are of use; in whole milliseconds, as the columns are.
const now = '(select clock_timestamp()::timestamptz(3))';
const dueNotifications = (queue: 'notify' | 'retry', attempts: string): string => `
(select '${queue}', merchant_id, order_no, status, host, ${millis('next_attempt_at')}, traceparent from notification
   where state = 'pending' and held_by is null and ${attempts} and next_attempt_at <= ${now} order by next_attempt_at limit $1)`;

const dueSql = `
(select next_action as queue, merchant_id as "merchantId", order_no as "orderNo", status, '' as host, ${millis('next_action_at')} as "dueAt", traceparent
   from orders where next_action is not null and next_action_at <= ${now} order by next_action_at limit $1)
union all ${dueNotifications('notify', 'attempt = 0')} union all ${dueNotifications('retry', 'attempt > 0')}`;
