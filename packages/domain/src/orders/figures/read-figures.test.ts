import { createTestDatabase } from '@tidegate/sandbox/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Country } from '../../core/country.ts';
import { type Scope, unrestricted } from '../../lists/scope.ts';
import { openTestDomain, type TestDomain } from '../../testing/open-test-domain.ts';
import { endings, live, paidAt } from '../../testing/orders-lives.ts';
import { aReport, placePayin } from '../../testing/payins.ts';
import { aFundedMerchant } from '../../testing/payouts.ts';
import { groupKey, plainFigures } from '../../testing/plain-figures.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { dimensions, type FiguresQuery } from './figures-query.ts';
import { type FigureGroup, readFailures, readFigures } from './read-figures.ts';
import { rollUpFacets, rollUpOrders } from './roll-up/roll-up-orders.ts';

let fixture: TestDomain;
const shops: { merchantId: string; country: 'IN' | 'PK' }[] = [];
const day = 86_400_000;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  for (const country of ['IN', 'IN', 'PK'] as const)
    shops.push({ merchantId: (await aFundedMerchant(fixture.domain, country, '1000000.00')).merchantId, country });
});
afterAll(() => fixture.close());

/** The figures equal those computed from the orders. Durations may differ by 5 %, or by 100 ms. */
async function compare(scope: Scope, query: FiguresQuery): Promise<FigureGroup[]> {
  const { from, to, groups, isTruncated } = await readFigures(fixture.domain, scope, query);
  expect(isTruncated).toBe(false);
  const plain = new Map(
    (await plainFigures(fixture.domain, scope, query, from, to)).map((group) => [groupKey(group), group]),
  );
  expect(groups.map(groupKey).sort()).toEqual([...plain.keys()].sort());
  for (const { p50Ms, p95Ms, successRate, ...group } of groups) {
    const { p50, p95, ...expected } = plain.get(groupKey(group)) ?? {};
    expect(group).toEqual(expected);
    expect(successRate).toBe(group.ended === 0 ? null : group.completed / group.ended);
    for (const [said, exact] of [
      [p50Ms, p50],
      [p95Ms, p95],
    ]) {
      if (!query.withTimes || exact === null) expect(said).toBe(null);
      else expect(Math.abs(Number(said) - Number(exact))).toBeLessThanOrEqual(Math.max(110, Number(exact) * 0.051));
    }
  }
  return groups;
}

/** Until the roll-up has come past this moment: it keeps a second behind. */
async function rollUpToNow(): Promise<void> {
  const { pool } = fixture.domain.database;
  const { rows } = await pool.query<{ now: string }>('select clock_timestamp()::text as now');
  await waitFor('the roll-up', async () => {
    await rollUpOrders(fixture.domain);
    await rollUpFacets(fixture.domain);
    const past = 'select from order_figures_progress o, order_facets_progress f where least(o.until, f.until) > $1';
    return (await pool.query(past, [rows[0]?.now])).rows.length > 0;
  });
}

const some = <T>(...values: T[]): fc.Arbitrary<T[] | null> =>
  fc.option(fc.subarray(values, { minLength: 1 }), { nil: null });

const zones = ['Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/New_York'].concat([
  'Asia/Karachi',
  'Asia/Bangkok',
  'Asia/Shanghai',
]);

function anyQuery(): fc.Arbitrary<FiguresQuery> {
  return fc
    .record({
      grain: fc.constantFrom('hour', 'day'),
      timeZone: fc.constantFrom(null, 'UTC', ...zones),
      by: fc.subarray([...dimensions]),
      kind: fc.constantFrom(null, 'payin', 'payout'),
      merchantIds: some(...shops.map(({ merchantId }) => merchantId)),
      countries: some<Country>('IN', 'PK', 'CN'),
      statuses: some('processing', 'completed', 'failed'),
      bankCodes: fc.constantFrom(null, null, null, ['JAZZCASH', 'QRANDLAUNCH'], ['HBL']),
      withTimes: fc.boolean(),
      back: fc.nat(3 * day),
      long: fc.integer({ min: 1, max: 3 * day }),
    } as const)
    .map(
      ({ back, long, ...query }) =>
        ({ ...query, from: Date.now() - back, to: Date.now() - back + long }) as FiguresQuery,
    );
}

function anyScope(): fc.Arbitrary<Scope> {
  return fc.record({
    countries: some<Country>('IN', 'PK'),
    merchantIds: some(...shops.map(({ merchantId }) => merchantId)),
  });
}

test('figures equal the sums over all orders, at every position of the roll-up, in every scope', async () => {
  const life = fc.record({
    shop: fc.nat(2),
    ending: fc.constantFrom(...endings),
    isPayout: fc.boolean(),
    ago: fc.nat(3 * day),
  });
  const lives = fc.array(life, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      lives,
      anyQuery(),
      anyScope(),
      fc.integer({ min: 1, max: 9 }),
      async (added, query, scope, some) => {
        for (const { shop, ending, isPayout, ago } of added) {
          const of = shops[shop];
          if (of) await live(fixture.domain, of, ending, isPayout, ago);
        }
        await compare(unrestricted, query);
        await compare(scope, query);
        await rollUpOrders(fixture.domain, some);
        await rollUpFacets(fixture.domain, 10 - some);
        await compare(unrestricted, { ...query, by: [...dimensions] });
      },
    ),
    { numRuns: 20 },
  );
  await rollUpToNow();
  for (const grain of ['hour', 'day'] as const) {
    const query = { from: Date.now() - 5 * day, to: Date.now() + day, grain, withTimes: true };
    expect(await compare(unrestricted, { ...query, by: ['kind', 'status', 'time'] })).not.toEqual([]);
  }
  // All is in there by now, so that readers added nothing.
  const { rows } = await fixture.domain.database.pool.query(
    `select (select count(*) from orders where status in ('completed', 'failed'))::integer as ended, sum(orders)::integer as "rolledUp"
     from (select 'day' as of, orders from order_figures_by_day where merchant_id = 'PLATFORM'
       union all select 'quarter', orders from order_figures_by_quarter where merchant_id = 'PLATFORM'
       union all select 'bank', orders from order_facets_by_hour where merchant_id = 'PLATFORM' and facet = 'bank') f group by of`,
  );
  expect(rows).toHaveLength(3);
  for (const { ended, rolledUp } of rows) expect(rolledUp).toBe(ended);
}, 120_000);

test('the roll-up waits for transactions that began before it', async () => {
  const { domain } = fixture;
  const [shop] = shops;
  if (!shop) throw new Error('no merchant');
  const slow = await domain.database.pool.connect();
  try {
    await slow.query('begin');
    const { rows: began } = await slow.query<{ at: string }>('select clock_timestamp()::text as at');
    const order = await placePayin(domain, shop.merchantId, shop.country);
    await waitFor('more than the second that it keeps behind', async () => {
      await rollUpOrders(domain);
      const { rows } = await domain.database.pool.query<{ past: boolean; late: boolean }>(
        `select until >= $1::timestamptz as past, clock_timestamp() > $1::timestamptz + interval '2 seconds' as late from order_figures_progress`,
        [began[0]?.at],
      );
      expect(rows[0]?.past).toBe(false);
      return rows[0]?.late;
    });
    // As if it had held the merchant since, and only now ended.
    await slow.query(
      `insert into order_transition (merchant_id, order_no, seq, "from", "to", trigger, actor, at, batch_no) values ($1, $2, 3, 'processing', 'failed', 'channel_failed', 'x', $3, 1)`,
      [order.merchantId, order.orderNo, began[0]?.at],
    );
    await slow.query("update orders set status = 'failed' where merchant_id = $1 and order_no = $2", [
      order.merchantId,
      order.orderNo,
    ]);
    await slow.query('commit');
  } finally {
    slow.release();
  }
  await rollUpToNow();
  await compare(unrestricted, { from: Date.now() - 5 * day, to: Date.now() + day, grain: 'day', by: ['status'] });
});

test('two concurrent roll-ups count each order once', async () => {
  const { pool } = fixture.domain.database;
  await pool.query("update order_figures_progress set until = '-infinity'");
  await pool.query('truncate order_figures_by_hour, order_figures_by_day');
  await waitFor('both', async () => {
    const [one, other] = await Promise.all([rollUpOrders(fixture.domain, 40), rollUpOrders(fixture.domain, 40)]);
    return !one && !other;
  });
  await compare(unrestricted, {
    from: Date.now() - 5 * day,
    to: Date.now() + day,
    grain: 'day',
    by: ['status', 'merchant'],
  });
});

test('no order is left out between two roll-ups, at any millisecond', async () => {
  const own = await openTestDomain((await createTestDatabase()).url);
  try {
    const { merchantId } = await aFundedMerchant(own.domain, 'IN');
    const { orderNo } = await placePayin(own.domain, merchantId, 'IN');
    const { pool } = own.domain.database;
    // As if it had failed in each of these milliseconds.
    await pool.query(
      `insert into order_transition (merchant_id, order_no, seq, "from", "to", trigger, actor, at, batch_no)
       select $1, $2, n + 10, 'processing', 'failed', 'x', 'x', clock_timestamp() + (n - 1000) * interval '1 ms', 1 from generate_series(1, 1500) n`,
      [merchantId, orderNo],
    );
    const counted = await waitFor('the last of them', async () => {
      await rollUpOrders(own.domain);
      const { rows } = await pool.query<{ orders: number; isPast: boolean }>(
        `select (select sum(orders) from order_figures_by_day where merchant_id = $1)::integer as orders,
           (select until from order_figures_progress) > (select max(at) from order_transition) as "isPast"`,
        [merchantId],
      );
      return rows[0]?.isPast && rows[0];
    });
    expect(counted.orders).toBe(1_500);
  } finally {
    await own.close();
  }
});

test('failures are counted by the trigger that ended the order, and by the message of the channel', async () => {
  const [shop] = shops;
  if (!shop) throw new Error('no merchant');
  const range = { from: Date.now() - 5 * day, to: Date.now() + day };
  const ask = (withMessages: boolean) => readFailures(fixture.domain, unrestricted, range, { withMessages, limit: 9 });
  const countOf = (found: Awaited<ReturnType<typeof ask>>, message: string | null) =>
    found.filter((one) => one.message === message).reduce((sum, { orders }) => sum + orders, 0);
  const before = await ask(false);
  for (const reason of ['Account 1234567 is closed', 'Account 99-8888 is  closed', 'no such bank']) {
    const order = await placePayin(fixture.domain, shop.merchantId, shop.country);
    await fixture.domain.commit(aReport(order, { outcome: 'failed', reason }));
  }
  for (const isRolledUp of [false, true]) {
    if (isRolledUp) await rollUpToNow();
    const found = await ask(true);
    expect(countOf(found, 'Account … is closed')).toBe(2);
    expect(countOf(found, 'no such bank')).toBe(1);
    expect(countOf(await ask(false), null)).toBe(countOf(before, null) + 3);
  }
  // Every order that is failed now has one reason, also those that a case had completed.
  const { rows } = await fixture.domain.database.pool.query<{ failed: number }>(
    "select count(*)::integer as failed from orders where status = 'failed' and created_at > now() - interval '5 days'",
  );
  const all = await ask(false);
  expect(all.reduce((sum, { orders }) => sum + orders, 0)).toBe(rows[0]?.failed);
  expect(all.map(({ trigger }) => trigger)).toEqual(expect.arrayContaining(['channel_failed']));
});

test('while the sums by quarter hour are filled after an upgrade, figures are computed from the orders, and figures by bank are marked', async () => {
  const { pool } = fixture.domain.database;
  await rollUpToNow();
  const tables = 'order_figures_by_quarter, order_facets_by_quarter, order_facets_by_hour, order_facets_by_day';
  await pool.query(`truncate ${tables}; update order_facets_progress set until = '-infinity'`);
  const range = { from: Date.now() - 3 * day - 1_234, to: Date.now() - 5_678, timeZone: 'Asia/Kathmandu' };
  expect(await compare(unrestricted, { ...range, grain: 'hour', by: ['time', 'kind'] })).not.toEqual([]);
  expect((await readFigures(fixture.domain, unrestricted, { ...range, by: ['bank'] })).isComplete).toBe(false);
  await rollUpFacets(fixture.domain, 3);
  await rollUpToNow();
  expect(await compare(unrestricted, { ...range, by: ['bank', 'status'], withTimes: true })).not.toEqual([]);
});

test('figures of one day in any time zone count exactly that day', async () => {
  const [shop] = shops;
  if (!shop) throw new Error('no merchant');
  // The midnights of the zones, from PostgreSQL. Each zone uses a day of its own, because the orders stay.
  const { rows: days } = await fixture.domain.database.pool.query<{ timeZone: string; from: number; to: number }>(
    `select zone as "timeZone", (extract(epoch from d at time zone zone) * 1000)::float8 as "from",
       (extract(epoch from (d + interval '1 day') at time zone zone) * 1000)::float8 as "to"
     from unnest($1::text[]) with ordinality as z (zone, n), make_timestamp(2026, 6, 3 * n::integer - 1, 0, 0, 0) d`,
    [zones],
  );
  expect(days).toHaveLength(zones.length);
  for (const { from, to } of days)
    for (const at of [from - 1, from, from + 1_800_000, to - 1, to]) await paidAt(fixture.domain, shop, at);
  for (const isRolledUp of [false, true]) {
    if (isRolledUp) await rollUpToNow();
    for (const { timeZone, from, to } of days) {
      const where = `${timeZone}, ${isRolledUp ? 'rolled up' : 'not rolled up'}`;
      const count = async (input: Partial<FiguresQuery>): Promise<FigureGroup[]> => {
        const query: FiguresQuery = { from, to, grain: 'day', timeZone, by: ['time'], ...input };
        return (await readFigures(fixture.domain, unrestricted, query)).groups;
      };
      expect(await count({}), where).toMatchObject([{ startsAt: from, orders: 3 }]);
      expect(await count({ by: null }), where).toMatchObject([{ startsAt: null, orders: 3 }]);
      expect(await count({ from: from - 1, to: to + 1 }), where).toMatchObject([
        { startsAt: from - day, orders: 1 },
        { startsAt: from, orders: 3 },
        { startsAt: to, orders: 1 },
      ]);
    }
  }
});

test('figures count exactly the requested range, whatever hours and days it crosses', async () => {
  const from = Date.UTC(2026, 0, 15, 12, 30);
  const figures = await readFigures(fixture.domain, unrestricted, { from, to: from + 1, grain: 'hour' });
  expect([figures.from, figures.to, figures.groups]).toEqual([from, from + 1, []]);
});
