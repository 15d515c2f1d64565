import { Gauge, type Registry } from 'prom-client';

/** `tidegate_payouts_stuck`: payouts that wait too long for their channel. They are counted, never touched (decisions 5.4). */
export function addStuckPayoutsGauge(registry: Registry, count: () => Promise<number>): void {
  const gauge: Gauge = new Gauge({
    name: 'tidegate_payouts_stuck',
    help: 'Payouts that have waited too long for a definite answer of their channel',
    registers: [registry],
    async collect() {
      const stuck = await count().catch(() => null);
      // Unknown is not none: without the database there is no figure.
      if (stuck === null) gauge.remove();
      else gauge.set(stuck);
    },
  });
}
