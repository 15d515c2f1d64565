import type { NotificationWork, Work } from '../core/queued-work.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { dueWindow, dueWorkStatement } from './queries.ts';

type Row = Pick<NotificationWork, 'merchantId' | 'orderNo' | 'status' | 'host' | 'dueAt'> & {
  queue: Work['queue'];
  channelId: string;
  refundNo: string;
  caseNo: number;
  traceparent: string | null;
  isHeld: boolean;
  /** How many rows of its queue and channel were read, and the time of the last one. 0: not counted. */
  read: number;
  reached: number;
};

/** How far the rows of each queue and channel with a long backlog were read, as Unix ms. It may be lost at any time. */
export type DueRotation = Map<string, number>;

/**
 * Due work that is not claimed: at most `limit` orders, as many refunds and settlements, first attempts at notifications, and retries.
 * Of each channel and action the oldest order of each merchant comes first, then the second of each, and so on, and
 * likewise for refunds and settlements. So a backlog of one channel or merchant hides no other. Where more is due than one call
 * reads, the next call with the same rotation reads on.
 */
export async function dueWork(
  { database }: DatabaseAccess,
  limit: number,
  rotation: DueRotation = new Map(),
): Promise<Work[]> {
  const reached = [...rotation].map(([kind, at]) => [...kind.split(' '), at]);
  const columns = [0, 1, 2].map((column) => reached.map((row) => row[column]));
  const { rows } = await database.pool.query<Row>({ ...dueWorkStatement, values: [limit, ...columns] });
  rotate(rotation, rows);
  const due = rows.filter(({ isHeld }) => !isHeld).map((row) => [JSON.stringify(keyOf(row)), row] as const);
  // The windows may overlap.
  return [...new Map(due).values()].map(workOf);
}

/** Goes on where a second window can have more rows, and starts over where it has passed the backlog. */
function rotate(rotation: DueRotation, rows: readonly Row[]): void {
  const before = new Map(rotation);
  rotation.clear();
  for (const { queue, channelId, read, reached } of rows) {
    const kind = `${queue} ${channelId}`;
    const from = before.get(kind);
    const isFull = read >= (from === undefined ? 1 : 2) * dueWindow;
    if (isFull) rotation.set(kind, Math.max(reached, (from ?? 0) + 1));
  }
}

const keyOf = ({ queue, merchantId, orderNo, refundNo, status }: Row): string[] => [
  queue,
  merchantId,
  orderNo,
  refundNo,
  status,
];

function workOf(row: Row): Work {
  const { queue, merchantId, orderNo, channelId, status, host, dueAt, traceparent, refundNo, caseNo } = row;
  if (queue === 'refund') return { queue, merchantId, caseNo, refundNo, orderNo, channelId, dueAt };
  if (queue === 'settle') return { queue, merchantId, orderNo, channelId, dueAt };
  const traced = traceparent !== null && { traceparent };
  return queue === 'notify' || queue === 'retry'
    ? { queue, merchantId, orderNo, status, host, dueAt, ...traced }
    : { queue, merchantId, orderNo, channelId, dueAt, ...traced };
}
