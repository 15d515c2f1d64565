import type pg from 'pg';
import type { OrderStatus } from '../core/order.ts';
import { claimByKey, claimNextInLine, claimSettings, recordAttempts, waitInLine } from './delivery-statements.ts';
import { inBatches } from './in-batches.ts';
import { runPinned } from './run-pinned.ts';
import type { Statement } from './statements.ts';

/** By what a notification is named. */
export interface NotificationKey {
  merchantId: string;
  orderNo: string;
  status: OrderStatus;
}

/** A notification with the attempt that was claimed for it; `paused`: its merchant's pause keeps it instead, and nothing was claimed. */
export interface ClaimedRow extends NotificationKey {
  url: string;
  body: string;
  host: string;
  /** 1, 2, 3 … over all rounds. */
  attempt: number;
  earlierAttempts: number;
  /** The span in which it was written. */
  traceparent: string | null;
  paused: boolean;
}

/** Those of one merchant that wait at one host; `firstOnly`: only those that were never tried. */
export interface LineEnd {
  host: string;
  merchantId: string;
  firstOnly: boolean;
}

/** An attempt as it is logged, and what follows from it; `wait` is in ms, null where there is no next one. */
export interface AttemptRecord extends NotificationKey {
  attempt: number;
  startedAt: number;
  durationMs: number;
  address: string | null;
  httpStatus: number | null;
  reply: string | null;
  error: string | null;
  state: 'pending' | 'delivered' | 'exhausted';
  wait: number | null;
}

/** The statements of delivery, each for many notifications at once: what is asked at the same time rides together. */
export interface Deliveries {
  /** Claims an attempt for `lease` ms; null if it is not due, or somebody else has it. */
  claim(ref: NotificationKey): Promise<ClaimedRow | null>;
  /** Claims the next attempt of a line, first attempts before all others; null if none waits. */
  claimNext(line: LineEnd): Promise<ClaimedRow | null>;
  /** Puts a due one into the line at its host; false if it is not due, or stands there already. */
  wait(ref: NotificationKey): Promise<boolean>;
  record(attempt: AttemptRecord): Promise<void>;
}

const size = 200;
const lanes = 1;

export function openDeliveries(pool: pg.Pool, lease: number): Deliveries {
  const claimed = <Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> =>
    runPinned<Row>(pool, statement, values, claimSettings);
  const keyOf = ({ merchantId, orderNo, status }: NotificationKey): string => `${merchantId} ${orderNo} ${status}`;
  const keysOf = (refs: NotificationKey[]): string[][] => [
    refs.map((ref) => ref.merchantId),
    refs.map((ref) => ref.orderNo),
    refs.map((ref) => ref.status),
  ];
  return {
    claim: inBatches({
      ...{ size, lanes, keyOf },
      run: async (refs) => {
        const rows = await claimed<ClaimedRow>(claimByKey, [...keysOf(refs), lease]);
        const found = new Map(rows.map((row) => [keyOf(row), row]));
        return refs.map((ref) => found.get(keyOf(ref)) ?? null);
      },
    }),
    claimNext: inBatches({
      ...{ size, lanes },
      run: async (ends: LineEnd[]) => {
        const endOf = (end: LineEnd): string => JSON.stringify([end.host, end.merchantId, end.firstOnly]);
        const wanted = [...Map.groupBy(ends, endOf).values()].map((same) => ({
          ...(same[0] as LineEnd),
          count: same.length,
        }));
        const rows = await claimed<ClaimedRow & { line: number }>(claimNextInLine, [
          ...[wanted.map((w) => w.host), wanted.map((w) => w.merchantId), wanted.map((w) => w.firstOnly)],
          ...[wanted.map((w) => w.count), lease],
        ]);
        const got = new Map(wanted.map((w, i) => [endOf(w), rows.filter((row) => row.line === i + 1)]));
        return ends.map((end) => got.get(endOf(end))?.shift() ?? null);
      },
    }),
    wait: inBatches({
      ...{ size, lanes, keyOf },
      run: async (refs) => {
        const rows = await claimed<NotificationKey>(waitInLine, keysOf(refs));
        const waiting = new Set(rows.map(keyOf));
        return refs.map((ref) => waiting.has(keyOf(ref)));
      },
    }),
    record: inBatches({
      ...{ size, lanes, keyOf },
      run: async (attempts: AttemptRecord[]) => {
        await runPinned(pool, recordAttempts, [JSON.stringify(attempts)]);
        return attempts.map(() => undefined);
      },
    }),
  };
}
