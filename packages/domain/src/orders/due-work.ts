import type { NotificationWork, Work } from '../core/queued-work.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { dueWorkStatement } from './statements.ts';

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
  const { rows } = await domain.database.pool.query<Row>({ ...dueWorkStatement, values: [limit] });
  return rows.map(workOf);
}

function workOf({ queue, merchantId, orderNo, channelId, status, host, dueAt, traceparent }: Row): Work {
  const traced = traceparent !== null && { traceparent };
  return queue === 'notify' || queue === 'retry'
    ? { queue, merchantId, orderNo, status, host, dueAt, ...traced }
    : { queue, merchantId, orderNo, channelId, dueAt, ...traced };
}
