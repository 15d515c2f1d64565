import { type BreakerState, type RoutingHealth, weightFactorOf } from '@tidegate/domain/channels';
import type { CredentialExpiry } from '@tidegate/domain/worker';
import { cachedReading, type Metrics } from '@tidegate/process';

/** Certificates expire after days, so they are read once a minute. */
const expiriesKeptMs = 60_000;
/** A channel changes rarely. */
const refusedKeptMs = 10_000;
/** Queries of ended orders can be late by hours, so seconds do not matter. */
const watchesKeptMs = 10_000;

const states = ['closed', 'half_open', 'open'] as const satisfies readonly BreakerState[];

/**
 * Metrics of channels with recent creates, from what all processes share in Redis, and of their certificates, from the
 * database. So every worker reports the same. Without Redis or the database they are absent.
 */
export function addChannelMetrics(
  metrics: Metrics,
  {
    health,
    refused,
    expiries,
    dueWatches,
  }: {
    health(): Promise<ReadonlyMap<string, RoutingHealth> | null>;
    refused(): Promise<readonly { channelId: string }[]>;
    expiries(): Promise<readonly CredentialExpiry[]>;
    dueWatches(): Promise<readonly { channelId: string; dueAt: number }[]>;
  },
): void {
  const refusing = cachedReading(refused, { keptMs: refusedKeptMs });
  metrics.gauge('tidegate_channel_refused', async () => {
    const found = await refusing();
    return found?.map(({ channelId }) => [{ channel: channelId }, 1]) ?? null;
  });
  const expiring = cachedReading(expiries, { keptMs: expiriesKeptMs });
  metrics.gauge('tidegate_channel_credential_expiry_timestamp_seconds', async () => {
    const found = await expiring();
    return found?.map(({ channelId, credential, at }) => [{ channel: channelId, credential }, at / 1000]) ?? null;
  });
  const watching = cachedReading(dueWatches, { keptMs: watchesKeptMs });
  metrics.gauge('tidegate_ended_orders_oldest_due_seconds', async () => {
    const found = await watching();
    return (
      found?.map(({ channelId, dueAt }) => [{ channel: channelId }, Math.max(0, Date.now() - dueAt) / 1000]) ?? null
    );
  });
  metrics.gauge('tidegate_channel_weight_ratio', async () => {
    const found = await health();
    return found && [...found].map(([channel, known]) => [{ channel }, weightFactorOf(known)]);
  });
  metrics.gauge('tidegate_channel_breaker', async () => {
    const found = await health();
    return (
      found &&
      [...found].flatMap(([channel, { breaker }]) =>
        states.map((state) => [{ channel, state }, state === breaker ? 1 : 0] as const),
      )
    );
  });
}
