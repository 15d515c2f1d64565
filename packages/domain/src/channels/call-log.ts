import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { every } from '../boundary/guarded.ts';
import { insertCalls } from './queries.ts';

/** One call to a channel, or one callback from it, as shown to operators. */
export interface ChannelCallRecord {
  merchantId: string;
  orderNo: string;
  channelId: string;
  operation: 'create' | 'query' | 'cancel' | 'callback' | 'refund' | 'query_refund';
  startedAt: number;
  durationMs: number;
  outcome: string;
  detail: string | null;
  /** Whether it may have reached the channel. */
  isSent: boolean;
  /** Whether the channel answered. */
  isAnswer: boolean;
}

export interface CallLog {
  add(record: ChannelCallRecord): void;
  close(): Promise<void>;
}

const flushEvery = 250;
const capacity = 10_000;

/**
 * Writes records in bulk, a moment later, so that no order waits for them. A crash may lose the records of that moment.
 */
export function openCallLog(pool: pg.Pool, onError: (error: unknown) => void): CallLog {
  let waiting: (ChannelCallRecord & { callId: string })[] = [];
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const rows = waiting;
    waiting = [];
    await pool.query({ ...insertCalls, values: [JSON.stringify(rows)] }).catch(onError);
  };
  let flushing: Promise<void> = Promise.resolve();
  const next = (): void => {
    flushing = flushing.then(flush).catch(onError);
  };
  const timer = every(flushEvery, next, onError);
  timer.unref();
  return {
    add(record) {
      if (waiting.length < capacity) waiting.push({ ...record, callId: randomUUID() });
    },
    async close() {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
}
