import { cachedReading, type Metrics } from '@tidegate/process';

const keptMs = 5_000;

/** How long the oldest export has waited; 0 if none waits. It is read from the database, so every worker reports the same. Without the database it is absent. */
export function addExportMetrics(metrics: Metrics, ask: { longestWait(): Promise<number> }): void {
  const read = cachedReading(() => ask.longestWait(), { keptMs });
  metrics.gauge('tidegate_export_oldest_waiting_seconds', async () => {
    const seconds = await read();
    return seconds === null ? null : [[{}, seconds]];
  });
}
