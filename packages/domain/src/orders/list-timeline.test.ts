import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '../core/order.ts';
import { unrestricted } from '../lists/scope.ts';
import { openTestDomain, type TestDomain } from '../testing/open-test-domain.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, by } from '../testing/payouts.ts';
import { only, pageRequest, walkList } from '../testing/walk-list.ts';
import { readTimelines } from './list-timeline.ts';

let fixture: TestDomain;
let order: Order;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, 'IN');
  order = await placePayin(domain, merchantId, 'IN');
  const other = await placePayin(domain, merchantId, 'IN');
  await domain.commit(aReport(other, paid('OTHER')));
  await domain.commit(aReport(order, { outcome: 'failed', reason: 'no' }));
  await domain.commit(aReport(order, paid('LATE')));
  await domain.commit({ type: 'creditCase', merchantId, caseNo: 1, orderNo: order.orderNo, by: by('anna') });
  await domain.database.pool.query(
    `insert into channel_call (merchant_id, order_no, call_id, channel_id, operation, started_at, duration_ms, outcome, is_sent, is_answer)
     select $1, $2, 'call-' || n, 'fake', 'query', to_timestamp($3::float8 / 1000) + n * interval '1 second', 5, 'unknown', true, false from generate_series(1, 40) n`,
    [merchantId, order.orderNo, order.createdAt],
  );
  await domain.database.pool.query(
    `insert into notification_attempt (merchant_id, order_no, status, attempt, started_at, duration_ms, http_status, reply)
     values ($1, $2, 'failed', 1, to_timestamp($3::float8 / 1000) + interval '2 minutes', 12, 500, 'no')`,
    [merchantId, order.orderNo, order.createdAt],
  );
});
afterAll(() => fixture.close());

const readAll = (size: number, backward = false) =>
  walkList('timeline', (page) => only(readTimelines(fixture.domain, unrestricted, [order], page)), {
    sizes: [size],
    backward,
  });

test('every event of an order is listed once, by time', async () => {
  const events = await readAll(100);
  const counts = Object.groupBy(events, ({ type }) => type);
  expect(Object.fromEntries(Object.entries(counts).map(([type, of]) => [type, of?.length]))).toEqual({
    transition: 4,
    payment: 1,
    transfer: 3,
    wallet_entry: 1,
    case: 1,
    operator_action: 1,
    channel_call: 40,
    notification_attempt: 1,
  });
  expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted((a, b) => a - b));
  expect(new Set(events.map(({ type, id }) => `${type} ${id}`)).size).toBe(events.length);
  expect(events.every(({ event }) => JSON.stringify(event).includes(order.merchantId))).toBe(true);
});

test('each event equals the rows of the database', async () => {
  const events = await readAll(100);
  const of = (type: string): unknown[] => events.filter((one) => one.type === type).map(({ event }) => event);
  expect(of('transition')).toMatchObject([
    { from: 'new', to: 'created', trigger: 'created' },
    { from: 'created', to: 'processing', at: order.createdAt },
    { from: 'processing', to: 'failed', trigger: 'channel_failed' },
    { from: 'failed', to: 'completed', trigger: 'case_credited', actor: 'operator:anna' },
  ]);
  expect(of('payment')).toMatchObject([{ reference: 'LATE', amount: '100.00', use: 'suspense' }]);
  expect(of('wallet_entry')).toMatchObject([{ type: 'PAYIN', availableChange: '97.50' }]);
  expect(of('case')).toMatchObject([{ kind: 'late', state: 'credited', amount: '100.00' }]);
  expect(of('operator_action')).toMatchObject([{ actor: 'anna', action: 'creditCase', subject: 'case 1' }]);
  expect(of('notification_attempt')).toMatchObject([{ status: 'failed', httpStatus: 500, reply: 'no' }]);
});

test('a timeline can be paged from either end', async () => {
  const whole = await readAll(100);
  expect(await readAll(4)).toEqual(whole);
  expect(await readAll(7, true)).toEqual(whole);
});

test('an operator who may not see an order gets no timeline of it', async () => {
  for (const scope of [
    { countries: ['PK' as const], merchantIds: null },
    { countries: null, merchantIds: ['NOBODY'] },
  ])
    expect((await only(readTimelines(fixture.domain, scope, [order], pageRequest('timeline')))).rows).toEqual([]);
});

test('every part of a timeline is read by an index on the order, however many orders are requested', async () => {
  const plan: string[] = [];
  const { database } = fixture.domain;
  const client = await database.pool.connect();
  try {
    // So small a table would be read whole.
    await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off');
    const query: typeof database.reading.query = async (statement, given) => {
      const { text, values = given } = typeof statement === 'string' ? { text: statement } : statement;
      const reported = await client.query(`explain ${text}`, values);
      plan.push(...reported.rows.map((row) => row['QUERY PLAN']));
      return { ...reported, rows: [] };
    };
    const explaining = { ...database, reading: { ...database.reading, query } };
    await readTimelines({ database: explaining }, unrestricted, [order, order], pageRequest('timeline'));
  } finally {
    await client.query('rollback');
    client.release();
  }
  const conditions = plan.filter((line) => /Index Cond:/.test(line));
  // Eight sources, and one more for what names a case: the case, and what was done to it.
  expect(conditions).toHaveLength(10);
  for (const condition of conditions) expect(condition).toMatch(/merchant_id/);
  expect(plan.filter((line) => /Seq Scan/.test(line))).toEqual([]);
  expect(conditions.filter((condition) => /order_no|subject|case_no/.test(condition)).length).toBeGreaterThanOrEqual(8);
});
