import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageApprovals } from '../approvals/list-approvals.ts';
import { pageMoneyCases } from '../cases/list-money-cases.ts';
import { pageAuditRecords } from '../configuration/list-audit-records.ts';
import { pagesOfFeeRules } from '../configuration/list-fee-rules.ts';
import { pagesOfMerchantKeys } from '../configuration/list-merchant-keys.ts';
import { pageMerchants } from '../configuration/list-merchants.ts';
import { pagesOfRoutes } from '../configuration/list-routes.ts';
import { pagesOfServiceKeys } from '../configuration/list-service-keys.ts';
import { pageAuditFindings } from '../ledger/audit/list-audit-findings.ts';
import { pagesOfPayments } from '../ledger/list-payments.ts';
import { pagesOfTransfers, pageTransfers } from '../ledger/list-transfers.ts';
import { pagesOfWalletEntries } from '../ledger/list-wallet-entries.ts';
import { pagePayoutTasks } from '../market/list-payout-tasks.ts';
import { pageNotifications } from '../notifications/list-notifications.ts';
import { pageOrders } from '../orders/list-orders.ts';
import { pageStuckPayouts } from '../orders/list-stuck-payouts.ts';
import { giveServiceKeys } from '../testing/service-keys.ts';
import { openThreeMerchants, type ThreeMerchants } from '../testing/three-merchants.ts';
import { asked, only, walkList } from '../testing/walk-list.ts';
import type { ListName } from './keys.ts';
import type { Page, PageRequest } from './page.ts';
import { type Scope, unrestricted } from './scope.ts';

// Every list in the hands of a restricted operator, and page by page.

let ground: ThreeMerchants;
let india: string;
let market: string;
let pakistan: string;
beforeAll(async () => {
  ground = await openThreeMerchants();
  ({ india, market, pakistan } = ground);
  for (const merchantId of [india, market, pakistan]) await giveServiceKeys(ground.domain, merchantId);
});
afterAll(() => ground.close());

type Read<Name extends ListName> = (scope: Scope, page: PageRequest<Name>) => Promise<Page<{ merchantId: string }>>;
const list = <Name extends ListName>(name: Name, read: Read<Name>) => ({
  name,
  all: (scope: Scope, size = 2, backward = false) =>
    walkList(name, (page) => read(scope, page), { sizes: [size], backward }),
});

/** Every list of merchants' rows. Where a merchant has to be named, all three are. */
const lists = [
  list('orders', (scope, page) => pageOrders(ground.domain, scope, {}, page)),
  list('notifications', (scope, page) => pageNotifications(ground.domain, scope, {}, page)),
  list('money_cases', (scope, page) => pageMoneyCases(ground.domain, scope, {}, page)),
  list('stuck_payouts', (scope, page) => pageStuckPayouts(ground.domain, scope, {}, page)),
  list('payout_tasks', (scope, page) => pagePayoutTasks(ground.domain, scope, {}, page)),
  list('audit_records', (scope, page) => pageAuditRecords(ground.domain, scope, {}, page)),
  list('approvals', (scope, page) => pageApprovals(ground.domain, scope, {}, page)),
  list('audit_findings', (scope, page) => pageAuditFindings(ground.domain, scope, {}, page)),
  list('merchants', (scope, page) => pageMerchants(ground.domain, scope, {}, page)),
] as const;

/** Every list of one merchant's rows; of an order's, those of its first order. */
const ofOne: { name: ListName; all: (scope: Scope, merchantId: string) => Promise<{ merchantId: string }[]> }[] = [
  {
    name: 'wallet_entries',
    all: (scope, merchantId) =>
      list('wallet_entries', (s, page) => only(pagesOfWalletEntries(ground.domain, s, [merchantId], page))).all(scope),
  },
  {
    name: 'transfers',
    all: (scope, merchantId) =>
      list('transfers', (s, page) => pageTransfers(ground.domain, s, { merchantId }, page)).all(scope),
  },
  {
    name: 'payments',
    all: (scope, merchantId) =>
      list('payments', async (s, page) => {
        const { rows } = await pageOrders(ground.domain, unrestricted, { merchantIds: [merchantId] }, asked('orders'));
        return only(pagesOfPayments(ground.domain, s, rows.slice(-1), page));
      }).all(scope),
  },
  {
    name: 'merchant_keys',
    all: (scope, merchantId) =>
      list('merchant_keys', (s, page) => only(pagesOfMerchantKeys(ground.domain, s, [merchantId], page))).all(scope),
  },
  {
    name: 'service_keys',
    all: (scope, merchantId) =>
      list('service_keys', (s, page) => only(pagesOfServiceKeys(ground.domain, s, [merchantId], page))).all(scope),
  },
  {
    name: 'fee_rules',
    all: (scope, merchantId) =>
      list('fee_rules', (s, page) => only(pagesOfFeeRules(ground.domain, s, [merchantId], page))).all(scope),
  },
  {
    name: 'routes',
    all: (scope, merchantId) =>
      list('routes', (s, page) => only(pagesOfRoutes(ground.domain, s, [merchantId], page))).all(scope),
  },
];

const merchantsOf = (rows: { merchantId: string }[]): string[] =>
  [...new Set(rows.map((row) => row.merchantId))].sort();
const scopeOf = (countries: Scope['countries'], merchantIds: Scope['merchantIds']): Scope => ({
  countries,
  merchantIds,
});

test.each(lists)('$name: an operator sees what their restriction leaves, and nothing else', async ({ name, all }) => {
  const everybody =
    name === 'payout_tasks' ? [market] : name === 'stuck_payouts' ? [india, pakistan] : [india, market, pakistan];
  const seen = async (scope: Scope): Promise<string[]> => merchantsOf(await all(scope));
  const ours = (...ids: string[]): string[] => ids.filter((id) => everybody.includes(id)).sort();
  expect((await seen(unrestricted)).filter((id) => id !== 'PLATFORM')).toEqual(ours(india, market, pakistan));
  expect(await seen(scopeOf(['PK'], null))).toEqual(ours(market, pakistan));
  expect(await seen(scopeOf(['CN', 'IN'], null))).toEqual(ours(india));
  expect(await seen(scopeOf(['TH'], null))).toEqual([]);
  expect(await seen(scopeOf(null, [market]))).toEqual(ours(market));
  expect(await seen(scopeOf(null, [india, pakistan]))).toEqual(ours(india, pakistan));
  expect(await seen(scopeOf(['IN'], [pakistan]))).toEqual([]);
  expect(await seen(scopeOf(null, []))).toEqual([]);
  const many = Array.from({ length: 200 }, (_, i) => `NONE-${i}`);
  expect(await seen(scopeOf(null, [...many, market]))).toEqual(ours(market));
});

test.each(lists)('$name: page by page it is the same list, from either end', async ({ all }) => {
  const whole = await all(unrestricted, 100);
  expect(whole.length).toBeGreaterThan(2);
  expect(await all(unrestricted, 2)).toEqual(whole);
  expect(await all(unrestricted, 3, true)).toEqual(whole);
});

test('the oldest first is the same list the other way round, also page by page', async () => {
  const read = (oldestFirst: boolean, size: number) =>
    list('money_cases', (scope, page) => pageMoneyCases(ground.domain, scope, {}, page, { oldestFirst })).all(
      unrestricted,
      size,
    );
  const newestFirst = await read(false, 100);
  expect(newestFirst.length).toBeGreaterThan(1);
  expect(await read(true, 1)).toEqual(newestFirst.toReversed());
});

test('what concerns the whole platform is for those without a restriction', async () => {
  for (const { name, all } of lists.filter((one) => one.name === 'approvals' || one.name === 'audit_findings')) {
    expect([name, merchantsOf(await all(unrestricted)).includes('PLATFORM')]).toEqual([name, true]);
    // The tenant's own country means nothing.
    expect([name, await all(scopeOf(['CN'], null))]).toEqual([name, []]);
  }
});

test.each(ofOne)('$name of a merchant: within scope all of its rows, else none', async ({ all }) => {
  for (const merchantId of [india, market]) {
    const rows = await all(unrestricted, merchantId);
    expect(rows.length).toBeGreaterThan(0);
    expect(merchantsOf(rows)).toEqual([merchantId]);
    expect(await all(scopeOf(['IN', 'PK'], [india, market]), merchantId)).toEqual(rows);
    expect(await all(scopeOf(['TH'], null), merchantId)).toEqual([]);
    expect(await all(scopeOf(null, [pakistan]), merchantId)).toEqual([]);
  }
});

test('lists of many parents are read at once: each its own page, in the order of the parents', async () => {
  const { domain } = ground;
  const { rows } = await pageOrders(domain, unrestricted, { merchantIds: [india, market] }, asked('orders'));
  const orders = [...rows, { merchantId: india, orderNo: 'PI0' }, ...rows.slice(0, 1)];
  for (const args of [{ first: 1 }, { last: 1 }, { first: 100 }]) {
    const page = asked('transfers', args);
    const together = await pagesOfTransfers(domain, unrestricted, orders, page);
    const alone = orders.map(({ merchantId, orderNo }) =>
      pageTransfers(domain, unrestricted, { merchantId, orderNo }, page),
    );
    expect(together).toEqual(await Promise.all(alone));
  }
  const few = await pagesOfTransfers(domain, scopeOf(['PK'], null), orders, asked('transfers'));
  expect(few.map((page) => merchantsOf(page.rows))).toEqual(
    orders.map(({ merchantId }) => (merchantId === market ? [market] : [])),
  );
});
