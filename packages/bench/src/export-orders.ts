import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Domain, openDomain } from '@tidegate/domain';
import { migrateDatabase } from '@tidegate/domain/admin';
import { type OperatorContext, openDownload, requestExport } from '@tidegate/domain/operators';
import { writeNextExport } from '@tidegate/domain/worker';
import { makeRunFolder, startPostgres } from '@tidegate/sandbox';
import { durable } from './bench-environment.ts';
import { fillWithOrders } from './many-orders.ts';
import { peakMemoryKib } from './memory-use.ts';

// Usage: node packages/bench/src/export-orders.ts [--orders 1000000]
// Exports all orders as CSV and as XLSX, once without a filter and once with one, and downloads each file. Prints
// seconds, megabytes and the peak memory of the process that writes and downloads.

const { values } = parseArgs({
  options: { orders: { type: 'string', default: '1000000' }, database: { type: 'string' } },
});
const quiet = () => undefined;

const operator: OperatorContext = {
  operatorId: 'bench',
  roles: ['finance'],
  countries: null,
  merchantIds: null,
  tokenId: null,
  signIn: 'token',
};

/**
 * A small heap. With the default size Node delays garbage collection, and the peak would not show what the work needs.
 */
const smallHeap = ['--max-old-space-size=96', '--max-semi-space-size=2'];

// Filling the database takes more memory than exporting it. So a separate process measures.
await (values.database === undefined ? fill(Number(values.orders)) : withDomain(values.database, measureAll));

async function fill(orders: number): Promise<void> {
  const folder = await makeRunFolder();
  const postgres = await startPostgres({
    dir: join(folder.dir, 'postgres'),
    logFile: join(folder.dir, 'postgres.log'),
    settings: durable,
    onSpawn: (identity) => folder.record.add('postgres', identity),
  });
  try {
    const databaseUrl = await postgres.createDatabase('bench');
    await migrateDatabase(databaseUrl);
    await withDomain(databaseUrl, (domain) =>
      fillWithOrders(domain, databaseUrl, { orders, merchants: 200, days: 30 }),
    );
    const measured = [...smallHeap, import.meta.filename, '--database', databaseUrl];
    const measuring = spawn(process.execPath, measured, { stdio: 'inherit' });
    const [code] = await once(measuring, 'exit');
    process.exitCode = Number(code);
  } finally {
    await postgres.stop();
    await folder.remove();
  }
}

async function withDomain(databaseUrl: string, work: (domain: Domain) => Promise<void>): Promise<void> {
  const domain = await openDomain({
    databaseUrl,
    secret: 'ab'.repeat(32),
    adapters: {},
    publicBaseUrl: 'http://pay.test',
    wakeUp: quiet,
    log: { debug: quiet, info: quiet, warn: console.warn, error: console.error },
  });
  try {
    await work(domain);
  } finally {
    await domain.close();
  }
}

async function measureAll(domain: Domain): Promise<void> {
  for (const [what, format, filter] of [
    ['all orders', 'csv', {}],
    ['all orders', 'xlsx', {}],
    ['completed payins', 'csv', { kind: 'payin', statuses: ['completed'] }],
  ] as const)
    await measure(domain, `${what} as ${format.toUpperCase()}`, { format, orders: filter });
}

async function measure(domain: Domain, what: string, input: object): Promise<void> {
  const requested = await requestExport(domain, operator, input);
  if (!requested.ok) throw new Error(JSON.stringify(requested));
  const before = process.cpuUsage();
  const written = await timed(() => writeNextExport(domain));
  const { user, system } = process.cpuUsage(before);
  if (written.value !== 'ready') throw new Error(`${what}: ${written.value}`);
  const download = await timed(async () => {
    const opened = await openDownload(domain, operator, requested.value.exportId);
    if (!opened.ok) throw new Error(opened.rejection);
    let bytes = 0;
    for await (const chunk of opened.value.content) bytes += chunk.length;
    return { bytes, rows: opened.value.found.rowsWritten };
  });
  const { bytes, rows } = download.value;
  const peak = Math.round(peakMemoryKib() / 1024);
  console.log(
    `${what}: ${rows} rows, ${Math.round(bytes / 1e6)} MB written in ${written.seconds.toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of processor time of this process), read in ${download.seconds.toFixed(1)} s, peak memory ${peak} MB`,
  );
}

async function timed<T>(run: () => Promise<T>): Promise<{ value: T; seconds: number }> {
  const began = performance.now();
  const value = await run();
  return { value, seconds: (performance.now() - began) / 1_000 };
}
