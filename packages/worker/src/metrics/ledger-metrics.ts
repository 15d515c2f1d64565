import type { AuditState, OpenOrders } from '@tidegate/domain/worker';
import { cachedReading, type Metrics } from '@tidegate/process';

/** Counting tens of thousands of open orders takes too long for every scrape. */
const ordersKeptMs = 10_000;
const keptMs = 500;

/**
 * Metrics of orders and the ledger, read from the database, so every worker reports the same. Without the database they
 * are absent.
 */
export function addLedgerMetrics(
  metrics: Metrics,
  ask: {
    openOrders(): Promise<OpenOrders[]>;
    stuckPayouts(): Promise<number>;
    stuckRefunds(): Promise<number>;
    stuckSettlements(): Promise<number>;
    auditState(): Promise<AuditState>;
    searchUntil(): Promise<number | null>;
  },
): void {
  const openOrders = cachedReading(ask.openOrders, { keptMs: ordersKeptMs });
  const stuckPayouts = cachedReading(ask.stuckPayouts, { keptMs });
  const stuckRefunds = cachedReading(ask.stuckRefunds, { keptMs });
  const stuckSettlements = cachedReading(ask.stuckSettlements, { keptMs });
  const auditState = cachedReading(ask.auditState, { keptMs });
  const searchUntil = cachedReading(ask.searchUntil, { keptMs });
  metrics.gauge('tidegate_orders_open', async () => {
    const found = await openOrders();
    return found?.map(({ count, ...labels }) => [labels, count]) ?? null;
  });
  metrics.gauge('tidegate_payouts_stuck', async () => {
    const stuck = await stuckPayouts();
    return stuck === null ? null : [[{}, stuck]];
  });
  metrics.gauge('tidegate_refunds_stuck', async () => {
    const stuck = await stuckRefunds();
    return stuck === null ? null : [[{}, stuck]];
  });
  metrics.gauge('tidegate_settlements_stuck', async () => {
    const stuck = await stuckSettlements();
    return stuck === null ? null : [[{}, stuck]];
  });
  metrics.gauge('tidegate_ledger_violations', async () => {
    const state = await auditState();
    return state?.open.map(({ rule, count }) => [{ rule }, count]) ?? null;
  });
  metrics.gauge('tidegate_payouts_stopped', async () => {
    const state = await auditState();
    return state === null ? null : [[{}, state.payoutStops]];
  });
  metrics.gauge('tidegate_audit_finished_timestamp_seconds', async () => {
    const state = await auditState();
    const ended = state?.lastRuns.filter(({ finishedAt }) => finishedAt !== null);
    return ended?.map(({ run, finishedAt }) => [{ run }, Number(finishedAt) / 1000]) ?? null;
  });
  metrics.gauge('tidegate_seals_verified_timestamp_seconds', async () => {
    const state = await auditState();
    const since = state?.sealsVerifiedSince ?? null;
    return since === null ? null : [[{}, since / 1000]];
  });
  metrics.gauge('tidegate_order_search_until_timestamp_seconds', async () => {
    const until = await searchUntil();
    return until === null ? null : [[{}, until / 1000]];
  });
}
