import type { OrderStatus } from '../core/order.ts';
import type { Work } from '../ports/work.ts';
import type { Domain } from './domain.ts';

interface Row {
  queue: Work['queue'];
  merchantId: string;
  orderNo: string;
  status: OrderStatus;
  dueAt: number;
}

/** What is due and claimed by nobody, the longest waiting first; at most `limit` orders and as many notifications. */
export async function dueWork(domain: Domain, limit: number): Promise<Work[]> {
  const { rows } = await domain.database.pool.query<Row>({ name: 'due-work', text: dueSql, values: [limit] });
  return rows.map(({ queue, merchantId, orderNo, status, dueAt }) =>
    queue === 'notify' ? { queue, merchantId, orderNo, status, dueAt } : { queue, merchantId, orderNo, dueAt },
  );
}

// The clock in a subquery is asked once, so that the indexes of what is due are of use; in whole milliseconds, as the columns are.
const dueSql = `
(select next_action as queue, merchant_id as "merchantId", order_no as "orderNo", status, round(extract(epoch from next_action_at) * 1000)::float8 as "dueAt"
   from orders where next_action is not null and next_action_at <= (select clock_timestamp()::timestamptz(3)) order by next_action_at limit $1)
union all
(select 'notify', merchant_id, order_no, status, round(extract(epoch from next_attempt_at) * 1000)::float8
   from notification where state = 'pending' and next_attempt_at <= (select clock_timestamp()::timestamptz(3)) order by next_attempt_at limit $1)`;
