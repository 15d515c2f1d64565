import { randomUUID } from 'node:crypto';
import { attemptsPerHost, breaker, type HostBacklog, workLease } from '@tidegate/domain/worker';
import {
  boundaryOf,
  openBreakersKey as breakersKey,
  keepTimes,
  onOwnKeys,
  type RedisConnection,
} from '@tidegate/queue';
import { boundedText } from '@tidegate/settings/bounded-text';
import type { Result } from 'ioredis';
import * as z from 'zod';
import { openFailingHosts } from './failing-hosts.ts';
import { openSharedBreakers } from './shared-breaker.ts';
import { enterScript, keysOfSlot, leaveScript, roomScript, typesOfSlot } from './slot-scripts.ts';

/**
 * A delivery slot at a host: one of the attempts that may be in flight there at once. If its process dies, its lease
 * expires.
 */
export interface DeliverySlot extends HostBacklog {
  lease: string;
  /** The one attempt that an open breaker lets through. */
  isProbe: boolean;
  /** The one attempt that the shared breaker of the merchant's other hosts lets through. */
  isSharedProbe: boolean;
  /** The time at which the slot was granted, by `performance.now()`. */
  since: number;
}

export type Refusal = 'host_full' | 'breaker_open';

export interface Left {
  /** The slot is kept for the next notification of the backlog. */
  kept: boolean;
  /** Work may wait at the host. */
  hasBacklog: boolean;
  breaker: 'opened' | 'closed' | null;
}

/**
 * Limits attempts at each host, over all workers (decisions 7.6). At most 8 are in flight at one host, shared by its
 * merchants. After 10 failures in a row a merchant's endpoint gets one attempt a minute, until one succeeds. Each
 * merchant has its own breaker at a host, so that one merchant's wrong path does not block the others. Beyond 1,000
 * failing hosts a merchant's other hosts share a breaker, so that no merchant fills Redis. State is in Redis, but for
 * shared breakers, and is learned again if lost. Each function rejects while Redis is unavailable.
 */
export interface DeliverySlots {
  /**
   * Requests a slot: `first` or `retry` for a new attempt, `backlog` for the next notification of the backlog. A new
   * retry waits behind the backlog.
   */
  enter(backlog: HostBacklog, how: 'first' | 'retry' | 'backlog'): Promise<DeliverySlot | Refusal>;
  /**
   * Records how the attempt ended (`unused`: there was none). Then releases the slot, or keeps it for the next
   * notification of the backlog.
   */
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
  /** How many failing hosts of one merchant have their own breaker; default 1,000. */
  maxFailingHosts?: number;
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    enterSlot(...keysAndArguments: (string | number)[]): Result<unknown, Context>;
    leaveSlot(...keysAndArguments: (string | number)[]): Result<unknown, Context>;
    roomForSlots(...keysAndArguments: (string | number)[]): Result<unknown, Context>;
  }
}

/** The replies of the scripts. */
const entered = z.enum(['slot', 'probe', 'host_full', 'breaker_open']);
const left = z.tuple([z.number(), z.number(), boundedText(256), z.number()]);
const rooms = z.number().int().nonnegative();

/** How long a merchant counts as active at a host: a little longer than the longest attempt. */
const seenFor = 15_000;
/** How long after its grant a slot may still be kept, if a host has more merchants than shares. */
const freshFor = 250;
/** How long the mark of a backlog lasts. */
const backlogKeptMs = 60_000;
/** How long an open breaker is stored after its last attempt: longer than the longest wait between two attempts. */
const openKeptMs = 24 * 60 * 60_000;
/** How long failures count as consecutive while the breaker is closed. */
const failuresKeptMs = 60 * 60_000;

/**
 * Do not pipeline commands on `redis`: a script that a restarted Redis has lost is only resent outside of a pipeline.
 */
export function openDeliverySlots(
  redis: RedisConnection,
  { leaseMs = workLease, scheduleScale, maxFailingHosts = 1_000 }: SlotTimes,
): DeliverySlots {
  const read = defineScripts(redis);
  const probeEvery = Math.max(1, Math.round(breaker.probeEvery * scheduleScale));
  const shared = openSharedBreakers(probeEvery);
  const failing = openFailingHosts(redis, openKeptMs, maxFailingHosts);
  const ofHost = scriptsOfHosts(redis, probeEvery, leaseMs);
  const isUnderShared = async (backlog: HostBacklog): Promise<boolean> =>
    shared.isOpen(backlog.merchantId) && !(await failing.has(backlog));
  return {
    async enter(backlog, how) {
      const { host, merchantId } = backlog;
      const isSharedProbe = await isUnderShared(backlog);
      if (isSharedProbe && !shared.takeProbe(merchantId)) return 'breaker_open';
      const lease = randomUUID();
      const reply = read(
        await ofHost(backlog, (about) => redis.enterSlot(...about, lease, how, backlogKeptMs)),
        entered,
      );
      if (reply === 'host_full' || reply === 'breaker_open') {
        if (isSharedProbe) shared.giveBack(merchantId);
        return reply;
      }
      return { host, merchantId, lease, isProbe: reply === 'probe', isSharedProbe, since: performance.now() };
    },
    async leave(slot, outcome, wantsNext) {
      const { host, merchantId } = slot;
      const hasPlace = outcome !== 'failed' || (await failing.add(slot, slot.isProbe ? openKeptMs : failuresKeptMs));
      // The host of a probe has a breaker.
      const isBeyond = !hasPlace && !slot.isProbe;
      const opened = isBeyond ? shared.failed(merchantId) : null;
      if (outcome === 'unused' && slot.isSharedProbe) shared.giveBack(merchantId);
      const mayGoOn = wantsNext && !(isBeyond && shared.isOpen(merchantId));
      const counted = isBeyond ? 'unused' : outcome;
      const reply = await ofHost(slot, (about) => redis.leaveSlot(...about, ...leaving(slot, counted, mayGoOn)));
      const [kept, waits, turned, recovered] = read(reply, left);
      const name = `${host} ${merchantId}`;
      if (turned === 'opened')
        await Promise.all([redis.zadd(breakersKey, Date.now(), name), failing.add(slot, openKeptMs)]);
      if (turned === 'closed') await redis.zrem(breakersKey, name);
      if (recovered === 1) await failing.remove(slot);
      const closed = outcome === 'delivered' && recovered === 0 ? shared.delivered(merchantId) : null;
      return {
        kept: kept === 1,
        hasBacklog: waits === 1,
        breaker: turned === 'opened' || turned === 'closed' ? turned : (opened ?? closed),
      };
    },
    room: (backlogs) =>
      Promise.all(
        backlogs.map(async (backlog) => {
          const room = read(await ofHost(backlog, (about) => redis.roomForSlots(...about)), rooms);
          return (await isUnderShared(backlog)) ? Math.min(room, shared.room(backlog.merchantId)) : room;
        }),
      ),
    async markBacklog(host, waits) {
      const [, , key] = keysOfSlot(host, '');
      await (waits ? redis.set(key, 1, 'PX', backlogKeptMs) : redis.del(key));
    },
    async openBreakers() {
      await keepTimes(redis, breakersKey, Date.now() - openKeptMs, Date.now());
      return redis.zcard(breakersKey);
    },
  };
}

/** Runs a script with the keys and limits of a host, with which each begins. */
type OfHost = <T>(backlog: HostBacklog, ask: (about: (string | number)[]) => Promise<T>) => Promise<T>;

function scriptsOfHosts(redis: RedisConnection, probeEvery: number, leaseMs: number): OfHost {
  return ({ host, merchantId }, ask) => {
    const keys = keysOfSlot(host, merchantId);
    const about = [...keys, merchantId, attemptsPerHost, seenFor, probeEvery, leaseMs];
    const types = keys.map((key, nth) => [key, typesOfSlot[nth] ?? 'string'] as const);
    return onOwnKeys(redis, types, () => ask(about));
  };
}

/** Reads replies. One that cannot be read is like none: the caller goes on as without Redis. */
function readerOf(redis: RedisConnection): <T>(reply: unknown, schema: z.ZodType<T>) => T {
  const boundary = boundaryOf(redis);
  return (reply, schema) => {
    const value = boundary.readData('delivery_slots', reply, schema);
    if (value === undefined) throw new Error('Redis gave an unknown answer about a delivery slot');
    return value;
  };
}

/** The arguments of `leaveScript` after those of the host. */
function leaving(
  slot: DeliverySlot,
  outcome: 'delivered' | 'failed' | 'unused',
  wantsNext: boolean,
): (string | number)[] {
  return [
    slot.lease,
    outcome,
    wantsNext ? 1 : 0,
    breaker.failures,
    openKeptMs,
    backlogKeptMs,
    slot.isProbe ? 1 : 0,
    performance.now() < slot.since + freshFor ? 1 : 0,
    failuresKeptMs,
  ];
}

/** Returns the reader of their replies. */
function defineScripts(redis: RedisConnection): ReturnType<typeof readerOf> {
  const numberOfKeys = 4;
  redis.defineCommand('enterSlot', { numberOfKeys, lua: enterScript });
  redis.defineCommand('leaveSlot', { numberOfKeys, lua: leaveScript });
  redis.defineCommand('roomForSlots', { numberOfKeys, lua: roomScript, readOnly: true });
  return readerOf(redis);
}
