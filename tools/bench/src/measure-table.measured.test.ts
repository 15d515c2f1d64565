import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OrderKind } from '@tidegate/domain';
import { audit } from '@tidegate/domain/admin';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BenchEnvironment, prepareFixture } from './bench-environment.ts';
import { versionOnPath } from './find-program.ts';
import { type KeptOrders, openKeptOrders } from './kept-orders.ts';
import { alone } from './kinds/alone.ts';
import { callRate } from './kinds/call-rate.ts';
import { creates, type Load, measureCreates } from './kinds/creates.ts';
import { growth } from './kinds/growth.ts';
import { hangingChannel } from './kinds/hanging-channel.ts';
import { life } from './kinds/life.ts';
import { notifications } from './kinds/notifications.ts';
import { openLoop } from './kinds/open-loop.ts';
import { pages } from './kinds/pages.ts';
import { peers } from './kinds/peers.ts';
import { processes } from './kinds/processes.ts';
import { queries } from './kinds/queries.ts';
import { sandbox } from './kinds/sandbox.ts';
import { search } from './kinds/search.ts';
import { besideUnknownCallers } from './kinds/unknown-callers.ts';
import { writers } from './kinds/writers.ts';
import { measureTable, wantedOf } from './measure-table.ts';
import { newestOrderRows, type OrderRows, orderTables } from './order-rows.ts';
import { lineOf, tableOf } from './report.ts';
import type { Kind, Row, Run } from './row.ts';
import { kinds } from './table.ts';

// Runs every row of the benchmark for a moment, to check that it measures what it says.

const wallets = 3;
const moment = { warmUp: 0, seconds: 0.4 };
const keptDir = mkdtempSync(join(tmpdir(), 'tidegate-kept-'));
const sizes = { small: 600, large: 1_200 };

let environment: BenchEnvironment;
let kept: KeptOrders;
/** How many orders a database has before a measurement. */
let ordersBefore = 0;
beforeAll(async () => {
  environment = await prepareFixture(wallets);
  const { url, drop } = await environment.freshDatabase({ hasOrders: true });
  const domain = await environment.openDomain(url);
  ordersBefore = (await audit(domain)).checked.orders;
  await domain.close();
  await drop();
  kept = openKeptOrders(keptDir, Object.values(sizes), () => undefined);
});
afterAll(async () => {
  await kept.stop();
  await environment.stop();
  rmSync(keptDir, { recursive: true });
});

const needs: Readonly<Record<string, string>> = { pgbench: '--version', openssl: 'version' };
const isThere = (name: string): boolean => versionOnPath(name, needs[name] ?? '') !== null;

/** `only`: a part of the names of the rows that run here. Rows with 1,000 wallets differ from those with one only in that number. */
const measuredKinds: readonly [title: string, kind: Kind, only: string][] = [
  ['orders created side by side', creates, ' 1 wallet,'],
  ['one order at a time', alone, ''],
  ['queries', queries, ''],
  ['queries next to unknown callers', besideUnknownCallers, ''],
  ['notifications', notifications, ''],
  ['a hanging channel', hangingChannel, ''],
  ['a call rate', callRate, ''],
  ['pages through GraphQL', pages, ''],
  ['searches', search, ''],
  ['growth', growth, ''],
  ['the whole sandbox', sandbox, ''],
  ['peers at their best', peers, 'peers, 1 wallet: payouts'],
  ['an open loop', openLoop, 'open loop, 1 wallet:'],
  ['several processes', processes, 'processes, 1 wallet:'],
  ['several ledger writers', writers, 'writers, 1 wallet:'],
  ['the whole life of orders', life, 'life, payins at'],
];
test.skipIf(!isThere('pgbench') || !isThere('openssl')).each(measuredKinds)(
  'every row of %s is measured together with its reference',
  { timeout: 900_000 },
  async (_title, kind, only) => {
    const run: Run = {
      environment,
      kept,
      sizes,
      timing: moment,
      warmed: moment,
      clientCounts: { pgbench: [1, 8], http: [64] },
      idleMs: 100,
    };
    const lines = await measureTable([kind], run, { only, rounds: 1, say: () => undefined });
    expect(lines.map(({ name }) => name)).toEqual(wantedOf(kind, only).map(({ name }) => name));
    for (const [i, row] of wantedOf(kind, only).entries()) {
      expect(lines[i]?.figure, row.name).toBeGreaterThan(0);
      expect(lines[i]?.verdict, row.name).toEqual(row.aim ? expect.stringMatching(/^(met|missed)$/) : null);
      if (row.peers) expect(lines[i]?.ratio, row.name).toBeGreaterThan(0);
    }
  },
);

test('the table has every kind of row that is tested here', () => {
  expect(new Set(measuredKinds.map(([, kind]) => kind))).toEqual(new Set(kinds));
});

/** Creates orders for a moment. Returns the measurement, the last written rows, and the result of the audit. */
async function createAndAudit(load: Load) {
  let rows: OrderRows | undefined;
  let report: Awaited<ReturnType<typeof audit>> | undefined;
  const measured = await measureCreates(environment, load, moment, async (databaseUrl) => {
    const domain = await environment.openDomain(databaseUrl);
    rows = await newestOrderRows(domain.database.pool, load.kind);
    report = await audit(domain);
    await domain.close();
  });
  if (!rows || !report) throw new Error('nothing was inspected');
  return { measured, rows, report };
}

test.each([
  { kind: 'payout', way: 'writer', callers: 8, wallets: 1 },
  { kind: 'payout', way: 'writer', callers: 8, wallets },
  { kind: 'payout', way: 'http', callers: 4, wallets },
  { kind: 'payin', way: 'http', callers: 4, wallets },
] as const)('$kind orders by $way over $wallets wallets: the ledger is right afterwards', async (load) => {
  const { measured, report } = await createAndAudit(load);
  expect(measured.p99Ms).toBeGreaterThanOrEqual(measured.waitMs ?? 0);
  expect(report.violations).toEqual([]);
  expect(report.checked.orders - ordersBefore).toBeGreaterThan(measured.figure * moment.seconds);
  expect(measured.cpuUs?.postgres).toBeGreaterThan(0);
  expect(measured.cpuUs?.[load.way === 'http' ? 'rest-adapter' : 'bench']).toBeGreaterThan(0);
});

// `function`: a function in the database writes the order (order-function.ts).
test.runIf(isThere('pgbench')).each<[way: 'pgbench' | 'function', kind: OrderKind]>([
  ['pgbench', 'payout'],
  ['pgbench', 'payin'],
  ['function', 'payout'],
])('%s writes rows of a %s with the same number, columns and width as the service', async (way, kind) => {
  // With one caller, so that a link of the ledger chain covers one order, as with pgbench.
  const ours = await createAndAudit({ kind, way: 'writer', callers: 1, wallets });
  const theirs = await createAndAudit({ kind, way, callers: 2, wallets });
  for (const table of orderTables[kind]) {
    const [our, their] = [ours.rows[table] ?? [], theirs.rows[table] ?? []];
    expect(our.length, table).toBeGreaterThan(0);
    expect(their.map(Object.keys), table).toEqual(our.map(Object.keys));
    expect(their.map(kindsOf), table).toEqual(our.map(kindsOf));
    const ratio = JSON.stringify(their).length / JSON.stringify(our).length;
    expect(ratio, table).toBeGreaterThan(0.9);
    expect(ratio, table).toBeLessThan(1.1);
  }
  // Balances, sums and gapless numbers. The hashes differ, because pgbench computes them from other data.
  const broken = theirs.report.violations.map(({ rule }) => rule).filter((rule) => !/hash/i.test(rule));
  expect(broken).toEqual([]);
  expect(theirs.report.checked.orders).toBeGreaterThan(ordersBefore + wallets);
});

function kindsOf(row: Record<string, unknown>): string[] {
  return Object.values(row).map((value) => (value === null ? 'null' : typeof value));
}

test('rows that take minutes are measured only if they are asked for by their first word', () => {
  expect(wantedOf(peers, '')).toEqual([]);
  expect(wantedOf(peers, 'http')).toEqual([]);
  expect(wantedOf(processes, 'processes, 100 ').map(({ name }) => name)).toHaveLength(3);
  for (const { part, rows } of kinds) for (const { name } of rows) expect(name).toMatch(new RegExp(`^${part ?? ''}`));
});

test('a line compares its row with the smallest reference, by the median of rounds', () => {
  const row: Row = { name: 'ours', unit: '/s', peers: ['theirs', 'more'], aim: { atLeast: 4 } };
  const figures = (...all: number[]) => all.map((figure) => ({ figure }));
  const found = new Map([
    ['theirs', figures(100, 50, 100)],
    ['more', figures(1_000, 1_000, 1_000)],
    ['ours', figures(390, 300, 410)],
  ]);
  const line = lineOf(row, found);
  expect(line).toMatchObject({ figure: 390, peer: 'theirs', ratio: 4.1, verdict: 'met' });
  expect(tableOf(line ? [line] : [])).toMatch(/ours +390 +\/s .* 4\.10 x +≥ 4 x +met +theirs/);
  expect(lineOf({ ...row, aim: { atMost: 4 } }, found)?.verdict).toBe('missed');
  expect(lineOf({ ...row, name: 'not measured' }, found)).toBeNull();
});
