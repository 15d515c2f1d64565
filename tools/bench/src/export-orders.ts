import { parseArgs } from 'node:util';
import type { Domain } from '@tidegate/domain';
import { type OperatorContext, openDownload, requestExport } from '@tidegate/domain/operators';
import { writeNextExport } from '@tidegate/domain/worker';
import { countWaiting, cpuMsOfTree } from './cpu-time.ts';
import { fillWithOrders } from './many-orders.ts';
import { peakMemoryKib } from './memory-use.ts';
import { measureApart, withDomain, withPostgres } from './own-postgres.ts';

// Usage: node tools/bench/src/export-orders.ts [--orders 1000000]
// Exports all orders as CSV and as XLSX, once without a filter and once with one, and downloads each file. Prints
// seconds, megabytes and the peak memory of the process that writes and downloads.

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000' },
    database: { type: 'string' },
    postgres: { type: 'string' },
  },
});

const operator: OperatorContext = {
  operatorId: 'bench',
  roles: ['finance'],
  countries: null,
  merchantIds: null,
  tokenId: null,
  signIn: 'token',
};

await (values.database === undefined ? fill(Number(values.orders)) : withDomain(values.database, measureAll));

async function fill(orders: number): Promise<void> {
  await withPostgres(async ({ databaseUrl, pid }) => {
    await withDomain(databaseUrl, (domain) =>
      fillWithOrders(domain, databaseUrl, { orders, merchants: 200, days: 30 }),
    );
    await measureApart(import.meta.filename, { database: databaseUrl, postgres: String(pid) });
  });
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
  const pid = Number(values.postgres);
  const before = { own: process.cpuUsage(), postgres: cpuMsOfTree(pid) };
  const waited = countWaiting(pid);
  const written = await timed(() => writeNextExport(domain));
  const { user, system } = process.cpuUsage(before.own);
  const postgres = (cpuMsOfTree(pid) - before.postgres) / 1_000;
  const waiting = waited();
  const peakOfWriting = Math.round(peakMemoryKib() / 1024);
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
    `${what}: ${rows} rows, ${Math.round(bytes / 1e6)} MB written in ${written.seconds.toFixed(1)} s, of which ${waiting.toFixed(1)} s without a processor (processor time ${((user + system) / 1e6).toFixed(1)} s of the process, ${postgres.toFixed(1)} s of PostgreSQL), read in ${download.seconds.toFixed(1)} s, peak memory ${peakOfWriting} MB, then ${peak} MB`,
  );
}

async function timed<T>(run: () => Promise<T>): Promise<{ value: T; seconds: number }> {
  const began = performance.now();
  const value = await run();
  return { value, seconds: (performance.now() - began) / 1_000 };
}
