import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { versionOnPath } from './find-program.ts';
import { openKeptOrders } from './kept-orders.ts';
import { measureTable, wantedOf } from './measure-table.ts';
import { tableOf } from './report.ts';
import { useBuiltProcesses } from './use-built-processes.ts';

// npm run bench: measures this machine. Each figure is compared with its limit or with a reference of the same run
// (docs/developers/benchmarks.md).

const help = `npm run bench -- [options]
  --only <text>   only rows whose name has this text, and what they are held against. Rows whose names begin with peers,
                  open loop, processes, writers or life take minutes, and are measured only if the text begins with that too
  --seconds <n>   that each measurement counts (default 5)
  --warm-up <n>   seconds before these (default 2)
  --rounds <n>    how often all is measured; the medians are shown (default 1)
  --pgledger <f>  a folder with the SQL of pgledger, for its rows of --only peers
  --built         measures what is shipped instead of the sources: first runs npm run build, which needs a registry
  --orders <n>    how many orders the large database has (default 5000000); it is filled once and kept in .data-bench
`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    'warm-up': { type: 'string', default: '2' },
    rounds: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    orders: { type: 'string', default: '5000000' },
    pgledger: { type: 'string' },
    built: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}
const timing = { seconds: positive('seconds', values.seconds), warmUp: positive('warm-up', values['warm-up']) };
/**
 * V8 compiles the code of a process while it serves its first 30,000 requests. Afterwards a REST adapter answers a third
 * more payouts on one wallet. pgbench has no such phase.
 */
const warmed = { ...timing, warmUp: Math.max(timing.warmUp, 15) };
const clientCounts = { pgbench: [1, 2, 4, 8, 16, 32, 64], http: [64, 128, 256] };
/** V8 returns what a start has left behind after about ten idle seconds. */
const idleMs = 30_000;
const rounds = Math.ceil(positive('rounds', values.rounds));
const sizes = { small: 10_000, large: Math.ceil(positive('orders', values.orders, 10_000_000)) };
if (values.built) useBuiltProcesses();
// After it: these modules find the scripts of the processes when they are loaded.
const { prepareFixture } = await import('./bench-environment.ts');
const { kinds } = await import('./table.ts');
const wantedKinds = kinds.filter((kind) => wantedOf(kind, values.only).length > 0);
if (wantedKinds.length === 0) {
  console.error(`No row has "${values.only}" in its name. The rows are:`);
  for (const { name } of kinds.flatMap((kind) => kind.rows)) console.error(`  ${name}`);
  process.exit(2);
}

const pgbench = needed(
  'pgbench',
  '--version',
  'the server package of PostgreSQL (Debian, Ubuntu: apt-get install postgresql)',
);
const openssl = needed('openssl', 'version', 'the package openssl');
const began = performance.now();
if (values.only.startsWith('peers') && values.pgledger === undefined)
  console.log('Without --pgledger its rows are left out.');
const merchants = Math.max(...wantedKinds.map((kind) => kind.merchants ?? 1000));
const root = fileURLToPath(new URL('../../..', import.meta.url));
console.log(
  `\nPreparing PostgreSQL, Redis and ${merchants} merchants of each kind; compared with ${pgbench}, on ${cpus().length} cores.`,
);
const environment = await prepareFixture(merchants, values.pgledger ?? null);
const kept = openKeptOrders(join(root, '.data-bench'), Object.values(sizes), (line) => console.log(line));
const stopServers = (): Promise<unknown> => Promise.all([kept.stop(), environment.stop()]);
let measuring: Promise<unknown> = Promise.resolve();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void breakOff());
try {
  const wanted = { only: values.only, rounds, say: (line: string) => console.log(line) };
  const measured = measureTable(kinds, { environment, timing, warmed, kept, sizes, clientCounts, idleMs }, wanted);
  measuring = measured;
  const lines = await measured;
  const tookSeconds = Math.round((performance.now() - began) / 1000);
  console.log(`\n${tableOf(lines)}\n`);
  const at = new Date().toISOString();
  const processes = values.built ? 'built' : 'sources';
  const machine = { cores: cpus().length, cpu: cpus()[0]?.model ?? '', memoryMib: Math.round(totalmem() / 2 ** 20) };
  const versions = { node: process.version, pgbench, openssl };
  const folder = join(root, 'test-output');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `bench-${at.replaceAll(/[:.]/g, '-')}.json`);
  const written = { version: 1, at, tookSeconds, machine, versions, processes, timing, rounds, sizes, lines };
  for (const path of [file, join(folder, 'bench.json')]) writeFileSync(path, `${JSON.stringify(written, null, 2)}\n`);
  const missed = lines.filter(({ verdict }) => verdict === 'missed').map(({ name }) => name);
  console.log(missed.length === 0 ? 'Every aim was met.' : `Missed: ${missed.join('; ')}.`);
  console.log(`${tookSeconds} s. Written to ${file} and bench.json next to it.`);
} finally {
  await stopServers();
}

/** Stops the servers. The current measurement fails without them, and ends its processes. */
async function breakOff(): Promise<never> {
  console.error('Broken off: what was started is stopped.');
  // Idle connections report an error when their server ends.
  process.on('uncaughtException', () => undefined);
  await Promise.allSettled([stopServers(), measuring]);
  process.exit(130);
}

function positive(name: string, text: string, most = 600): number {
  const value = Number(text);
  if (value > 0 && value <= most) return value;
  console.error(`--${name} has to be a number above 0, up to ${most}\n\n${help}`);
  process.exit(2);
}

/** The version of a program. Exits with instructions if it is not on PATH. */
function needed(program: string, argument: string, install: string): string {
  const version = versionOnPath(program, argument);
  if (version !== null) return version;
  console.error(`${program} is not on PATH. It comes with ${install}.`);
  process.exit(1);
}
