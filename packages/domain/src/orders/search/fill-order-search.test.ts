import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unrestricted } from '../../lists/scope.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../../testing/open-test-domain.ts';
import { placePayin } from '../../testing/payins.ts';
import { pageRequest } from '../../testing/walk-list.ts';
import { pageOrders } from '../list-orders.ts';
import { fillOrderSearch, orderSearchUntil } from './fill-order-search.ts';

let fixture: TestDomain;
let merchantId: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ({ merchantId } = await aMerchant(fixture.domain, 'TH'));
});
afterAll(() => fixture.close());

const anOrder = async (account: string): Promise<string> =>
  (await placePayin(fixture.domain, merchantId, 'TH', { details: { party: { account, name: 'Ann Lee' } } })).orderNo;
/** The search begins at this moment, as after the migrations. */
const beginAt = async (moment: string): Promise<void> => {
  await fixture.domain.database.pool.query(`update order_search_progress set since = m.moment + interval '1 ms', until = m.moment
    from (select ${moment} as moment) m`);
};
const found = async (account: string): Promise<string[]> => {
  const { rows } = await pageOrders(fixture.domain, unrestricted, { account }, pageRequest('orders'));
  return rows.map(({ orderNo }) => orderNo);
};
const fill = async (limit?: number): Promise<void> => {
  for (;;) if (!(await fillOrderSearch(fixture.domain, limit))) return;
};

test('a search finds new orders and orders from before the search existed, which are filled in batches of any size', async () => {
  const old = [await anOrder('1110001'), await anOrder('1110001'), await anOrder('1110001')];
  await beginAt('clock_timestamp()');
  const fresh = await anOrder('1110001');
  await expect
    .poll(() => fill(1).then(() => found('111-0001')), { timeout: 60_000 })
    .toEqual([fresh, ...old.reverse()]);
  expect(await fillOrderSearch(fixture.domain)).toBe(false);
});

test('an order from the millisecond in which the search was introduced is found too', async () => {
  const order = await anOrder('5550005');
  await beginAt(`(select created_at from orders where order_no = '${order}')`);
  await expect.poll(() => fill(1).then(() => found('5550005')), { timeout: 60_000 }).toEqual([order]);
});

test('an order that is committed after younger orders is found too', async () => {
  const { pool } = fixture.domain.database;
  const slow = await pool.connect();
  try {
    await slow.query('begin');
    await slow.query('select from wallet where merchant_id = $1 for update', ['PLATFORM-TH']);
    const younger = await anOrder('2220002');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await fill();
    // The one that holds a wallet may still create an order with an earlier time.
    expect(await found('2220002')).toEqual([]);
    await slow.query('commit');
    await fill();
    expect(await found('2220002')).toEqual([younger]);
  } finally {
    slow.release();
  }
});

test('a transaction of another database on the same server does not delay the search', async () => {
  const other = await openTestDomain((await createTestDatabase()).url);
  const holder = await other.domain.database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table wallet in row exclusive mode');
    const order = await anOrder('3330003');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await fill();
    expect(await found('3330003')).toEqual([order]);
  } finally {
    await holder.query('rollback');
    holder.release();
    await other.close();
  }
});

test('an order whose search row the database refuses is skipped and logged by its number, and the others are found', async () => {
  const { domain } = fixture;
  const { pool } = domain.database;
  await pool.query("alter table order_search add constraint refused check (name <> 'refused')");
  const logged: object[] = [];
  const log = { ...domain.log, error: (fields: object) => void logged.push(fields) };
  const named = async (name: string): Promise<string> =>
    (await placePayin(domain, merchantId, 'TH', { details: { party: { account: '4440004', name } } })).orderNo;
  const orders = [await named('Ann'), await named('Refused'), await named('𠮷'.repeat(70))];
  await expect
    .poll(() => fillOrderSearch({ ...domain, log }).then(() => found('4440004')), { timeout: 60_000 })
    .toEqual([orders[2], orders[0]]);
  expect(logged).toEqual([{ orderNo: orders[1] }]);
  await expect.poll(() => orderSearchUntil(domain)).toBeGreaterThan(Date.now() - 60_000);
});

test('the rows of the search do not contain an account or phone number in clear text', async () => {
  await anOrder('3330003');
  await expect.poll(() => fill().then(() => found('3330003')), { timeout: 60_000 }).toHaveLength(1);
  const { rows } = await fixture.domain.database.pool.query('select t::text as row from order_search t');
  expect(rows.map(({ row }) => row).join()).not.toMatch(/3330003|1110001/);
});
