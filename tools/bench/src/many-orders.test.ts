import { type Domain, openDomain } from '@tidegate/domain';
import { audit } from '@tidegate/domain/admin';
import { pageOrders, readAccountBalances, readFigures, readPageRequest, unrestricted } from '@tidegate/domain/lists';
import { testKeys } from '@tidegate/domain/testing';
import { rollUpAccounts, rollUpOrders } from '@tidegate/domain/worker';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillWithOrders, manyPrefix } from './many-orders.ts';

const day = 86_400_000;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let domain: Domain;
const readIndexes = async () =>
  (await domain.database.pool.query(`select indexdef from pg_indexes where schemaname = 'public' order by indexdef`))
    .rows;
let indexes: unknown[];
beforeAll(async () => {
  const { url } = await createTestDatabase();
  const rest = {
    keys: testKeys,
    adapters: {},
    publicBaseUrl: 'http://pay.test',
    wakeUp: () => undefined,
    log: quiet,
  };
  domain = await openDomain({ databaseUrl: url, ...rest });
  indexes = await readIndexes();
  await fillWithOrders(domain, url, { orders: 3_000, merchants: 12, days: 5 });
});
afterAll(() => domain.close());

test('a filled database has the requested orders and a correct ledger', async () => {
  const { violations, checked } = await audit(domain);
  expect(violations).toEqual([]);
  expect(checked).toMatchObject({ orders: 3_000 });
  for (const count of [checked.entries, checked.transfers, checked.notifications]) expect(count).toBeGreaterThan(2_000);
});

test('a filled database has all of its indexes again', async () => {
  expect(indexes.length).toBeGreaterThan(40);
  expect(await readIndexes()).toEqual(indexes);
});

test('every merchant has orders, of both kinds and every final status', async () => {
  const { rows } = await domain.database.pool.query<{
    kinds: number;
    countries: number;
    statuses: string[];
    merchants: number;
  }>(
    `select count(distinct kind)::integer as kinds, count(distinct country)::integer as countries, count(distinct merchant_id)::integer as merchants,
       array_agg(distinct status order by status) as statuses from orders where starts_with(merchant_id, $1)`,
    [manyPrefix],
  );
  expect(rows[0]).toMatchObject({ kinds: 2, countries: 4, merchants: 12 });
  expect(rows[0]?.statuses).toEqual(expect.arrayContaining(['cancelled', 'completed', 'failed', 'timeout']));
});

test('lists and figures of a filled database can be read, and the roll-ups equal the sums', async () => {
  const request = readPageRequest('orders', { first: 50 });
  if (!request.ok) throw new Error(request.problem.reason);
  expect((await pageOrders(domain, unrestricted, {}, request.page)).rows).toHaveLength(50);
  const query = { from: Date.now() - 6 * day, to: Date.now(), grain: 'day', by: ['status'], withTimes: true } as const;
  const read = () =>
    Promise.all([
      readFigures(domain, unrestricted, { ...query, by: [...query.by] }),
      readAccountBalances(domain, unrestricted, {}),
    ]);
  const before = await read();
  while (await rollUpOrders(domain, 2_000));
  while (await rollUpAccounts(domain, { merchants: 5, transfers: 500 }));
  expect(await read()).toEqual(before);
  const { rows } = await domain.database.pool.query('select sum(orders)::integer as ended from order_figures_by_hour');
  // Each of the 3,000 orders that has ended counts twice: for its merchant, and for all merchants together.
  expect(rows[0].ended).toBeGreaterThan(5_000);
});
