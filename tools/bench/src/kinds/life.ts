import { type LifeOf, mostMerchants, openLife } from '../order-life.ts';
import type { Kind, Row } from '../row.ts';

const part = 'life';
/** Orders per second, ascending. */
const rates = [50, 100, 200];

interface Group extends LifeOf {
  rows: { atRate: readonly (Row & { perSecond: number })[]; atRest: Row };
}

function groupOf(name: string, life: LifeOf): Group {
  return {
    ...life,
    rows: {
      atRate: rates.map((perSecond) => ({ name: `${part}, ${name} at ${perSecond} /s`, unit: '/s', perSecond })),
      atRest: { name: `${part}, ${name}: a second without orders`, unit: 'ms' },
    },
  };
}

const groups = [
  groupOf('payins', { kind: 'payin', cents: '00' }),
  groupOf('payouts', { kind: 'payout', cents: '00' }),
  // The channel reports nothing, so the worker learns of the end when it asks, 10 s after the submit.
  groupOf('polled payouts', { kind: 'payout', cents: '24' }),
];

/** The processor time of orders from their create until their notification is acknowledged, at several rates, and without orders. */
export const life: Kind = {
  part,
  merchants: mostMerchants,
  rows: groups.flatMap(({ rows }) => [...rows.atRate, rows.atRest]),
  measure: async ({ environment, timing }, wanted, report) => {
    for (const { kind, cents, rows } of groups) {
      if (![...rows.atRate, rows.atRest].some((row) => wanted.includes(row))) continue;
      const running = await openLife(environment, { kind, cents });
      try {
        // Cold processes are slow, so the rate rises in two steps.
        if (timing.warmUp > 0) await running.send(rates[0] ?? 1, timing.warmUp / 4);
        if (timing.warmUp > 0) await running.send(rates[1] ?? 1, (timing.warmUp * 3) / 4);
        for (const row of rows.atRate.filter((row) => wanted.includes(row))) {
          const { orders, seconds, waits, cpuUs } = await running.send(row.perSecond, timing.seconds);
          const { medianMs, p99Ms, perSecond } = waits;
          const note = `${orders} orders, all done after ${seconds.toFixed(2)} s`;
          report(row.name, { figure: perSecond, waitMs: medianMs, p99Ms, cpuUs, note });
        }
        if (!wanted.includes(rows.atRest)) continue;
        const cpuUs = await running.rest(timing.seconds);
        report(rows.atRest.name, { figure: servedMs(cpuUs), cpuUs });
      } finally {
        await running.close();
      }
    }
  },
};

/** The sum over the measured processes, without the load generator. */
function servedMs({ bench: _, ...served }: Readonly<Record<string, number>>): number {
  return Object.values(served).reduce((sum, us) => sum + us, 0) / 1000;
}
