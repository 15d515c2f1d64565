import { randomUUID } from 'node:crypto';
import { attemptsPerHost, breaker, type Line, workLease } from '@tidegate/domain/worker';
import type { RedisConnection } from '@tidegate/queue';
import type { Result } from 'ioredis';
import { enterScript, keysOfTurn, leaveScript, roomScript } from './turn-scripts.ts';

/** A turn at a host: one of the attempts that may be in flight there at once. Whoever dies with it loses it with its lease. */
export interface Turn extends Line {
  lease: string;
  /** The one attempt that an open breaker lets through. */
  isProbe: boolean;
  /** When it was had, by `performance.now()`. */
  since: number;
}

export type Refusal = 'host_full' | 'breaker_open';

export interface Left {
  /** The turn goes on, for the next in its line. */
  kept: boolean;
  /** Somebody may wait at the host. */
  lineWaits: boolean;
  breaker: 'opened' | 'closed' | null;
}

/**
 * Who may send to which host, over all workers (decisions 7.6): at most 8 attempts in flight at one host, shared by the merchants that are there;
 * and after 10 failures in a row a merchant's endpoint gets one attempt a minute, until one succeeds. A breaker is a merchant's own at a host: one
 * whose path there is wrong must not shut the host to others. All of it lies in Redis and may be lost: then it is learnt anew. Each
 * function rejects while Redis is away.
 */
export interface Turns {
  /** `first` or `retry` for one that comes, `line` for whoever takes the next in line: retries that come wait behind a line. */
  enter(line: Line, how: 'first' | 'retry' | 'line'): Promise<Turn | Refusal>;
  /** Tells how the attempt ended (`unused`: there was none), and gives the turn back, or goes on with it if there is somebody in line. */
  leave(turn: Turn, outcome: 'delivered' | 'failed' | 'unused', wantsNext: boolean): Promise<Left>;
  /** How many turns each could have now. */
  room(lines: readonly Line[]): Promise<number[]>;
  /** Somebody waits at this host, or nobody does. */
  markLine(host: string, waits: boolean): Promise<void>;
  /** How many breakers are open. */
  openBreakers(): Promise<number>;
}

export interface TurnTimes {
  /** How long a turn lasts that nobody gives back, in ms; default 25 s, as long as a claim. */
  leaseMs?: number;
  scheduleScale: number;
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    enterTurn(...keysAndArguments: (string | number)[]): Result<string, Context>;
    leaveTurn(...keysAndArguments: (string | number)[]): Result<[kept: number, waits: number, turned: string], Context>;
    roomForTurns(...keysAndArguments: (string | number)[]): Result<number, Context>;
  }
}

/** How long a merchant counts as being at a host: a little longer than an attempt there may take. */
const seenFor = 15_000;
/** How long a turn may go from one success to the next where merchants have to take turns. */
const freshFor = 250;
/** How long it is remembered that somebody waits at a host. */
const lineHolds = 60_000;
/** How long failures are counted as being in a row; longer than the longest wait between two attempts. */
const failuresKept = 24 * 60 * 60_000;
const breakersKey = 'tidegate:breakers-open';

/** Commands on `redis` must not be gathered into pipelines: a script that a restarted Redis has forgotten is sent again only alone. */
export function openTurns(redis: RedisConnection, { leaseMs = workLease, scheduleScale }: TurnTimes): Turns {
  const numberOfKeys = 4;
  redis.defineCommand('enterTurn', { numberOfKeys, lua: enterScript });
  redis.defineCommand('leaveTurn', { numberOfKeys, lua: leaveScript });
  redis.defineCommand('roomForTurns', { numberOfKeys, lua: roomScript, readOnly: true });
  const probeEvery = Math.max(1, Math.round(breaker.probeEvery * scheduleScale));
  const about = ({ host, merchantId }: Line): (string | number)[] => [
    ...[...keysOfTurn(host, merchantId), merchantId, attemptsPerHost, seenFor],
  ];
  return {
    async enter(line, how) {
      const lease = randomUUID();
      const said = await redis.enterTurn(...about(line), lease, leaseMs, how, probeEvery, lineHolds);
      if (said === 'host_full' || said === 'breaker_open') return said;
      return {
        host: line.host,
        merchantId: line.merchantId,
        lease,
        isProbe: said === 'probe',
        since: performance.now(),
      };
    },
    async leave(turn, outcome, wantsNext) {
      const [kept, waits, turned] = await redis.leaveTurn(
        ...[...about(turn), turn.lease, leaseMs, outcome, wantsNext ? 1 : 0],
        ...[
          breaker.failures,
          probeEvery,
          failuresKept,
          lineHolds,
          turn.isProbe ? 1 : 0,
          performance.now() < turn.since + freshFor ? 1 : 0,
        ],
      );
      const name = `${turn.host} ${turn.merchantId}`;
      if (turned === 'opened') await redis.zadd(breakersKey, Date.now(), name);
      if (turned === 'closed') await redis.zrem(breakersKey, name);
      return {
        kept: kept === 1,
        lineWaits: waits === 1,
        breaker: turned === 'opened' || turned === 'closed' ? turned : null,
      };
    },
    room: (lines) => Promise.all(lines.map((line) => redis.roomForTurns(...about(line)))),
    async markLine(host, waits) {
      const [, , key] = keysOfTurn(host, '');
      await (waits ? redis.set(key, 1, 'PX', lineHolds) : redis.del(key));
    },
    async openBreakers() {
      await redis.zremrangebyscore(breakersKey, '-inf', Date.now() - failuresKept);
      return redis.zcard(breakersKey);
    },
  };
}
