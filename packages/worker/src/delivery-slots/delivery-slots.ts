import { randomUUID } from 'node:crypto';
import { attemptsPerHost, breaker, type HostBacklog, workLease } from '@tidegate/domain/worker';
import { openBreakersKey as breakersKey, type RedisConnection } from '@tidegate/queue';
import type { Result } from 'ioredis';
import { enterScript, keysOfSlot, leaveScript, roomScript } from './slot-scripts.ts';

/**
 * A delivery slot at a host: one of the attempts that may be in flight there at once. If its process dies, its lease
 * expires.
 */
export interface DeliverySlot extends HostBacklog {
  lease: string;
  /** The one attempt that an open breaker lets through. */
  isProbe: boolean;
  /** When it was granted, by `performance.now()`. */
  since: number;
}

export type Refusal = 'host_full' | 'breaker_open';

export interface Left {
  /** The slot is kept for the next of the backlog. */
  kept: boolean;
  /** Work may wait at the host. */
  hasBacklog: boolean;
  breaker: 'opened' | 'closed' | null;
}

/**
 * Limits attempts at each host, over all workers (decisions 7.6). At most 8 are in flight at one host, shared by its
 * merchants. After 10 failures in a row a merchant's endpoint gets one attempt a minute, until one succeeds. Each
 * merchant has its own breaker at a host, so that one merchant's wrong path does not block the others. All state is in
 * Redis, and is learned again if lost. Each function rejects while Redis is away.
 */
export interface DeliverySlots {
  /**
   * `first` or `retry` for a new attempt, `backlog` for the next of the backlog. A new retry waits behind the backlog.
   */
  enter(backlog: HostBacklog, how: 'first' | 'retry' | 'backlog'): Promise<DeliverySlot | Refusal>;
  /** Records how the attempt ended (`unused`: there was none). Returns the slot, or keeps it for the next of the backlog. */
  leave(slot: DeliverySlot, outcome: 'delivered' | 'failed' | 'unused', wantsNext: boolean): Promise<Left>;
  /** How many slots each backlog could get now. */
  room(backlogs: readonly HostBacklog[]): Promise<number[]>;
  /** Records whether any work waits at this host. */
  markBacklog(host: string, waits: boolean): Promise<void>;
  /** How many breakers are open. */
  openBreakers(): Promise<number>;
}

export interface SlotTimes {
  /** How long a slot lasts without a release, in ms; default 25 s, as long as a claim. */
  leaseMs?: number;
  scheduleScale: number;
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    enterSlot(...keysAndArguments: (string | number)[]): Result<string, Context>;
    leaveSlot(...keysAndArguments: (string | number)[]): Result<[kept: number, waits: number, turned: string], Context>;
    roomForSlots(...keysAndArguments: (string | number)[]): Result<number, Context>;
  }
}

/** How long a merchant counts as active at a host: a little longer than the longest attempt. */
const seenFor = 15_000;
/** How long a slot may be reused after each success when merchants share slots. */
const freshFor = 250;
/** How long the mark of a backlog lasts. */
const backlogKeptMs = 60_000;
/** How long failures count as consecutive: longer than the longest wait between two attempts. */
const failuresKept = 24 * 60 * 60_000;

/**
 * Do not pipeline commands on `redis`: a script that a restarted Redis has lost is only resent outside of a pipeline.
 */
export function openDeliverySlots(
  redis: RedisConnection,
  { leaseMs = workLease, scheduleScale }: SlotTimes,
): DeliverySlots {
  const numberOfKeys = 4;
  redis.defineCommand('enterSlot', { numberOfKeys, lua: enterScript });
  redis.defineCommand('leaveSlot', { numberOfKeys, lua: leaveScript });
  redis.defineCommand('roomForSlots', { numberOfKeys, lua: roomScript, readOnly: true });
  const probeEvery = Math.max(1, Math.round(breaker.probeEvery * scheduleScale));
  const about = ({ host, merchantId }: HostBacklog): (string | number)[] => [
    ...[...keysOfSlot(host, merchantId), merchantId, attemptsPerHost, seenFor],
  ];
  return {
    async enter(backlog, how) {
      const lease = randomUUID();
      const said = await redis.enterSlot(...about(backlog), lease, leaseMs, how, probeEvery, backlogKeptMs);
      if (said === 'host_full' || said === 'breaker_open') return said;
      return {
        host: backlog.host,
        merchantId: backlog.merchantId,
        lease,
        isProbe: said === 'probe',
        since: performance.now(),
      };
    },
    async leave(slot, outcome, wantsNext) {
      const [kept, waits, turned] = await redis.leaveSlot(
        ...[...about(slot), slot.lease, leaseMs, outcome, wantsNext ? 1 : 0],
        ...[
          breaker.failures,
          probeEvery,
          failuresKept,
          backlogKeptMs,
          slot.isProbe ? 1 : 0,
          performance.now() < slot.since + freshFor ? 1 : 0,
        ],
      );
      const name = `${slot.host} ${slot.merchantId}`;
      if (turned === 'opened') await redis.zadd(breakersKey, Date.now(), name);
      if (turned === 'closed') await redis.zrem(breakersKey, name);
      return {
        kept: kept === 1,
        hasBacklog: waits === 1,
        breaker: turned === 'opened' || turned === 'closed' ? turned : null,
      };
    },
    room: (backlogs) => Promise.all(backlogs.map((backlog) => redis.roomForSlots(...about(backlog)))),
    async markBacklog(host, waits) {
      const [, , key] = keysOfSlot(host, '');
      await (waits ? redis.set(key, 1, 'PX', backlogKeptMs) : redis.del(key));
    },
    async openBreakers() {
      await redis.zremrangebyscore(breakersKey, '-inf', Date.now() - failuresKept);
      return redis.zcard(breakersKey);
    },
  };
}
