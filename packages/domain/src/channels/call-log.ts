import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** One call to a channel, or of a channel, for the operators' eyes. */
export interface ChannelCallRecord {
  merchantId: string;
  orderNo: string;
  channelId: string;
  operation: 'create' | 'query' | 'cancel' | 'callback';
  startedAt: number;
  durationMs: number;
  outcome: string;
  detail: string | null;
}

export interface CallLog {
  add(record: ChannelCallRecord): void;
  close(): Promise<void>;
}

const flushEvery = 250;
const capacity = 10_000;

/** Writes records in bulk, a moment later: a log, which a crash may cut by that moment, and never in the way of an order. */
export function openCallLog(pool: pg.Pool, onError: (error: unknown) => void): CallLog {
  let waiting: (ChannelCallRecord & { callId: string })[] = [];
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const rows = waiting;
    waiting = [];
    await pool.query({ name: 'insert-channel-calls', text: insertSql, values: [JSON.stringify(rows)] }).catch(onError);
  };
  let flushing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    flushing = flushing.then(flush);
  }, flushEvery);
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

const insertSql = `insert into channel_call (merchant_id, order_no, call_id, channel_id, operation, started_at, duration_ms, outcome, detail)
  select "merchantId", "orderNo", "callId", "channelId", operation, to_timestamp("startedAt" / 1000), "durationMs", outcome, detail
  from json_to_recordset($1::json) as r("merchantId" text, "orderNo" text, "callId" text, "channelId" text, operation text, "startedAt" float8,
    "durationMs" integer, outcome text, detail text)`;
