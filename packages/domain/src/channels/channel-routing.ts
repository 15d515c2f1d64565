import { setTimeout as delay } from 'node:timers/promises';
import {
  breakerPauseMs,
  type CreateOutcome,
  configuredWeight,
  type RouteHealth,
  type RoutingHealth,
  routingHealthOf,
  weightFactorOf,
} from '../core/routing-health.ts';
import type { TimeScale } from '../core/schedule.ts';

/** The last creates at each channel, by all processes. They may be lost: then configured weights count. */
export interface SharedOutcomes {
  /** Neither throws nor waits. */
  add(channelId: string, outcome: CreateOutcome): void;
  /** Outcomes by channel, oldest first. Rejects if they cannot be read. */
  read(): Promise<ReadonlyMap<string, readonly CreateOutcome[]>>;
}

/** The health of channels as it counts for one order. */
export interface RoutingView {
  healthOf(channelId: string): RouteHealth;
  /**
   * Reports that an order goes to this channel. While its breaker is half-open, this process then sends no other order
   * there.
   */
  chose(channelId: string): void;
}

/** The health of channels for new orders, from a snapshot that is read in the background. */
export interface ChannelRouting {
  record(channelId: string, outcome: CreateOutcome): void;
  /** Without a recent snapshot every channel has its configured weight. Never rejects. */
  view(): Promise<RoutingView>;
  /** The health of each channel with recent creates; null without a recent snapshot. Never rejects. */
  health(): Promise<ReadonlyMap<string, RoutingHealth> | null>;
}

export interface RoutingAccess {
  channelRouting: ChannelRouting;
}

/** A snapshot is read again after this time, in ms, if an order needs it. */
const refreshAfterMs = 1_000;
/** An older snapshot is not used, in ms. */
const usableForMs = 10_000;
/** The longest wait of an order for a snapshot, in ms. */
const waitMs = 200;

/** Without `shared` every channel has its configured weight. */
export function openChannelRouting(shared: SharedOutcomes | null, scale: TimeScale): ChannelRouting {
  const snapshot = shared ? openSnapshot(() => shared.read()) : async () => null;
  /** When this process last sent an order to a channel whose breaker was half-open. */
  const tried = new Map<string, number>();
  return {
    record: (channelId, outcome) => shared?.add(channelId, outcome),
    async view() {
      const outcomes = await snapshot();
      const now = Date.now();
      const healthAt = (channelId: string): RoutingHealth | null => {
        const known = outcomes?.get(channelId);
        return known ? routingHealthOf(known, now, scale) : null;
      };
      const isTried = (channelId: string): boolean =>
        now - (tried.get(channelId) ?? Number.NEGATIVE_INFINITY) < breakerPauseMs * scale.scheduleScale;
      return {
        healthOf(channelId) {
          const health = healthAt(channelId);
          if (!health) return configuredWeight;
          const isLast = health.breaker === 'open' || (health.breaker === 'half_open' && isTried(channelId));
          return { weightFactor: weightFactorOf(health), isLast };
        },
        chose(channelId) {
          if (healthAt(channelId)?.breaker === 'half_open') tried.set(channelId, now);
          else tried.delete(channelId);
        },
      };
    },
    async health() {
      const outcomes = await snapshot();
      if (!outcomes) return null;
      const now = Date.now();
      return new Map([...outcomes].map(([channelId, known]) => [channelId, routingHealthOf(known, now, scale)]));
    },
  };
}

/**
 * Reads at most once a second, and only when asked. Meanwhile the last value is used. Null if it is too old and the
 * next one does not arrive in time.
 */
function openSnapshot<T>(read: () => Promise<T>): () => Promise<T | null> {
  let last: { value: T; at: number } | null = null;
  let reading: Promise<void> | null = null;
  let beganAt = Number.NEGATIVE_INFINITY;
  const begin = (at: number): void => {
    beganAt = at;
    reading = read()
      .then(
        (value) => {
          last = { value, at };
        },
        () => undefined,
      )
      .finally(() => {
        reading = null;
      });
  };
  const usable = (): T | null => (last && performance.now() - last.at <= usableForMs ? last.value : null);
  return async () => {
    const now = performance.now();
    if (!reading && now - beganAt >= refreshAfterMs) begin(now);
    const left = beganAt + waitMs - now;
    if (usable() === null && reading && left > 0) await Promise.race([reading, delay(left, undefined, { ref: false })]);
    return usable();
  };
}
