import { type BreakerState, type RoutingHealth, weightFactorOf } from '@tidegate/domain/channels';
import type { Metrics } from '@tidegate/process';

const states = ['closed', 'half_open', 'open'] as const satisfies readonly BreakerState[];

/**
 * Metrics of channels with recent creates, from what all processes share in Redis, so every worker reports the same.
 * Without Redis they are absent.
 */
export function addChannelMetrics(
  metrics: Metrics,
  health: () => Promise<ReadonlyMap<string, RoutingHealth> | null>,
): void {
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
