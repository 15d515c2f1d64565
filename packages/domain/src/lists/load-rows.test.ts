import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadMoneyCases } from '../cases/load-money-cases.ts';
import { loadChannels } from '../channels/load-channels.ts';
import { loadMerchants, loadOperators } from '../configuration/load-configuration.ts';
import { loadWallets } from '../ledger/load-wallets.ts';
import { loadAttempts } from '../notifications/list-attempts.ts';
import { loadLastNotifications } from '../notifications/list-last-notifications.ts';
import { loadNotifications } from '../notifications/load-notifications.ts';
import { loadOrders } from '../orders/load-orders.ts';
import { openTestDomain, type TestDomain } from '../testing/open-test-domain.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant } from '../testing/payouts.ts';
import { type Scope, unrestricted } from './scope.ts';

let fixture: TestDomain;
let india: { merchantId: string; orderNo: string; merchantOrderNo: string };
let pakistan: typeof india;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  const open = async (country: 'IN' | 'PK') => {
    const { merchantId } = await aFundedMerchant(fixture.domain, country);
    const order = await placePayin(fixture.domain, merchantId, country);
    await fixture.domain.commit(aReport(order, paid('P1')));
    await fixture.domain.commit(aReport(order, paid('P2')));
    return order;
  };
  india = await open('IN');
  pakistan = await open('PK');
});
afterAll(() => fixture.close());

type Load = (scope: Scope, of: typeof india) => Promise<(object | null)[]>;
const loaders: [string, Load, object][] = [
  [
    'merchants',
    (scope, { merchantId }) => loadMerchants(fixture.domain, scope, [merchantId]),
    { name: 'Test Shop', currency: 'INR' },
  ],
  [
    'wallets',
    (scope, { merchantId }) => loadWallets(fixture.domain, scope, [merchantId]),
    { available: '10097.50', frozen: '0.00', lastEntryNo: 2 },
  ],
  ['orders', (scope, order) => loadOrders(fixture.domain, scope, [order]), { status: 'completed', amount: '100.00' }],
  [
    'cases',
    (scope, { merchantId }) => loadMoneyCases(fixture.domain, scope, [{ merchantId, caseNo: 1 }]),
    { kind: 'double' },
  ],
  [
    'notifications',
    (scope, order) => loadNotifications(fixture.domain, scope, [{ ...order, status: 'completed' }]),
    { state: 'pending' },
  ],
  [
    'last notifications',
    (scope, order) => loadLastNotifications(fixture.domain, scope, [order]),
    { status: 'completed' },
  ],
];

test.each(loaders)('%s are found by key, within the scope of the operator only', async (_, load, expected) => {
  expect(await load(unrestricted, india)).toMatchObject([expected]);
  expect(await load({ countries: ['IN'], merchantIds: [india.merchantId] }, india)).toMatchObject([expected]);
  for (const scope of [
    { countries: ['PK' as const], merchantIds: null },
    { countries: null, merchantIds: [pakistan.merchantId] },
  ])
    expect(await load(scope, india)).toEqual([null]);
});

test('many keys return rows in their order, null for a missing one, repeated keys repeated rows', async () => {
  const ids = [pakistan.merchantId, 'NOBODY', india.merchantId, pakistan.merchantId];
  const found = await loadMerchants(fixture.domain, unrestricted, ids);
  expect(found.map((one) => one?.merchantId ?? null)).toEqual([ids[0], null, ids[2], ids[0]]);
  expect(await loadOrders(fixture.domain, unrestricted, [])).toEqual([]);
  expect(
    await loadLastNotifications(fixture.domain, unrestricted, [{ ...india, orderNo: 'PI0' }, pakistan]),
  ).toMatchObject([null, { orderNo: pakistan.orderNo }]);
});

test('the rows of a page cost one statement', async () => {
  const { pool } = fixture.domain.database;
  const { query } = pool;
  const texts: string[] = [];
  pool.query = ((...args: unknown[]) => {
    texts.push(JSON.stringify(args[0]));
    return Reflect.apply(query, pool, args);
  }) as typeof query;
  const many = Array.from({ length: 100 }, () => india);
  const ids = many.map(({ merchantId }) => merchantId);
  try {
    await Promise.all([
      loadOrders(fixture.domain, unrestricted, many),
      loadLastNotifications(fixture.domain, unrestricted, many),
      loadMerchants(fixture.domain, unrestricted, ids),
      loadWallets(fixture.domain, unrestricted, ids),
    ]);
  } finally {
    pool.query = query;
  }
  // Other callers may ask while tokens and merchants change.
  expect(texts.filter((text) => /with ordinality|from (merchant|wallet) t where/.test(text))).toHaveLength(4);
});

test('more keys than a page has rows are refused', async () => {
  const ids = Array.from({ length: 1_001 }, () => 'X');
  await expect(loadMerchants(fixture.domain, unrestricted, ids)).rejects.toThrow(RangeError);
});

test('a channel is shown without its credentials, an operator without tokens', async () => {
  const [channel] = await loadChannels(fixture.domain, unrestricted, ['fake']);
  expect(channel).toMatchObject({ channelId: 'fake', enabled: true });
  expect(channel).not.toHaveProperty('credentials');
  expect(await loadOperators(fixture.domain, ['nobody'])).toEqual([null]);
});

test('the latest attempts of several notifications, the latest first, no more than asked for', async () => {
  await fixture.domain.database.pool.query(
    `insert into notification_attempt (merchant_id, order_no, status, attempt, started_at, duration_ms, error)
     select $1, $2, 'completed', n, now(), 5, 'timeout' from generate_series(1, 5) n`,
    [india.merchantId, india.orderNo],
  );
  const refs = [pakistan, india].map(({ merchantId, orderNo }) => ({
    merchantId,
    orderNo,
    status: 'completed' as const,
  }));
  const found = await loadAttempts(fixture.domain, unrestricted, refs, 3);
  expect(found.map((of) => of.map(({ attempt }) => attempt))).toEqual([[], [5, 4, 3]]);
  expect(await loadAttempts(fixture.domain, { countries: ['PK'], merchantIds: null }, refs, 3)).toEqual([[], []]);
});
