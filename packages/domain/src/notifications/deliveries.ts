import type { BlockList } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { OrderStatus } from '../core/order.ts';
import type { NotificationWork } from '../core/queued-work.ts';
import type { Statement } from '../database/columns.ts';
import { inBatches } from '../database/in-batches.ts';
import { runPinned } from '../database/run-pinned.ts';
import { MerchantHeld } from '../ledger/index.ts';
import {
  claimByKey,
  claimNextParked,
  claimSettings,
  deliverySettings,
  parkAtHost,
  recordAttempts,
  releaseNewer,
} from './statements.ts';

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
  /** It waits for an older one of its order instead, and nothing was claimed. */
  blocked: boolean;
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

/** The statements of delivery, for many notifications at once: what is asked at the same time rides together, in one transaction. */
export interface Deliveries {
  /** Claims an attempt for `lease` ms; null if it is not due, or somebody else has it. */
  claim(ref: NotificationKey): Promise<ClaimedRow | null>;
  /** Claims the next attempt of a line, first attempts before all others; null if none waits. */
  claimNext(line: LineEnd): Promise<ClaimedRow | null>;
  /** Puts a due one into the line at its host; false if it is not due, or stands there already. */
  wait(ref: NotificationKey): Promise<boolean>;
  /** Throws MerchantHeld where another session holds the notification for too long: it is delivered again after its lease. */
  record(attempt: AttemptRecord): Promise<void>;
}

export interface DeliveryAccess {
  deliveries: Deliveries;
  /** Networks beyond the public ones where notifications may go. */
  notifyNetworks: BlockList;
}

/** What is asked of the database, and what it answers to that. */
interface Asks {
  record: { item: AttemptRecord; answer: boolean };
  wait: { item: NotificationKey; answer: boolean };
  claim: { item: NotificationKey; answer: ClaimedRow | null };
  claimNext: { item: LineEnd; answer: ClaimedRow | null };
}
type ReleasedRow = Omit<NotificationWork, 'traceparent'> & { traceparent: string | null };
type Name = keyof Asks;
type Ask = { [N in Name]: { name: N; item: Asks[N]['item'] } }[Name];

/** How one of them is asked for many at once. Items of the same key never ride together; of those without one any may. */
interface Way<N extends Name> {
  statement: Statement;
  keyOf: ((item: Asks[N]['item']) => string) | null;
  values(items: Asks[N]['item'][], lease: number): unknown[];
  answers(items: Asks[N]['item'][], rows: object[]): Asks[N]['answer'][];
}

const keyOf = ({ merchantId, orderNo, status }: NotificationKey): string => `${merchantId} ${orderNo} ${status}`;
const keysOf = (refs: NotificationKey[]): string[][] => [
  refs.map((ref) => ref.merchantId),
  refs.map((ref) => ref.orderNo),
  refs.map((ref) => ref.status),
];

/** In the order in which they are asked. None waits for a row that somebody else holds: all that rides with it would wait too. */
const ways: { [N in Name]: Way<N> } = {
  record: {
    ...{ statement: recordAttempts, keyOf },
    values: (attempts) => [JSON.stringify(attempts)],
    answers: (attempts, rows) => {
      const recorded = new Set((rows as NotificationKey[]).map(keyOf));
      return attempts.map((attempt) => recorded.has(keyOf(attempt)));
    },
  },
  wait: {
    ...{ statement: parkAtHost, keyOf },
    values: keysOf,
    answers: (refs, rows) => {
      const waiting = new Set((rows as NotificationKey[]).map(keyOf));
      return refs.map((ref) => waiting.has(keyOf(ref)));
    },
  },
  claim: {
    ...{ statement: claimByKey, keyOf },
    values: (refs, lease) => [...keysOf(refs), lease],
    answers: (refs, rows) => {
      const claimed = new Map((rows as ClaimedRow[]).map((row) => [keyOf(row), row]));
      return refs.map((ref) => claimed.get(keyOf(ref)) ?? null);
    },
  },
  claimNext: {
    ...{ statement: claimNextParked, keyOf: null },
    values: (ends, lease) => {
      const lines = linesOf(ends);
      return [
        ...[lines.map(([end]) => end.host), lines.map(([end]) => end.merchantId), lines.map(([end]) => end.firstOnly)],
        ...[lines.map((same) => same.length), lease],
      ];
    },
    answers: (ends, rows) => {
      const byLine = Map.groupBy(rows as (ClaimedRow & { line: number })[], ({ line }) => line);
      const got = new Map(linesOf(ends).map(([end], i) => [lineOf(end), byLine.get(i + 1) ?? []]));
      return ends.map((end) => got.get(lineOf(end))?.shift() ?? null);
    },
  },
};

const lineOf = ({ host, merchantId, firstOnly }: LineEnd): string => JSON.stringify([host, merchantId, firstOnly]);
const linesOf = (ends: LineEnd[]): [LineEnd, ...LineEnd[]][] =>
  [...Map.groupBy(ends, lineOf).values()] as [LineEnd, ...LineEnd[]][];

const size = 200;
/** Pauses before an attempt is recorded whose notification another session held, in ms. */
const heldPauses = [20, 50, 100, 200, 400, 800];

/** `released` is given what no longer has to wait for an older notification of its order. It must not throw. */
export function openDeliveries(pool: pg.Pool, lease: number, released: (work: NotificationWork[]) => void): Deliveries {
  const openShard = (): ((ask: Ask) => Promise<Asks[Name]['answer']>) =>
    inBatches({
      ...{ size, concurrency: 1 },
      keyOf: ({ name, item }: Ask) => {
        const key = ways[name].keyOf as Way<Name>['keyOf'];
        return key && `${name} ${key(item as never)}`;
      },
      run: (asks) => askTogether(pool, lease, asks, released),
    });
  const worker = openShard();
  // A backlog that is put into line must not hold up those that deliver.
  const backlog = openShard();
  const ask =
    <N extends Name>(name: N, through = worker) =>
    (item: Asks[N]['item']) =>
      through({ name, item } as Ask) as Promise<Asks[N]['answer']>;
  const record = ask('record');
  return {
    ...{ claim: ask('claim'), claimNext: ask('claimNext'), wait: ask('wait', backlog) },
    record: async (attempt) => {
      for (const pause of [...heldPauses, null]) {
        if (await record(attempt)) return;
        if (pause !== null) await sleep(pause);
      }
      throw new MerchantHeld('another session holds the notification: the attempt is not recorded');
    },
  };
}

/** One transaction, and one statement for each kind of what is asked. Gives the answers in the order of `asks`. */
async function askTogether(
  pool: pg.Pool,
  lease: number,
  asks: Ask[],
  released: (work: NotificationWork[]) => void,
): Promise<Asks[Name]['answer'][]> {
  const groups = Object.entries(ways).flatMap(([name, way]) => {
    const places = [...asks.keys()].filter((i) => asks[i]?.name === name);
    const items = places.map((i) => (asks[i] as Ask).item);
    return places.length > 0 ? [{ name, way: way as Way<Name>, places, items: items as never[] }] : [];
  });
  const asked = groups.map(({ way, items }) => ({ statement: way.statement, values: way.values(items, lease) }));
  const settled = asks.flatMap(({ name, item }) => (name === 'record' && item.state !== 'pending' ? [item] : []));
  // Behind the records and before the claims.
  if (settled.length > 0) {
    const orders = [settled.map((one) => one.merchantId), settled.map((one) => one.orderNo)];
    asked.splice(1, 0, { statement: releaseNewer, values: orders });
  }
  const keeps = groups.some(({ name }) => name === 'record');
  const rows = await runPinned(pool, asked, keeps ? deliverySettings : [...deliverySettings, ...claimSettings]);
  const newer = settled.length > 0 ? (rows.splice(1, 1)[0] as ReleasedRow[]) : [];
  if (newer.length > 0)
    released(newer.map(({ traceparent, ...work }) => ({ ...work, ...(traceparent && { traceparent }) })));
  const answers: Asks[Name]['answer'][] = [];
  for (const [group, { way, items, places }] of groups.entries()) {
    const given = way.answers(items, rows[group] ?? []);
    for (const [i, place] of places.entries()) answers[place] = given[i] as Asks[Name]['answer'];
  }
  return answers;
}
