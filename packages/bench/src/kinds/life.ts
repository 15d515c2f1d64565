import { fitLine } from '../fit-line.ts';
import { type LifeOf, mostMerchants, openLife, type Sent } from '../order-life.ts';
import type { Kind, Row } from '../row.ts';

const part = 'life';
/** Orders per second. */
const rates = [20, 50, 100];
/** The middle rate is first: processes that are still warming up change the slope of the line least there. */
const measuredRates = [50, 20, 100];

interface Group extends LifeOf {
  rows: { atRate: readonly (Row & { perSecond: number })[]; perOrder: Row; atRest: Row };
}

function groupOf(name: string, life: LifeOf): Group {
  return {
    ...life,
    rows: {
      atRate: rates.map((perSecond) => ({ name: `${part}, ${name} at ${perSecond} /s`, unit: '/s', perSecond })),
      perOrder: { name: `${part}, ${name}: each order`, unit: 'ms' },
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

/**
 * The processor time of orders from their create until their notification is acknowledged. Processes need processor
 * time without orders too. So orders arrive at several rates, and a line through them separates the two.
 */
export const life: Kind = {
  part,
  merchants: mostMerchants,
  rows: groups.flatMap(({ rows }) => [...rows.atRate, rows.perOrder, rows.atRest]),
  measure: async ({ environment, timing }, wanted, report) => {
    for (const { kind, cents, rows } of groups) {
      if (![...rows.atRate, rows.perOrder, rows.atRest].some((row) => wanted.includes(row))) continue;
      const running = await openLife(environment, { kind, cents });
      const all: Sent[] = [];
      try {
        // Cold processes are slow, so the rate rises in two steps.
        if (timing.warmUp > 0) await running.send(rates[1] ?? 1, timing.warmUp / 4);
        if (timing.warmUp > 0) await running.send(Math.max(...rates), (timing.warmUp * 3) / 4);
        for (const row of rows.atRate.toSorted((a, b) => placeOf(a) - placeOf(b))) {
          const sent = await running.send(row.perSecond, timing.seconds);
          all.push(sent);
          const { medianMs, p99Ms, perSecond } = sent.waits;
          const note = `${sent.orders} orders, all done after ${sent.seconds.toFixed(2)} s`;
          const { cpuUs } = sent;
          if (wanted.includes(row)) report(row.name, { figure: perSecond, waitMs: medianMs, p99Ms, cpuUs, note });
        }
      } finally {
        await running.close();
      }
      const { perOrder, atRest } = sharesOf(all);
      if (wanted.includes(rows.perOrder)) report(rows.perOrder.name, { figure: servedMs(perOrder), cpuUs: perOrder });
      if (wanted.includes(rows.atRest)) report(rows.atRest.name, { figure: servedMs(atRest), cpuUs: atRest });
    }
  },
};

function placeOf({ perSecond }: { perSecond: number }): number {
  return measuredRates.indexOf(perSecond);
}

/** Processor time in µs by process: of one order, and of a second without orders. */
interface Shares {
  perOrder: Record<string, number>;
  atRest: Record<string, number>;
}

/** Fits a line through what each process used in a second, over the orders in a second. */
export function sharesOf(all: readonly Pick<Sent, 'orders' | 'seconds' | 'cpuUs'>[]): Shares {
  const shares: Shares = { perOrder: {}, atRest: {} };
  for (const name of Object.keys(all[0]?.cpuUs ?? {})) {
    const points = all.map(({ orders, seconds, cpuUs }) => {
      const perSecond = orders / seconds;
      return { x: perSecond, y: (cpuUs[name] ?? 0) * perSecond };
    });
    const { slope, atZero } = fitLine(points);
    shares.perOrder[name] = slope;
    shares.atRest[name] = atZero;
  }
  return shares;
}

/** The sum over the measured processes, without the load generator. */
function servedMs({ bench: _, ...served }: Readonly<Record<string, number>>): number {
  return Object.values(served).reduce((sum, us) => sum + us, 0) / 1000;
}
