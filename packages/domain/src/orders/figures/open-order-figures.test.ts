import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notificationStates } from '../../notifications/figures/notification-figures.ts';
import { aFundedMerchant, aMerchant, openTestDomain, type TestDomain } from '../../testing/index.ts';
import { aBacklogOf, aNotification, aNotificationOf } from '../../testing/notifications.ts';
import { placePayin } from '../../testing/payins.ts';
import { placePayout } from '../../testing/payouts.ts';
import { openOrderFigures } from './open-order-figures.ts';
import { openOrdersSql } from './queries.ts';

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

/** Makes a merchant's orders older, with the triggers disabled. */
const makeOlder = async (merchantId: string, age: string): Promise<void> => {
  await fixture.domain.database.pool.query(`begin; set local session_replication_role = 'replica';
    update orders set created_at = clock_timestamp() - interval '${age}' where merchant_id = '${merchantId}'; commit`);
};

test('open orders are counted by kind, country, status and age, and ended orders are not counted', async () => {
  const { domain } = fixture;
  const ages = { under_1m: '0 s', under_10m: '61 s', under_1h: '11 min', under_1d: '61 min', over_1d: '25 h' };
  for (const age of Object.values(ages)) {
    const { merchantId } = await aMerchant(domain, 'CN');
    await placePayin(domain, merchantId, 'CN');
    await makeOlder(merchantId, age);
  }
  const indian = await aFundedMerchant(domain, 'IN');
  for (let n = 0; n < 2; n += 1) await placePayout(domain, indian.merchantId, 'IN');
  // A completed order.
  await aNotificationOf(domain, await placePayin(domain, (await aMerchant(domain, 'CN')).merchantId, 'CN'));
  const counted = (kind: string, country: string, status: string, age: string, count: number) => ({
    kind,
    country,
    status,
    age,
    count,
  });
  const found = await openOrderFigures(domain);
  expect(found).toHaveLength(6);
  expect(found).toEqual(
    expect.arrayContaining([
      ...Object.keys(ages).map((age) => counted('payin', 'CN', 'created', age, 1)),
      counted('payout', 'IN', 'processing', 'under_1m', 2),
    ]),
  );
});

test('of each kind only the oldest open orders are read, so the longest waits are always counted', async () => {
  const found = await openOrderFigures(fixture.domain, 1);
  expect(found.map(({ kind, age }) => [kind, age])).toEqual(
    expect.arrayContaining([
      ['payin', 'over_1d'],
      ['payout', 'under_1m'],
    ]),
  );
  expect(found).toHaveLength(2);
});

test('counting open orders uses the two indexes of open orders', async () => {
  const client = await fixture.domain.database.pool.connect();
  try {
    await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off');
    const { rows } = await client.query(`explain ${openOrdersSql.replaceAll('$1', '20000')}`);
    const used = rows.flatMap((row) => /using (\S+) on orders/.exec(row['QUERY PLAN'])?.[1] ?? []);
    expect(used.sort()).toEqual(['orders_open_payins', 'orders_open_payouts']);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('notifications are counted by state: all pending ones, and the exhausted ones of the last two days', async () => {
  const { domain } = fixture;
  const { pool } = domain.database;
  const { merchantId } = await aMerchant(domain, 'CN');
  const ref = await aNotification(domain, merchantId);
  await aBacklogOf(domain, ref, 9);
  const before = await notificationStates(domain);
  const change = (set: string, copies: number[]) =>
    pool.query(`update notification set ${set} where merchant_id = $1 and status = any($2::text[])`, [
      merchantId,
      copies.map((n) => `copy ${n}`),
    ]);
  await change("held_by = 'host'", [1, 2]);
  await change("held_by = 'pause'", [3]);
  await change('attempt = 3', [4]);
  expect(await notificationStates(domain)).toEqual(before);
  await change("state = 'delivered', next_attempt_at = null, delivered_at = clock_timestamp()", [5]);
  await change("state = 'exhausted', next_attempt_at = null", [6, 7]);
  await change("state = 'exhausted', next_attempt_at = null, created_at = clock_timestamp() - interval '3 days'", [8]);
  expect(await notificationStates(domain)).toEqual({
    pending: before.pending - 4,
    exhausted: before.exhausted + 2,
  });
});
