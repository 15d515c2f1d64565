import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Country } from '../../core/country.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../../testing/index.ts';
import { aTopUp } from '../../testing/payins.ts';
import { by } from '../../testing/payouts.ts';
import { aCycle, lastSettlementOf, moveEntriesTo } from '../../testing/settlements.ts';
import { findSettlement } from '../change-settlement.ts';
import { draftSettlements } from '../draft-settlements.ts';
import { removeSettlementCycle } from '../set-cycle.ts';
import { countMissingDrafts, draftBySchedule, readUnannouncedHolidays } from './draft-by-schedule.ts';

// The schedule of drafts on a real database, on given days of November 2026.

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

/** One pass over all cycles, as if this were the last day. */
const pass = (day: string) =>
  draftBySchedule(
    fixture.domain,
    () => false,
    async () => day,
  );
const missing = async (country: Country, day: string) =>
  (await countMissingDrafts(fixture.domain, async () => day)).find((one) => one.country === country)?.count;

/** A merchant with 50.00 of 10 November, whose cycle the schedule has seen on a day. */
async function seenOn(day: string, country: Country = 'TH', weekdays?: string[]): Promise<string> {
  const { merchantId } = await aMerchant(fixture.domain, country);
  await fixture.domain.commit(aTopUp(merchantId, 'T-1', '50.00'));
  await moveEntriesTo(fixture.domain, merchantId, '2026-11-10T10:00:00Z');
  await aCycle(fixture.domain, merchantId, weekdays ? { weekdays: weekdays as never } : {});
  await fixture.domain.database.pool.query(
    "insert into settlement_run (merchant_id, day, state) values ($1, $2, 'done')",
    [merchantId, day],
  );
  return merchantId;
}

const draftOf = async (merchantId: string) =>
  findSettlement(fixture.domain, await lastSettlementOf(fixture.domain, merchantId));
const runOf = async (merchantId: string) => {
  const { rows } = await fixture.domain.database.pool.query(
    'select day::text as day, state, attempts from settlement_run where merchant_id = $1',
    [merchantId],
  );
  return rows[0];
};
const draftsOf = async (merchantId: string) => {
  const { rows } = await fixture.domain.database.pool.query<{ count: number }>(
    `select count(*)::integer as count from audit_record where merchant_id = $1 and action = 'draftSettlement' and actor = 'the schedule'`,
    [merchantId],
  );
  return rows[0]?.count;
};

test('a due cycle is drafted once, however many processes run the schedule', async () => {
  const merchantId = await seenOn('2026-11-18');
  await Promise.all([1, 2, 3, 4].map(() => pass('2026-11-19')));
  expect(await draftOf(merchantId)).toMatchObject({ runDay: '2026-11-19', amount: '50.00', version: 1, seq: 1 });
  expect(await draftsOf(merchantId)).toBe(1);
  await pass('2026-11-19');
  expect(await draftsOf(merchantId)).toBe(1);
  await pass('2026-11-20');
  expect(await draftOf(merchantId)).toMatchObject({ runDay: '2026-11-20' });
});

test('a cycle is not drafted on other weekdays and weekends, and a missed day is drafted later as of that day', async () => {
  const merchantId = await seenOn('2026-11-12', 'TH', ['mon']);
  await pass('2026-11-15');
  expect(await draftOf(merchantId)).toBeNull();
  await pass('2026-11-18');
  expect(await draftOf(merchantId)).toMatchObject({ runDay: '2026-11-16' });
});

test('a new cycle waits for its next run', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'IN');
  await aCycle(fixture.domain, merchantId);
  await pass('2026-11-19');
  expect([await draftOf(merchantId), await runOf(merchantId)]).toMatchObject([
    null,
    { day: '2026-11-19', state: 'done' },
  ]);
  await pass('2026-11-20');
  expect(await draftOf(merchantId)).toMatchObject({ runDay: '2026-11-20' });
});

test('a cycle that is set again waits for its next run, like a new cycle', async () => {
  const merchantId = await seenOn('2026-11-02', 'IN');
  await removeSettlementCycle(fixture.domain, { merchantId }, by('ann', 'bob'));
  await aCycle(fixture.domain, merchantId);
  await pass('2026-11-19');
  expect([await draftOf(merchantId), await missing('IN', '2026-11-19')]).toEqual([null, 0]);
});

test('the schedule does not replace a draft that an operator made for the day', async () => {
  const merchantId = await seenOn('2026-11-17', 'PK');
  await draftSettlements(fixture.domain, { country: 'PK', day: '2026-11-18' }, by('ann'));
  await fixture.domain.commit(aTopUp(merchantId, 'T-2', '5.00'));
  await pass('2026-11-18');
  expect(await draftOf(merchantId)).toMatchObject({ version: 1, amount: '50.00' });
  expect([await draftsOf(merchantId), await runOf(merchantId)]).toMatchObject([
    0,
    { day: '2026-11-18', state: 'done' },
  ]);
});

test('a run that failed, or whose process died, counts as missing and is repeated after its wait', async () => {
  const { pool } = fixture.domain.database;
  const merchantId = await seenOn('2026-11-17', 'CN');
  await pass('2026-11-17');
  expect(await missing('CN', '2026-11-17')).toBe(0);
  expect(await missing('CN', '2026-11-18')).toBe(1);
  const setRun = (state: string, nextAt: string) =>
    pool.query(
      `update settlement_run set day = '2026-11-18', state = $2, next_at = clock_timestamp() + $3::interval where merchant_id = $1`,
      [merchantId, state, nextAt],
    );
  for (const state of ['running', 'failed']) {
    await setRun(state, '1 minute');
    await pass('2026-11-18');
    expect([await draftOf(merchantId), await missing('CN', '2026-11-18')]).toEqual([null, 1]);
  }
  await setRun('failed', '-1 second');
  await pass('2026-11-18');
  expect(await draftOf(merchantId)).toMatchObject({ runDay: '2026-11-18' });
  expect(await missing('CN', '2026-11-18')).toBe(0);
});

test('a draft that cannot be computed is tried again later, and does not delay other drafts', async () => {
  const { pool } = fixture.domain.database;
  const [broken, sound] = [await seenOn('2026-11-17', 'IN'), await seenOn('2026-11-17', 'IN')].sort();
  // A wallet whose balance is not that of its entries adds up to nothing.
  const client = await pool.connect();
  await client.query("begin; set local session_replication_role = 'replica'");
  await client.query('update wallet set available = available + 1 where merchant_id = $1', [broken]);
  await client.query('commit');
  client.release();
  await pass('2026-11-18');
  expect(await runOf(broken ?? '')).toEqual({ day: '2026-11-18', state: 'failed', attempts: 1 });
  expect(await runOf(sound ?? '')).toMatchObject({ state: 'done' });
  expect(await missing('IN', '2026-11-18')).toBe(1);
});

test('a run without known holidays counts as missing, and so does a cycle that no worker has seen', async () => {
  const before = (await missing('TH', '2026-11-20')) ?? 0;
  const { merchantId } = await aMerchant(fixture.domain, 'TH');
  await aCycle(fixture.domain, merchantId);
  expect(await missing('TH', '2026-11-20')).toBe(before + 1);
  expect(await missing('TH', '2028-01-04')).toBeGreaterThan(0);
});

test('holidays that are computed or unknown are reported two weeks before their year', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  await aCycle(fixture.domain, merchantId);
  const isUnannounced = async (day: string) =>
    (await readUnannouncedHolidays(fixture.domain, async () => day)).find(({ country }) => country === 'CN')
      ?.isUnannounced;
  expect(await isUnannounced('2026-12-17')).toBe(false);
  expect(await isUnannounced('2026-12-18')).toBe(true);
  expect(await isUnannounced('2027-06-01')).toBe(true);
  expect(await isUnannounced('2028-06-01')).toBe(true);
});

test('a run is due from ten o’clock in the time zone of the country, by the clock of the database', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'PK');
  await aCycle(fixture.domain, merchantId);
  await draftBySchedule(fixture.domain);
  const { rows } = await fixture.domain.database.pool.query<{ day: string }>(
    `select (clock_timestamp() at time zone 'Asia/Karachi' - interval '10 hours')::date::text as day`,
  );
  expect(await runOf(merchantId)).toMatchObject({ day: rows[0]?.day });
});
