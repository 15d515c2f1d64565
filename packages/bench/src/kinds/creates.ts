import type { OrderKind } from '@tidegate/domain';
import { askRest } from '../ask-rest.ts';
import { askWriter } from '../ask-writer.ts';
import type { BenchEnvironment } from '../bench-environment.ts';
import type { Timing } from '../closed-loop.ts';
import { merchantNo, orderBody } from '../merchants.ts';
import type { Kind, Measured, Row } from '../row.ts';
import { runPgbench } from '../run-pgbench.ts';
import { signRequests } from '../signed-requests.ts';

/** How orders are created, and how many at once. */
export interface Load {
  kind: OrderKind;
  way: 'pgbench' | 'writer' | 'http';
  callers: number;
  wallets: number;
}

interface CreateRow extends Row, Load {}

/** A row, and the part of pgbench's result with as many wallets and 64 clients that it has to reach. */
function row(kind: OrderKind, way: Load['way'], wallets: number, callers: number, atLeast?: number): CreateRow {
  const name = `${kind}s by ${way}, ${wallets} ${wallets === 1 ? 'wallet' : 'wallets'}, ${callers}`;
  const held = atLeast !== undefined && { peers: [row(kind, 'pgbench', wallets, 64).name], aim: { atLeast } };
  return { name, unit: '/s', kind, way, wallets, callers, ...held };
}

const rows: readonly CreateRow[] = [
  row('payout', 'pgbench', 1, 64),
  row('payout', 'writer', 1, 64, 4),
  row('payout', 'writer', 1, 256, 7),
  row('payout', 'http', 1, 64, 3),
  row('payout', 'pgbench', 1000, 64),
  row('payout', 'writer', 1000, 64, 1.3),
  row('payout', 'writer', 1000, 512, 3),
  row('payout', 'http', 1000, 64, 0.9),
  row('payin', 'pgbench', 1, 64),
  row('payin', 'http', 1, 64, 3),
  row('payin', 'pgbench', 1000, 64),
  row('payin', 'http', 1000, 64, 0.9),
];

/** Orders created concurrently, compared with pgbench that writes the same rows, one transaction per order. */
export const creates: Kind = {
  rows,
  measure: async ({ environment, timing }, wanted, found) => {
    for (const one of rows.filter((row) => wanted.includes(row)))
      found(one.name, await measureCreates(environment, one, timing));
  },
};

/** More than any current machine answers in a second: HTTP requests are signed before the measurement. */
const mostPerSecond = 7_000;

/** Measures on its own database. `inspect` receives the database before it is dropped. */
export async function measureCreates(
  environment: BenchEnvironment,
  load: Load,
  timing: Timing,
  inspect: (databaseUrl: string) => Promise<void> = async () => undefined,
): Promise<Measured> {
  const database = await environment.freshDatabase();
  try {
    const measured = await ways[load.way](environment, database.url, load, timing);
    await inspect(database.url);
    return measured;
  } finally {
    await database.drop();
  }
}

type Way = (environment: BenchEnvironment, databaseUrl: string, load: Load, timing: Timing) => Promise<Measured>;

const ways: Readonly<Record<Load['way'], Way>> = {
  pgbench: async (environment, databaseUrl, { kind, callers, wallets }, timing) => {
    const run = { databaseUrl, scriptFile: environment.scriptFiles[kind], clients: callers, wallets };
    const { perSecond, meanMs } = await runPgbench(run, timing);
    return { figure: perSecond, waitMs: meanMs };
  },
  writer: async (environment, databaseUrl, load, timing) => {
    const sizes: number[] = [];
    const domain = await environment.openDomain(databaseUrl, { batch: ({ size }) => sizes.push(size) });
    let cpuOf = environment.countCpu();
    try {
      const rate = await askWriter(domain, load, timing, () => (cpuOf = environment.countCpu()));
      const { perSecond, medianMs, p99Ms, answers } = rate;
      const meanBatch = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
      return { figure: perSecond, waitMs: medianMs, p99Ms, meanBatch, cpuUs: cpuOf(answers) };
    } finally {
      await domain.close();
    }
  },
  http: async (environment, databaseUrl, { kind, callers, wallets }, timing) => {
    const rest = await environment.start('rest-adapter', databaseUrl);
    try {
      const count = Math.ceil((timing.warmUp + timing.seconds) * mostPerSecond) + callers;
      const requests = await signRequests(count, environment.keys.privateKeyPem, rest.port, () => ({
        merchantNo: merchantNo(kind, 1 + Math.floor(Math.random() * wallets)),
        path: `/${kind}/create`,
        body: orderBody(kind),
      }));
      return await countedRest(environment, rest.port, callers, requests, timing);
    } finally {
      await rest.stop();
    }
  },
};

/** Sends prepared requests like `askRest`, and counts the cost of an answer. */
export async function countedRest(
  environment: BenchEnvironment,
  port: number,
  connections: number,
  requests: readonly Buffer[],
  timing: Timing,
): Promise<Measured> {
  let cpuOf = environment.countCpu();
  const rate = await askRest(port, connections, requests, timing, () => (cpuOf = environment.countCpu()));
  return { figure: rate.perSecond, waitMs: rate.medianMs, p99Ms: rate.p99Ms, cpuUs: cpuOf(rate.answers) };
}
