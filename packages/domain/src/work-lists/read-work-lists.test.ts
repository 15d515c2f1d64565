import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageApprovals } from '../approvals/list-approvals.ts';
import { pageAuditFindings } from '../audit/list-audit-findings.ts';
import { pageMoneyCases } from '../cases/list-money-cases.ts';
import { readPageRequest } from '../lists/page.ts';
import { type Scope, unrestricted } from '../lists/scope.ts';
import { pagePayoutTasks } from '../market/list-payout-tasks.ts';
import { pageNotifications } from '../notifications/list-notifications.ts';
import { pageStuckPayouts } from '../orders/list-stuck-payouts.ts';
import { aNotificationOf } from '../testing/notifications.ts';
import { placePayin } from '../testing/payins.ts';
import { openThreeMerchants, type ThreeMerchants } from '../testing/three-merchants.ts';
import type { WorkListName } from './queries.ts';
import { readWorkLists } from './read-work-lists.ts';

let fixture: ThreeMerchants;
beforeAll(async () => {
  fixture = await openThreeMerchants();
  const { domain, india, pakistan } = fixture;
  for (const [merchantId, country, state, days, attempt] of [
    [india, 'IN', 'exhausted', 0, 8],
    [pakistan, 'PK', 'exhausted', 6, 8],
    [pakistan, 'PK', 'exhausted', 8, 8],
    [pakistan, 'PK', 'delivered', 0, 2],
    [pakistan, 'PK', 'pending', 0, 1],
    [pakistan, 'PK', 'pending', 1, 2],
    [pakistan, 'PK', 'pending', 20, 3],
    [india, 'IN', 'pending', 0, 2],
  ] as const) {
    const ref = await aNotificationOf(
      domain,
      await placePayin(domain, merchantId, country, { notifyUrl: 'http://127.0.0.1:9/n' }),
    );
    await domain.database.pool.query(
      `update notification set state = $3, attempt = $5, next_attempt_at = case $3 when 'pending' then clock_timestamp() end, created_at = created_at - $4 * interval '1 day',
         delivered_at = case $3 when 'delivered' then clock_timestamp() end where merchant_id = $1 and order_no = $2`,
      [ref.merchantId, ref.orderNo, state, days, attempt],
    );
  }
});
afterAll(() => fixture.close());

function pageOf<Name extends Parameters<typeof readPageRequest>[0]>(list: Name) {
  const read = readPageRequest(list, { first: 1 });
  if (!read.ok) throw new Error('no page');
  return read.page;
}

/** How many entries the lists themselves have. Settlements, breaks and days are in `waiting-work.test.ts`. */
async function countsOfLists(scope: Scope): Promise<Partial<Record<WorkListName, number>>> {
  const { domain } = fixture;
  const recent = { states: ['exhausted' as const], createdFrom: Date.now() - 7 * 86_400_000 };
  const pages = {
    open_cases: await pageMoneyCases(domain, scope, { states: ['open'] }, pageOf('money_cases')),
    stuck_payouts: await pageStuckPayouts(domain, scope, {}, pageOf('stuck_payouts')),
    available_tasks: await pagePayoutTasks(domain, scope, { state: 'available' }, pageOf('payout_tasks')),
    proven_tasks: await pagePayoutTasks(domain, scope, { state: 'proven' }, pageOf('payout_tasks')),
    retried_notifications: await pageNotifications(
      domain,
      scope,
      { states: ['pending'], attemptsFrom: 2 },
      pageOf('notifications'),
    ),
    failed_notifications: await pageNotifications(domain, scope, recent, pageOf('notifications')),
    pending_approvals: await pageApprovals(domain, scope, { states: ['pending'] }, pageOf('approvals')),
    open_findings: await pageAuditFindings(domain, scope, { states: ['open'] }, pageOf('audit_findings')),
  };
  const counts = Object.entries(pages).map(async ([name, page]) => [name, (await page.total()).count]);
  return Object.fromEntries(await Promise.all(counts));
}

const counted = async (scope: Scope) =>
  Object.fromEntries((await readWorkLists(fixture.domain, scope)).map(({ list, count }) => [list, count]));

test('the counts of work lists equal the lengths of the lists, within every restriction', async () => {
  const { india, market } = fixture;
  const scopes: Scope[] = [
    unrestricted,
    { countries: ['PK'], merchantIds: null },
    { countries: null, merchantIds: [india] },
    { countries: ['PK'], merchantIds: [india, market] },
    { countries: ['TH'], merchantIds: null },
  ];
  for (const scope of scopes) expect(await counted(scope)).toMatchObject(await countsOfLists(scope));
  expect(await counted(unrestricted)).toMatchObject({
    open_cases: 9,
    failed_notifications: 2,
    retried_notifications: 3,
    open_findings: 10,
  });
});

test('each work list has the time of its oldest entry, and an empty list has none', async () => {
  const { domain } = fixture;
  const { rows } = await domain.database.pool.query<{ at: number }>(
    `select (extract(epoch from min(opened_at)) * 1000)::float8 as at from money_case where state = 'open'`,
  );
  const lists = await readWorkLists(domain, unrestricted);
  expect(lists.find(({ list }) => list === 'open_cases')?.oldestAt).toBe(rows[0]?.at);
  expect(lists.find(({ list }) => list === 'proven_tasks')).toEqual({
    list: 'proven_tasks',
    count: 0,
    isExact: true,
    oldestAt: null,
  });
});

test('beyond its limit the count of a work list is marked as a lower bound', async () => {
  const { domain, pakistan } = fixture;
  const ofCases = async (scope: Scope, limits: { counted: number; examined: number }) =>
    (await readWorkLists(domain, scope, limits)).find(({ list }) => list === 'open_cases');
  const restricted = { countries: null, merchantIds: [pakistan] };
  expect(await ofCases(unrestricted, { counted: 9, examined: 9 })).toMatchObject({ count: 9, isExact: true });
  expect(await ofCases(unrestricted, { counted: 8, examined: 9 })).toMatchObject({ count: 8, isExact: false });
  expect(await ofCases(restricted, { counted: 9, examined: 9 })).toMatchObject({ count: 3, isExact: true });
  // The last of its cases are not looked at.
  expect(await ofCases(restricted, { counted: 9, examined: 7 })).toMatchObject({ count: 1, isExact: false });
});
