import type { NotificationWork, Work } from '../core/queued-work.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { dueWorkStatement } from './statements.ts';

type Row = Pick<NotificationWork, 'merchantId' | 'orderNo' | 'status' | 'host' | 'dueAt'> & {
  queue: Work['queue'];
  channelId: string;
  refundNo: string;
  caseNo: number;
  traceparent: string | null;
};

/**
 * Due work that is not claimed: at most `limit` orders, as many refunds and settlements, first attempts at notifications, and retries.
 * The oldest order of each channel and action comes first, then the second of each, and so on, and likewise for
 * refunds and settlements. So a backlog of one channel hides no other.
 */
export async function dueWork(domain: DatabaseAccess, limit: number): Promise<Work[]> {
  const { rows } = await domain.database.pool.query<Row>({ ...dueWorkStatement, values: [limit] });
  return rows.map(workOf);
}

function workOf(row: Row): Work {
  const { queue, merchantId, orderNo, channelId, status, host, dueAt, traceparent, refundNo, caseNo } = row;
  if (queue === 'refund') return { queue, merchantId, caseNo, refundNo, orderNo, channelId, dueAt };
  if (queue === 'settle') return { queue, merchantId, orderNo, channelId, dueAt };
  const traced = traceparent !== null && { traceparent };
  return queue === 'notify' || queue === 'retry'
    ? { queue, merchantId, orderNo, status, host, dueAt, ...traced }
    : { queue, merchantId, orderNo, channelId, dueAt, ...traced };
}
