import { askRest } from './ask-rest.ts';
import { askSeam } from './ask-seam.ts';
import type { Timing } from './closed-loop.ts';
import type { Ground } from './ground.ts';
import { runPgbench } from './run-pgbench.ts';
import { signPayouts } from './signed-requests.ts';

/** One line of the table: how a way of creating payouts is loaded, and what it is compared with. */
export interface Measurement {
  name: string;
  way: 'pgbench' | 'seam' | 'http';
  callers: number;
  wallets: number;
  /** The line of pgbench that it is compared with. */
  peer?: string;
  /** Of the peer's rate, at the least. */
  aim?: number;
}

const hot = 'pgbench, 1 wallet, 64';
const many = 'pgbench, 1000 wallets, 64';
const alone = 'pgbench, 1 wallet, 1';

export const measurements: readonly Measurement[] = [
  { name: alone, way: 'pgbench', callers: 1, wallets: 1 },
  { name: 'seam, 1 wallet, 1', way: 'seam', callers: 1, wallets: 1, peer: alone },
  { name: hot, way: 'pgbench', callers: 64, wallets: 1 },
  { name: 'seam, 1 wallet, 64', way: 'seam', callers: 64, wallets: 1, peer: hot, aim: 4 },
  { name: 'seam, 1 wallet, 256', way: 'seam', callers: 256, wallets: 1, peer: hot, aim: 7 },
  { name: 'http, 1 wallet, 64', way: 'http', callers: 64, wallets: 1, peer: hot, aim: 2 },
  { name: many, way: 'pgbench', callers: 64, wallets: 1000 },
  { name: 'seam, 1000 wallets, 64', way: 'seam', callers: 64, wallets: 1000, peer: many, aim: 1.3 },
  { name: 'seam, 1000 wallets, 512', way: 'seam', callers: 512, wallets: 1000, peer: many, aim: 3 },
  { name: 'http, 1000 wallets, 64', way: 'http', callers: 64, wallets: 1000, peer: many, aim: 0.6 },
];

export interface Measured {
  perSecond: number;
  /** pgbench tells the mean only. */
  waitMs: number;
  p99Ms: number | null;
  meanBatch: number | null;
}

/** More than any machine of today answers in a second: HTTP requests are signed before the time runs. */
const mostPerSecond = 9_000;

/** Measures on a database of its own. `inspect` is given the database afterwards, before it is dropped. */
export async function measure(
  ground: Ground,
  measurement: Measurement,
  timing: Timing,
  inspect: (databaseUrl: string) => Promise<void> = async () => undefined,
): Promise<Measured> {
  const database = await ground.freshDatabase();
  try {
    const measured = await measureOn(ground, database.url, measurement, timing);
    await inspect(database.url);
    return measured;
  } finally {
    await database.drop();
  }
}

async function measureOn(
  ground: Ground,
  databaseUrl: string,
  { way, callers, wallets }: Measurement,
  timing: Timing,
): Promise<Measured> {
  switch (way) {
    case 'pgbench': {
      const run = { databaseUrl, scriptFile: ground.scriptFile, clients: callers, wallets };
      const { perSecond, meanMs } = await runPgbench(run, timing);
      return { perSecond, waitMs: meanMs, p99Ms: null, meanBatch: null };
    }
    case 'seam': {
      const sizes: number[] = [];
      const domain = await ground.openDomain(databaseUrl, ({ size }) => sizes.push(size));
      try {
        const { perSecond, medianMs, p99Ms } = await askSeam(domain, { callers, wallets }, timing);
        return {
          perSecond,
          waitMs: medianMs,
          p99Ms,
          meanBatch: sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
        };
      } finally {
        await domain.close();
      }
    }
    case 'http': {
      const rest = await ground.startRest(databaseUrl);
      try {
        const count = Math.ceil((timing.warmUp + timing.seconds) * mostPerSecond) + callers;
        const requests = await signPayouts(count, wallets, ground.keys.privateKeyPem, `127.0.0.1:${rest.port}`);
        const { perSecond, medianMs, p99Ms } = await askRest(rest.port, callers, requests, timing);
        return { perSecond, waitMs: medianMs, p99Ms, meanBatch: null };
      } finally {
        await rest.stop();
      }
    }
    default:
      return way satisfies never;
  }
}
