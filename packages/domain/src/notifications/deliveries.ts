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
} from './queries.ts';

/** The key of a notification. */
export interface NotificationKey {
  merchantId: string;
  orderNo: string;
  status: OrderStatus;
}

/**
 * A notification with its claimed attempt. `paused`: its merchant's pause holds it instead, and nothing was claimed.
 */
export interface ClaimedRow extends NotificationKey {
  url: string;
  body: string;
  host: string;
  /** 1, 2, 3 … over all rounds. */
  attempt: number;
  earlierAttempts: number;
  /** The span that wrote it. */
  traceparent: string | null;
  paused: boolean;
  /** The notification waits for an older one of its order, so nothing was claimed. */
  blocked: boolean;
}

/** A notification to claim; `firstOnly`: only if it has no attempt. */
export interface ClaimByKey extends NotificationKey {
  firstOnly: boolean;
}

/** The backlog of one merchant at one host; `firstOnly`: only notifications without an attempt. */
export interface NextInBacklog {
  host: string;
  merchantId: string;
  firstOnly: boolean;
}

/** An attempt for the log, with its consequence. `wait` is in ms; null if there is no next attempt. */
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

/** The statements of delivery, for many notifications at once. Concurrent calls share a statement and a transaction. */
export interface Deliveries {
  /** Claims an attempt for `lease` ms; null if it is not due, or another worker has it. */
  claim(ref: ClaimByKey): Promise<ClaimedRow | null>;
  /** Claims the next attempt of a backlog, first attempts before all others; null if it is empty. */
  claimNext(line: NextInBacklog): Promise<ClaimedRow | null>;
  /** Moves a due notification to the backlog at its host; false if it is not due, or already there. */
  wait(ref: NotificationKey): Promise<boolean>;
  /**
   * Throws MerchantHeld if another session holds the notification for too long: it is delivered again after its lease.
   */
  record(attempt: AttemptRecord): Promise<void>;
}

export interface DeliveryAccess {
  deliveries: Deliveries;
  /** Networks beyond the public ones where notifications may go. */
  notifyNetworks: BlockList;
}

/** A kind of call to the database, and its answer. */
interface Asks {
  record: { item: AttemptRecord; answer: boolean };
  wait: { item: NotificationKey; answer: boolean };
  claim: { item: ClaimByKey; answer: ClaimedRow | null };
  claimNext: { item: NextInBacklog; answer: ClaimedRow | null };
}
type ReleasedRow = Omit<NotificationWork, 'traceparent'> & { traceparent: string | null };
type Name = keyof Asks;
type Ask = { [N in Name]: { name: N; item: Asks[N]['item'] } }[Name];

/**
 * How many calls of a kind go into one statement. Calls with the same key never share a statement; calls without a key
 * may.
 */
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

/**
 * In the order of execution. No statement waits for a row that another session holds, because all other calls in it
 * would wait too.
 */
const ways: { [N in Name]: Way<N> } = {
  record: {
    statement: recordAttempts,
    keyOf,
    values: (attempts) => [JSON.stringify(attempts)],
    answers: (attempts, rows) => {
      const recorded = new Set((rows as NotificationKey[]).map(keyOf));
      return attempts.map((attempt) => recorded.has(keyOf(attempt)));
    },
  },
  wait: {
    statement: parkAtHost,
    keyOf,
    values: keysOf,
    answers: (refs, rows) => {
      const waiting = new Set((rows as NotificationKey[]).map(keyOf));
      return refs.map((ref) => waiting.has(keyOf(ref)));
    },
  },
  claim: {
    statement: claimByKey,
    keyOf,
    values: (refs, lease) => [...keysOf(refs), refs.map((ref) => ref.firstOnly), lease],
    answers: (refs, rows) => {
      const claimed = new Map((rows as ClaimedRow[]).map((row) => [keyOf(row), row]));
      return refs.map((ref) => claimed.get(keyOf(ref)) ?? null);
    },
  },
  claimNext: {
    statement: claimNextParked,
    keyOf: null,
    values: (ends, lease) => {
      const backlogs = backlogsOf(ends);
      return [
        backlogs.map(([end]) => end.host),
        backlogs.map(([end]) => end.merchantId),
        backlogs.map(([end]) => end.firstOnly),
        backlogs.map((same) => same.length),
        lease,
      ];
    },
    answers: (ends, rows) => {
      const byBacklog = Map.groupBy(rows as (ClaimedRow & { backlog: number })[], ({ backlog }) => backlog);
      const jobsByBacklog = new Map(
        backlogsOf(ends).map(([end], i) => [backlogKeyOf(end), byBacklog.get(i + 1) ?? []]),
      );
      return ends.map((end) => jobsByBacklog.get(backlogKeyOf(end))?.shift() ?? null);
    },
  },
};

const backlogKeyOf = ({ host, merchantId, firstOnly }: NextInBacklog): string =>
  JSON.stringify([host, merchantId, firstOnly]);
const backlogsOf = (ends: NextInBacklog[]): [NextInBacklog, ...NextInBacklog[]][] =>
  [...Map.groupBy(ends, backlogKeyOf).values()] as [NextInBacklog, ...NextInBacklog[]][];

const size = 200;
/** Pauses in ms before an attempt is recorded again, if another session held its notification. */
const heldPauses = [20, 50, 100, 200, 400, 800];

/** `released` receives notifications that no longer wait for an older one of their order. It must not throw. */
export function openDeliveries(pool: pg.Pool, lease: number, released: (work: NotificationWork[]) => void): Deliveries {
  const openShard = (): ((ask: Ask) => Promise<Asks[Name]['answer']>) =>
    inBatches({
      size,
      concurrency: 1,
      keyOf: ({ name, item }: Ask) => {
        const key = ways[name].keyOf as Way<Name>['keyOf'];
        return key && `${name} ${key(item as never)}`;
      },
      run: (asks) => askTogether(pool, lease, asks, released),
    });
  const worker = openShard();
  // Parking a backlog must not delay deliveries.
  const backlog = openShard();
  const ask =
    <N extends Name>(name: N, through = worker) =>
    (item: Asks[N]['item']) =>
      through({ name, item } as Ask) as Promise<Asks[N]['answer']>;
  const record = ask('record');
  return {
    claim: ask('claim'),
    claimNext: ask('claimNext'),
    wait: ask('wait', backlog),
    record: async (attempt) => {
      for (const pause of [...heldPauses, null]) {
        if (await record(attempt)) return;
        if (pause !== null) await sleep(pause);
      }
      throw new MerchantHeld('another session holds the notification: the attempt is not recorded');
    },
  };
}

/** One transaction with one statement for each kind of call. Returns the answers in the order of `asks`. */
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
  const statements = groups.map(({ way, items }) => ({ statement: way.statement, values: way.values(items, lease) }));
  const settled = asks.flatMap(({ name, item }) => (name === 'record' && item.state !== 'pending' ? [item] : []));
  // Runs after the records and before the claims.
  if (settled.length > 0) {
    const orders = [settled.map((one) => one.merchantId), settled.map((one) => one.orderNo)];
    statements.splice(1, 0, { statement: releaseNewer, values: orders });
  }
  const keeps = groups.some(({ name }) => name === 'record');
  const rows = await runPinned(pool, statements, keeps ? deliverySettings : [...deliverySettings, ...claimSettings]);
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
