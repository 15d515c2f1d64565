import type { Unreconciled } from '@tidegate/domain/worker';
import { cachedReading, type Metrics } from '@tidegate/process';

/** Open breaks change when statements come and operators decide. */
const keptMs = 30_000;
const dayMs = 24 * 60 * 60_000;

interface Asked {
  unreconciled(before: string): Promise<Unreconciled[]>;
  missingStatements(): Promise<{ channelId: string; count: number }[]>;
  missingDrafts(): Promise<{ country: string; count: number }[]>;
  unannouncedHolidays(): Promise<{ country: string; isUnannounced: boolean }[]>;
}

/**
 * Metrics of days that are not reconciled at each channel, and of settlements that are not drafted. They are read from
 * the database, so every worker reports the same. Without the database they are absent.
 */
export function addReconciliationMetrics(metrics: Metrics, ask: Asked): void {
  // A statement of yesterday may still be on its way.
  const yesterday = (): string => new Date(Date.now() - dayMs).toISOString().slice(0, 10);
  const read = cachedReading(() => ask.unreconciled(yesterday()), { keptMs });
  const readMissing = cachedReading(() => ask.missingStatements(), { keptMs });
  const readDrafts = cachedReading(() => ask.missingDrafts(), { keptMs });
  const readHolidays = cachedReading(() => ask.unannouncedHolidays(), { keptMs });
  const labels = ({ channelId: channel, currency }: Unreconciled) => ({ channel, currency });
  metrics.gauge('tidegate_unreconciled_amount', async () => {
    const found = await read();
    return found?.map((one) => [labels(one), Number(one.amount)]) ?? null;
  });
  metrics.gauge('tidegate_unreconciled_age_seconds', async () => {
    const found = await read();
    return found?.map((one) => [labels(one), Math.max(0, Date.now() - one.since) / 1_000]) ?? null;
  });
  metrics.gauge('tidegate_statements_missing', async () => {
    const found = await readMissing();
    return found?.map(({ channelId: channel, count }) => [{ channel }, count]) ?? null;
  });
  metrics.gauge('tidegate_settlement_drafts_missing', async () => {
    const found = await readDrafts();
    return found?.map(({ country, count }) => [{ country }, count]) ?? null;
  });
  metrics.gauge('tidegate_settlement_holidays_unannounced', async () => {
    const found = await readHolidays();
    return found?.map(({ country, isUnannounced }) => [{ country }, isUnannounced ? 1 : 0]) ?? null;
  });
}
