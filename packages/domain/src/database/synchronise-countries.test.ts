import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countryDefinitions } from '../countries/index.ts';
import { type Database, openDatabase } from './database.ts';
import { migrateDatabase } from './migrate-database.ts';

let database: Database;
let url: string;
const queryDatabase = async (sql: string) => (await database.pool.query(sql)).rows;
beforeAll(async () => {
  ({ url } = await createTestDatabase());
  database = await openDatabase(url, { connections: 1 });
});
afterAll(() => database.close());

const contents = () =>
  Promise.all([
    queryDatabase('select * from country order by code'),
    queryDatabase('select * from transition_rule order by kind, country, "from", "to"'),
    queryDatabase(
      `select merchant_id, country, currency, status from merchant where merchant_id like 'PLATFORM-%' order by 1`,
    ),
    queryDatabase(`select merchant_id, currency from wallet where merchant_id like 'PLATFORM-%' order by 1`),
  ]);

test('the next migration run adds missing rows of a country once', async () => {
  const before = await contents();
  expect(before[0]).toEqual(countryDefinitions.map(({ code, currency }) => ({ code, currency })).sort(byCode));
  await queryDatabase(`delete from country where code = 'PK'`);
  await queryDatabase(`delete from transition_rule where country = 'PK'`);
  await queryDatabase('alter table wallet disable trigger no_delete');
  await queryDatabase(`delete from wallet where merchant_id = 'PLATFORM-PK'`);
  await queryDatabase('alter table wallet enable trigger no_delete');
  await queryDatabase(`delete from merchant where merchant_id = 'PLATFORM-PK'`);
  await migrateDatabase(url);
  expect(await contents()).toEqual(before);
  await migrateDatabase(url);
  expect(await contents()).toEqual(before);
});

test('a row of another version is kept', async () => {
  await queryDatabase(`insert into country values ('ZZ', 'ZZZ')`);
  await migrateDatabase(url);
  expect(await queryDatabase(`select currency from country where code = 'ZZ'`)).toEqual([{ currency: 'ZZZ' }]);
});

test('a country with another currency in the database stops the migration', async () => {
  await queryDatabase(`update country set currency = 'USD' where code = 'TH'`);
  await expect(migrateDatabase(url)).rejects.toThrow('the currency of TH is USD, and can never be another');
  await queryDatabase(`update country set currency = 'THB' where code = 'TH'`);
});

test.each([
  ['a merchant of an unknown country', `update merchant set country = 'XX' where merchant_id = 'PLATFORM-TH'`],
  ['a merchant with another currency', `update merchant set currency = 'CNY' where merchant_id = 'PLATFORM-TH'`],
  [
    'an operator restricted to an unknown country',
    `insert into operator (operator_id, name, roles, countries) values ('ann', 'Ann', '{viewer}', '{TH,XX}')`,
  ],
  [
    'an operator restricted to no country at all',
    `insert into operator (operator_id, name, roles, countries) values ('ann', 'Ann', '{viewer}', '{}')`,
  ],
])('the database refuses %s', async (_, sql) => {
  await expect(queryDatabase(sql)).rejects.toMatchObject({ code: '23514' });
});

function byCode(a: { code: string }, b: { code: string }): number {
  return a.code < b.code ? -1 : 1;
}
