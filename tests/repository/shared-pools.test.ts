import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sharedPools } from '../../packages/domain/src/sharing/pools.ts';
import { pools, poolsWithoutOwner, rowsOfPools } from '../shared-pools.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The packages of the running service. */
const SERVICE = '{domain,upstream,statements,queue,settings,process,rest-adapter,api,worker,signature}';
const sources = globSync(`${SERVICE}/src/**/*.ts`, { cwd: join(root, 'packages') })
  .filter((path) => !/\.test\.ts$|\/testing\/|fake|sandbox-server/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, 'packages', path), 'utf8') }));

test('every pool of the service has owners, a rule and a bound', () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(poolsWithoutOwner(sources)).toEqual([]);
});

test('the page of fair shares has a row for each pool that operators need to know', () => {
  const page = readFileSync(join(root, 'docs', 'running', 'fair-shares.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| (?!Pool |---)/.test(line));
  expect(rows).toEqual(rowsOfPools());
});

test('the pools have all names of pools in the metrics', () => {
  const named = pools.flatMap(({ metrics = [] }) => metrics);
  expect(named.toSorted()).toEqual(Object.keys(sharedPools).toSorted());
});

test('no two pools have the same name', () => {
  expect(new Set(pools.map(({ name }) => name)).size).toBe(pools.length);
});

test.each([
  "const queue = new Queue('submit', {});",
  'const pool = new pg.Pool({ max: 5 });',
  'const cache = new LRUCache<string, number>({ max: 10 });',
  'const maxAtOnce = 8;',
  'const uploadsAtOnce = 8;',
  'inBatches({ run, concurrency: 4 });',
  'export function openUploadSlots(): Slots {}',
  "const slots = openFairSlots({ pool: 'create_slots', slots: 3 });",
])('a new file with %s is reported', (text) => {
  expect(poolsWithoutOwner([...sources, { path: 'api/src/new-pool.ts', text }])).toEqual([
    expect.stringContaining('api/src/new-pool.ts limits what is in use at once'),
  ]);
});

test('a file of the table that has gone is reported', () => {
  expect(poolsWithoutOwner(sources.filter(({ path }) => path !== 'queue/src/wake-up.ts'))).toEqual([
    expect.stringContaining('queue/src/wake-up.ts'),
  ]);
});
