import type { OrderKind } from '@tidegate/domain';
import { askRest } from '../ask-rest.ts';
import { askSeam } from '../ask-seam.ts';
import type { Timing } from '../closed-loop.ts';
import type { Ground } from '../ground.ts';
import { merchantNo, orderBody } from '../merchants.ts';
import type { Kind, Measured, Row } from '../row.ts';
import { runPgbench } from '../run-pgbench.ts';
import { signRequests } from '../signed-requests.ts';

/** How orders are created, and by how many at once. */
export interface Load {
  kind: OrderKind;
  way: 'pgbench' | 'seam' | 'http';
  callers: number;
  wallets: number;
}

interface CreateRow extends Row, Load {}

/** A row, and what it has to be of pgbench's line with as many wallets and 64 clients. */
function row(kind: OrderKind, way: Load['way'], wallets: number, callers: number, atLeast?: number): CreateRow {
  const name = `${kind}s by ${way}, ${wallets} ${wallets === 1 ? 'wallet' : 'wallets'}, ${callers}`;
  const beside = atLeast !== undefined && { peers: [row(kind, 'pgbench', wallets, 64).name], aim: { atLeast } };
  return { name, unit: '/s', kind, way, wallets, callers, ...beside };
}

const rows: readonly CreateRow[] = [
  row('payout', 'pgbench', 1, 64),
  row('payout', 'seam', 1, 64, 4),
  row('payout', 'seam', 1, 256, 7),
  row('payout', 'http', 1, 64, 3),
  row('payout', 'pgbench', 1000, 64),
  row('payout', 'seam', 1000, 64, 1.3),
  row('payout', 'seam', 1000, 512, 3),
  row('payout', 'http', 1000, 64, 0.9),
  row('payin', 'pgbench', 1, 64),
  row('payin', 'http', 1, 64, 3),
  row('payin', 'pgbench', 1000, 64),
  row('payin', 'http', 1000, 64, 0.9),
];

/** Orders created side by side, beside pgbench that writes the same rows, one transaction per order. */
export const creates: Kind = {
  rows,
  measure: async ({ ground, timing }, wanted, found) => {
    for (const one of rows.filter((row) => wanted.includes(row)))
      found(one.name, await measureCreates(ground, one, timing));
  },
};

/** More than any machine of today answers in a second: HTTP requests are signed before the time runs. */
const mostPerSecond = 7_000;

/** Measures on a database of its own. `inspect` is given the database afterwards, before it is dropped. */
export async function measureCreates(
  ground: Ground,
  load: Load,
  timing: Timing,
  inspect: (databaseUrl: string) => Promise<void> = async () => undefined,
): Promise<Measured> {
  const database = await ground.freshDatabase();
  try {
    const measured = await ways[load.way](ground, database.url, load, timing);
    await inspect(database.url);
    return measured;
  } finally {
    await database.drop();
  }
}

type Way = (ground: Ground, databaseUrl: string, load: Load, timing: Timing) => Promise<Measured>;

const ways: Readonly<Record<Load['way'], Way>> = {
  pgbench: async (ground, databaseUrl, { kind, callers, wallets }, timing) => {
    const run = { databaseUrl, scriptFile: ground.scriptFiles[kind], clients: callers, wallets };
    const { perSecond, meanMs } = await runPgbench(run, timing);
    return { figure: perSecond, waitMs: meanMs };
  },
  seam: async (ground, databaseUrl, load, timing) => {
    const sizes: number[] = [];
    const domain = await ground.openDomain(databaseUrl, { batch: ({ size }) => sizes.push(size) });
    let cpuOf = ground.countCpu();
    try {
      const rate = await askSeam(domain, load, timing, () => (cpuOf = ground.countCpu()));
      const { perSecond, medianMs, p99Ms, answers } = rate;
      const meanBatch = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
      return { figure: perSecond, waitMs: medianMs, p99Ms, meanBatch, cpuUs: cpuOf(answers) };
    } finally {
      await domain.close();
    }
  },
  http: async (ground, databaseUrl, { kind, callers, wallets }, timing) => {
    const rest = await ground.start('rest-adapter', databaseUrl);
    try {
      const count = Math.ceil((timing.warmUp + timing.seconds) * mostPerSecond) + callers;
      const requests = await signRequests(count, ground.keys.privateKeyPem, rest.port, () => ({
        merchantNo: merchantNo(kind, 1 + Math.floor(Math.random() * wallets)),
        path: `/${kind}/create`,
        body: orderBody(kind),
      }));
      return await countedRest(ground, rest.port, callers, requests, timing);
    } finally {
      await rest.stop();
    }
  },
};

/** Sends prepared requests as `askRest` does, and counts what an answer cost. */
export async function countedRest(
  ground: Ground,
  port: number,
  connections: number,
  requests: readonly Buffer[],
  timing: Timing,
): Promise<Measured> {
  let cpuOf = ground.countCpu();
  const rate = await askRest(port, connections, requests, timing, () => (cpuOf = ground.countCpu()));
  return { figure: rate.perSecond, waitMs: rate.medianMs, p99Ms: rate.p99Ms, cpuUs: cpuOf(rate.answers) };
}
