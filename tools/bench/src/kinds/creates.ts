import type { OrderKind } from '@tidegate/domain';
import type { BenchEnvironment } from '../bench-environment.ts';
import type { Timing } from '../closed-loop.ts';
import { install } from '../install.ts';
import { merchantNo, orderBody } from '../merchants.ts';
import { installPgledger } from '../pgledger.ts';
import type { Kind, Measured, Row } from '../row.ts';
import { runPgbench } from '../run-pgbench.ts';
import { sendToRest } from '../send-to-rest.ts';
import { sendToWriter } from '../send-to-writer.ts';
import type { RunningService } from '../services.ts';
import { signRequests } from '../signed-requests.ts';

/**
 * How orders are created. `pgbench` writes the same rows by plain SQL, and `function` calls a function of PostgreSQL.
 * `pgledger` calls the functions of pgledger (docs/developers/benchmarks.md). `writer` calls our ledger writer, and
 * `http` sends signed requests to the REST adapter.
 */
export interface Load {
  kind: OrderKind;
  way: 'pgbench' | 'function' | 'pgledger' | 'writer' | 'http';
  callers: number;
  wallets: number;
}

interface CreateRow extends Row, Load {}

/** A row of the results. Its rate must be at least `atLeast` times the rate of pgbench with 64 clients and the same wallets. */
function row(kind: OrderKind, way: Load['way'], wallets: number, callers: number, atLeast?: number): CreateRow {
  const name = `${kind}s by ${way}, ${wallets} ${wallets === 1 ? 'wallet' : 'wallets'}, ${callers}`;
  const comparison = atLeast !== undefined && { peers: [row(kind, 'pgbench', wallets, 64).name], aim: { atLeast } };
  return { name, unit: '/s', kind, way, wallets, callers, ...comparison };
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
  measure: async ({ environment, timing }, wanted, report) => {
    for (const one of rows.filter((candidate) => wanted.includes(candidate)))
      report(one.name, await measureCreates(environment, one, timing));
  },
};

/**
 * The number of requests that are signed in advance for each second of the run. If the service answers more, the run
 * ends early.
 */
const maxPerSecond = 7_000;

/** Measures on a fresh database. `inspect` is called with its URL before it is dropped. */
export async function measureCreates(
  environment: BenchEnvironment,
  load: Load,
  timing: Timing,
  inspect: (databaseUrl: string) => Promise<void> = async () => undefined,
): Promise<Measured> {
  const database = await environment.freshDatabase({ hasOrders: true });
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
  pgbench: ({ peers }, databaseUrl, load, timing) => byPgbench(databaseUrl, peers.scriptFiles[load.kind], load, timing),
  function: async ({ peers }, databaseUrl, load, timing) => {
    await install(databaseUrl, peers.orderFunction.sql);
    return byPgbench(databaseUrl, peers.orderFunction.scriptFile, load, timing);
  },
  pgledger: async ({ peers: { pgledger } }, databaseUrl, load, timing) => {
    if (pgledger.folder === null) throw new Error('the SQL of pgledger is not there: name its folder by --pgledger');
    await installPgledger(databaseUrl, pgledger.folder, load.wallets);
    return byPgbench(databaseUrl, pgledger.scriptFile, load, timing);
  },
  writer: async (environment, databaseUrl, load, timing) => {
    const sizes: number[] = [];
    const domain = await environment.openDomain(databaseUrl, { batch: ({ size }) => sizes.push(size) });
    let cpuOf = environment.countCpu();
    try {
      const rate = await sendToWriter(domain, load, timing, () => (cpuOf = environment.countCpu()));
      const { perSecond, medianMs, p99Ms, answers } = rate;
      const meanBatch = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
      return { figure: perSecond, waitMs: medianMs, p99Ms, meanBatch, cpuUs: cpuOf(answers) };
    } finally {
      await domain.close();
    }
  },
  http: (environment, databaseUrl, load, timing) => measureHttp(environment, databaseUrl, load, timing, 1),
};

async function byPgbench(
  databaseUrl: string,
  scriptFile: string,
  { callers, wallets }: Load,
  timing: Timing,
): Promise<Measured> {
  const { perSecond, meanMs } = await runPgbench({ databaseUrl, scriptFile, clients: callers, wallets }, timing);
  return { figure: perSecond, waitMs: meanMs };
}

/** Measures signed creates against this number of REST adapters. `callers` is the total number of connections. */
export async function measureHttp(
  environment: BenchEnvironment,
  databaseUrl: string,
  load: Pick<Load, 'kind' | 'callers' | 'wallets'>,
  timing: Timing,
  processes: number,
): Promise<Measured> {
  const running: RunningService[] = [];
  try {
    for (let i = 0; i < processes; i += 1) running.push(await environment.start('rest-adapter', databaseUrl));
    const ports = running.map(({ port }) => port);
    const count = Math.ceil((timing.warmUp + timing.seconds) * maxPerSecond) + load.callers;
    const requests = await signCreates(environment, load, count, ports[0] ?? 0);
    return await measureRest(environment, ports, load.callers, requests, timing);
  } finally {
    for (const rest of running) await rest.stop();
  }
}

/** Signs creates of orders of random merchants among the first `wallets`. */
export function signCreates(
  environment: BenchEnvironment,
  { kind, wallets }: Pick<Load, 'kind' | 'wallets'>,
  count: number,
  port: number,
): Promise<Buffer[]> {
  return signRequests(count, environment.keys.privateKeyPem, port, () => ({
    merchantNo: merchantNo(kind, 1 + Math.floor(Math.random() * wallets)),
    path: `/${kind}/create`,
    body: orderBody(kind),
  }));
}

/**
 * Sends prepared requests like `sendToRest`, and measures processor time per answer in µs. If the requests run out, the
 * run ends early, and a note reports it.
 */
export async function measureRest(
  environment: BenchEnvironment,
  ports: readonly number[],
  connections: number,
  requests: readonly Buffer[],
  timing: Timing,
): Promise<Measured> {
  let cpuOf = environment.countCpu();
  const rate = await sendToRest(ports, connections, requests, timing, () => (cpuOf = environment.countCpu()));
  const measured = { figure: rate.perSecond, waitMs: rate.medianMs, p99Ms: rate.p99Ms, cpuUs: cpuOf(rate.answers) };
  if (rate.seconds > timing.seconds * 0.99) return measured;
  return { ...measured, note: `all requests were sent after ${rate.seconds.toFixed(1)} of ${timing.seconds} s` };
}
