import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changeByHand } from '../../test/by-hand.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aTopUp, placePayin } from '../testing/payins.ts';
import { auditNew } from './audit-new.ts';
import { auditWhole } from './audit-whole.ts';
import { openFindings } from './open-findings.ts';

// Who of several processes audits, and for how long.

const minute = 60_000;
let url: string;
let fixture: TestDomain;
let other: TestDomain;
let merchantId: string;

beforeEach(async () => {
  ({ url } = await createTestDatabase());
  fixture = await openTestDomain(url);
  other = await openTestDomain(url);
  ({ merchantId } = await aMerchant(fixture.domain, 'TH'));
  await fixture.domain.commit(aTopUp(merchantId, 'B-1', '50.00'));
});
afterEach(() => Promise.all([fixture.close(), other.close()]));

const queryDatabase = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await fixture.domain.database.pool.query<Row>(sql, values)).rows;

/** Locks tables until it is released. A run of both domains waits for them longer than one of the service would. */
async function lockTables(tables: string): Promise<{ release(): Promise<void> }> {
  for (const { domain } of [fixture, other]) {
    const { pool } = domain.database;
    const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    await Promise.all(clients.map((client) => client.query('set lock_timeout = 0')));
    for (const client of clients) client.release();
  }
  const blocker = await fixture.domain.database.pool.connect();
  await blocker.query('begin');
  await blocker.query('set local idle_in_transaction_session_timeout = 0');
  await blocker.query(`lock table ${tables}`);
  return {
    release: async () => {
      await blocker.query('commit');
      blocker.release();
    },
  };
}

test('if ten runs are started at once, only one begins', async () => {
  const ten = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? fixture : other).domain);
  for (const run of [auditNew, auditWhole]) {
    // The active run is blocked until all others have asked.
    const locked = await lockTables('audit_checkpoint, wallet');
    const held: string[] = [];
    const outcomes = ten.map((domain) => run(domain, minute));
    for (const one of outcomes) void one.then((outcome) => held.push(outcome));
    try {
      await vi.waitFor(() => expect(held).toEqual(Array.from({ length: 9 }, () => 'held')), 10_000);
    } finally {
      await locked.release();
    }
    expect((await Promise.all(outcomes)).filter((outcome) => outcome !== 'held')).toEqual(['finished']);
  }
});

test('the whole run is due again one day (in scaled time) after the last one', async () => {
  expect(await auditWhole(fixture.domain, minute)).toBe('finished');
  expect(await auditWhole(fixture.domain, minute)).toBe('held');
  const ago = (hours: number) =>
    queryDatabase("update audit_run set finished_at = clock_timestamp() - $1 * interval '1 hour' where run = 'whole'", [
      hours,
    ]);
  await ago(23.9);
  expect(await auditWhole(other.domain, minute)).toBe('held');
  await ago(24.001);
  expect(await auditWhole(other.domain, minute)).toBe('finished');
  const scaled = await openTestDomain(url, { scheduleScale: 0.5 });
  await ago(12.001);
  expect(await auditWhole(scaled.domain, minute)).toBe('finished');
  await scaled.close();
});

test('a run continues where it stopped; a killed run continues from its last save, when its lease has expired', async () => {
  const orders = await Promise.all(Array.from({ length: 2_500 }, () => placePayin(fixture.domain, merchantId, 'TH')));
  const stateOf = async () =>
    (
      await queryDatabase<{ position: { phase: string; after: { orderNo: string } } }>(
        "select position from audit_run where run = 'whole'",
      )
    )[0];
  expect(await auditWhole(fixture.domain, 0)).toBe('going_on');
  const interrupted = await stateOf();
  expect(interrupted?.position).toMatchObject({ phase: 'orders', after: { merchantId } });
  expect(interrupted?.position.after.orderNo).toBe(orders.map((order) => order.orderNo).toSorted()[999]);
  // As a process that was killed leaves it.
  await queryDatabase(
    "update audit_run set holder = 'dead', held_until = clock_timestamp() + interval '1 hour' where run = 'whole'",
  );
  expect(await auditWhole(other.domain, minute)).toBe('held');
  await queryDatabase("update audit_run set held_until = clock_timestamp() - interval '1 s' where run = 'whole'");
  expect(await auditWhole(other.domain, 0)).toBe('going_on');
  expect((await stateOf())?.position.after.orderNo).toBe(orders.map((order) => order.orderNo).toSorted()[1_999]);
  expect(await auditWhole(fixture.domain, minute)).toBe('finished');
});

test('a process whose run was taken over by another one saves nothing more', async () => {
  await Promise.all(Array.from({ length: 1_500 }, () => placePayin(fixture.domain, merchantId, 'TH')));
  await changeByHand(
    fixture.domain.database.pool,
    'update wallet set available = available + 7.77 where merchant_id = $1',
    [merchantId],
  );
  // Another process takes the run over while this one is at its first step, which waits for a locked table.
  const locked = await lockTables('orders');
  const running = auditWhole(fixture.domain, minute);
  try {
    const held = "select from audit_run where run = 'whole' and holder is not null";
    await vi.waitFor(async () => expect(await queryDatabase(held)).toHaveLength(1), 10_000);
    await queryDatabase("update audit_run set holder = 'another' where run = 'whole'");
  } finally {
    await locked.release();
  }
  expect(await running).toBe('lost');
  expect(await openFindings(fixture.domain, 100)).toEqual([]);
  expect(
    await queryDatabase("select holder, finished_runs::integer as runs from audit_run where run = 'whole'"),
  ).toEqual([{ holder: 'another', runs: 0 }]);
});
