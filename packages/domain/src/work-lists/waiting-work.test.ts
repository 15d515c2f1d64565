import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageMoneyCases } from '../cases/list-money-cases.ts';
import type { Country } from '../core/country.ts';
import { type Scope, unrestricted } from '../lists/scope.ts';
import { pageBreaks } from '../reconciliation/list-breaks.ts';
import { pageWaitingDays } from '../reconciliation/list-waiting-days.ts';
import { failSettlement, paySettlement } from '../settlement/change-settlement.ts';
import { pageSettlements } from '../settlement/list-settlements.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/open-test-domain.ts';
import { aTopUp } from '../testing/payins.ts';
import { by } from '../testing/payouts.ts';
import { aCycle, anApprovedSettlement, moveEntriesTo, runSettlements } from '../testing/settlements.ts';
import { dayAgo } from '../testing/statements.ts';
import { pageRequest, walkList } from '../testing/walk-list.ts';
import { readWorkLists } from './read-work-lists.ts';

// What waits in settlements and reconciliation, as the first page of the console counts it.

let fixture: TestDomain;
let india = '';
const agreed = by('ann', 'bob');
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  await placeSettlements();
  for (const [country, channelId] of [
    ['PK', 'fake'],
    ['PK', 'other'],
    ['TH', 'fake'],
  ] as const)
    await placeDays(country, channelId);
});
afterAll(() => fixture.close());

/** One to approve and one of nothing in India; one to pay, one to confirm and one that failed in Pakistan. */
async function placeSettlements(): Promise<void> {
  const { domain } = fixture;
  for (const minimum of ['0', '100.00']) {
    const { merchantId } = await aMerchant(domain, 'IN');
    if (minimum === '0') india = merchantId;
    await domain.commit(aTopUp(merchantId, 'T-1', '50.00'));
    await moveEntriesTo(domain, merchantId, '2026-11-10T10:00:00Z');
    await aCycle(domain, merchantId, { minimum });
  }
  await runSettlements(domain, 'IN', '2026-11-12');
  const toConfirm = await anApprovedSettlement(domain, 'PK');
  expect(await paySettlement(domain, toConfirm, 'UTR-1', agreed)).toMatchObject({ ok: true });
  const failed = await anApprovedSettlement(domain, 'PK');
  expect(await failSettlement(domain, failed, { detail: 'the bank closed the account' }, agreed)).toMatchObject({
    ok: true,
  });
  await anApprovedSettlement(domain, 'PK');
}

const days: readonly [ago: number, state: string, changes: string][] = [
  [0, 'not over', 'is_covered = true'],
  [2, 'to close', 'is_covered = true'],
  [3, 'being matched', 'is_covered = true, is_due = true'],
  [4, 'with a break', 'is_covered = true'],
  [5, 'closed', `is_covered = true, state = 'closed', closed_by = 'ann', approver = 'bob', closed_at = now()`],
  [6, 'no statement', 'is_covered = false'],
  [7, 'no statement, and it is fetched', 'is_covered = false'],
  [8, 'another statement was given up', 'is_covered = true'],
  [9, 'another statement is fetched', 'is_covered = true'],
  [90, 'to close for long', 'is_covered = true'],
  [100, 'before the first day', 'is_covered = true'],
];

async function placeDays(country: Country, channelId: string): Promise<void> {
  const { pool } = fixture.domain.database;
  const tenant = `PLATFORM-${country}`;
  await pool.query(
    `insert into channel select (jsonb_populate_record(c, jsonb_build_object('channel_id', $1::text))).*
    from channel c where c.channel_id = 'fake' on conflict do nothing`,
    [channelId],
  );
  await pool.query(
    `insert into reconciled_channel (merchant_id, channel_id, begins_on, fetches) values ($1, $2, $3, true)`,
    [tenant, channelId, dayAgo(country, 95)],
  );
  for (const [ago, , changes] of days) {
    const key = [tenant, channelId, dayAgo(country, ago)];
    await pool.query('insert into reconciliation_day (merchant_id, channel_id, day) values ($1, $2, $3)', key);
    await pool.query(
      `update reconciliation_day set ${changes} where merchant_id = $1 and channel_id = $2 and day = $3`,
      key,
    );
  }
  for (const [breakNo, state] of [
    [1, 'open'],
    [2, 'posting'],
    [3, 'open'],
  ] as const)
    await pool.query(
      `insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, state, amount)
       select $1, coalesce(max(break_no), 0) + 1, $2, $3, $4, 'amount', $5, 1 from reconciliation_break`,
      [tenant, channelId, dayAgo(country, 4), `${channelId} ${breakNo}`, state],
    );
  for (const [ago, state] of [
    [7, 'due'],
    [8, 'given_up'],
    [9, 'due'],
  ] as const)
    await pool.query(
      `insert into statement_fetch (merchant_id, channel_id, format, day, state, next_at, give_up_at)
       values ($1, $2, 'camt.053', $3, $4, now(), now())`,
      [tenant, channelId, dayAgo(country, ago), state],
    );
}

const countries = (...only: Country[]): Scope => ({ countries: only, merchantIds: null });
const merchants = (...only: string[]): Scope => ({ countries: null, merchantIds: only });

async function counted(scope: Scope): Promise<Record<string, number>> {
  const lists = await readWorkLists(fixture.domain, scope);
  expect(lists.every(({ isExact }) => isExact)).toBe(true);
  return Object.fromEntries(lists.map(({ list, count }) => [list, count]));
}

const waiting = (scope: Scope, waitsFor: 'closing' | 'statement', filter = {}) =>
  walkList('waiting_days', (page) => pageWaitingDays(fixture.domain, scope, { waitsFor, ...filter }, page), {
    sizes: [2],
  });

/** How many entries the lists have that the counts lead to. */
async function countsOfLists(scope: Scope) {
  const { domain } = fixture;
  const settlements = async (filter: object) =>
    (await (await pageSettlements(domain, scope, filter, pageRequest('settlements'))).total()).count;
  const cases = await pageMoneyCases(
    domain,
    scope,
    { states: ['open'], kinds: ['settlement_failed'] },
    pageRequest('money_cases'),
  );
  const breaks = await pageBreaks(domain, scope, { states: ['open'] }, pageRequest('breaks'));
  return {
    settlements_to_approve: await settlements({ states: ['draft'], hasAmount: true }),
    settlements_to_pay: await settlements({ states: ['approved'] }),
    settlements_to_confirm: await settlements({ states: ['paid'] }),
    failed_settlements: (await cases.total()).count,
    open_breaks: (await breaks.total()).count,
    days_to_close: (await waiting(scope, 'closing')).length,
    missing_statements: (await waiting(scope, 'statement')).length,
  };
}

test('the counts of settlements, breaks and days equal the lengths of their lists, within every restriction', async () => {
  const all = await counted(unrestricted);
  expect(all).toMatchObject({
    settlements_to_approve: 1,
    settlements_to_pay: 1,
    settlements_to_confirm: 1,
    failed_settlements: 1,
    open_breaks: 6,
    days_to_close: 6,
    missing_statements: 6,
  });
  for (const scope of [unrestricted, countries('PK'), countries('TH', 'IN'), merchants(india, 'PLATFORM-PK')])
    expect(await counted(scope)).toMatchObject(await countsOfLists(scope));
  const { days_to_close, open_breaks, missing_statements, ...ofMerchants } = await countsOfLists(merchants(india));
  expect([days_to_close, open_breaks, missing_statements]).toEqual([0, 0, 0]);
  const own = await counted(merchants(india));
  expect(own).toMatchObject(ofMerchants);
  expect(own).toHaveProperty('settlements_to_approve', 1);
  for (const name of ['days_to_close', 'open_breaks', 'missing_statements']) expect(own).not.toHaveProperty(name);
});

test('a day waits for two operators, or for a statement that is not fetched, once it is over', async () => {
  const stateOf = (country: Country, day: string) => days.find(([ago]) => dayAgo(country, ago) === day)?.[1];
  const statesOf = async (waitsFor: 'closing' | 'statement') => {
    const filter = { merchantIds: ['PLATFORM-PK'], channelIds: ['fake'] };
    const found = await waiting(unrestricted, waitsFor, filter);
    expect(found.map(({ channelId, merchantId }) => `${merchantId} ${channelId}`)).toEqual(
      found.map(() => 'PLATFORM-PK fake'),
    );
    return found.map(({ day }) => stateOf('PK', day));
  };
  expect(await statesOf('closing')).toEqual(['to close for long', 'to close']);
  expect(await statesOf('statement')).toEqual(['another statement was given up', 'no statement']);
  // Where statements are not fetched any more, no day waits for the schedule.
  const { pool } = fixture.domain.database;
  await pool.query(`update reconciled_channel set fetches = false where merchant_id = 'PLATFORM-PK'`);
  expect(await statesOf('closing')).toEqual([
    'to close for long',
    'another statement is fetched',
    'another statement was given up',
    'to close',
  ]);
  expect(await statesOf('statement')).toEqual(['no statement, and it is fetched', 'no statement']);
  await pool.query(`update reconciled_channel set fetches = true where merchant_id = 'PLATFORM-PK'`);
});

test('a settlement waits since its last step, and a day since its end in its country', async () => {
  const { pool } = fixture.domain.database;
  const oldest = async (name: string) =>
    (await readWorkLists(fixture.domain, unrestricted)).find(({ list }) => list === name)?.oldestAt;
  const { rows } = await pool.query<{ approved: number; paid: number }>(
    `select max((extract(epoch from approved_at) * 1000)::float8) filter (where state = 'approved') as approved,
       max((extract(epoch from paid_at) * 1000)::float8) filter (where state = 'paid') as paid from settlement`,
  );
  expect(await oldest('settlements_to_pay')).toBe(rows[0]?.approved);
  expect(await oldest('settlements_to_confirm')).toBe(rows[0]?.paid);
  // A day ends in Thailand before it does in Pakistan. For two hours, it is one day later in Thailand.
  const ends = [`${dayAgo('TH', 89)}T00:00:00+07:00`, `${dayAgo('PK', 89)}T00:00:00+05:00`].map(Date.parse);
  expect(await oldest('days_to_close')).toBe(Math.min(...ends));
});
