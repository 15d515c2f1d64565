import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unrestricted } from '../lists/scope.ts';
import { openTestDomain, type TestDomain } from '../testing/open-test-domain.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, placePayout } from '../testing/payouts.ts';
import { type AccountBalance, readAccountBalances } from './list-account-balances.ts';
import { rollUpAccounts } from './roll-up-accounts.ts';

let fixture: TestDomain;
let india: string;
let pakistan: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  india = (await aFundedMerchant(fixture.domain, 'IN')).merchantId;
  pakistan = (await aFundedMerchant(fixture.domain, 'PK')).merchantId;
});
afterAll(() => fixture.close());

/** The same, said plainly: every transfer added up. */
async function plainSums(merchants: string[]): Promise<Record<string, string>> {
  const { rows } = await fixture.domain.database.pool.query<{ key: string; balance: string }>(
    `select currency || ' ' || account as key, sum(amount)::text as balance from (
       select merchant_id, currency, credit as account, amount from transfer
       union all select merchant_id, currency, debit, -amount from transfer) t
     where account not in ('available', 'frozen') and merchant_id = any($1) group by 1`,
    [merchants],
  );
  return Object.fromEntries(rows.map(({ key, balance }) => [key, balance]));
}

const byAccount = (balances: AccountBalance[]): Record<string, string> =>
  Object.fromEntries(balances.map(({ currency, account, balance }) => [`${currency} ${account}`, balance]));

async function doBusiness(merchantId: string, country: 'IN' | 'PK', n: number): Promise<void> {
  const { domain } = fixture;
  const payin = await placePayin(domain, merchantId, country);
  await domain.commit(aReport(payin, paid(`P${n}`)));
  await domain.commit(aReport(payin, paid(`D${n}`)));
  const payout = await placePayout(domain, merchantId, country);
  await domain.commit(aReport(payout, n % 2 === 0 ? paid(`O${n}`) : { outcome: 'failed', reason: 'no' }));
}

test('balances equal the sums of their transfers at every position of the roll-up', async () => {
  for (let n = 0; n < 6; n += 1) {
    await doBusiness(india, 'IN', n);
    await doBusiness(pakistan, 'PK', n);
    const expected = await plainSums([india, pakistan]);
    expect(Object.keys(expected)).toHaveLength(8);
    const balances = await readAccountBalances(fixture.domain, unrestricted, {});
    expect(byAccount(balances)).toEqual(expected);
    for (const { debited, credited } of balances) expect(`${debited} ${credited}`).toMatch(/^\d+\.\d\d \d+\.\d\d$/);
    // A little of what is new, so that most turns begin in the middle of something.
    await rollUpAccounts(fixture.domain, { merchants: 1, transfers: 4 });
    expect(byAccount(await readAccountBalances(fixture.domain, unrestricted, {}))).toEqual(expected);
  }
});

test('the roll-up of balances finishes, counts no transfer twice, and leaves no transfer for readers to add', async () => {
  const { pool } = fixture.domain.database;
  await Promise.all([rollUpAccounts(fixture.domain), rollUpAccounts(fixture.domain), rollUpAccounts(fixture.domain)]);
  while (await rollUpAccounts(fixture.domain, { merchants: 1, transfers: 3 }));
  expect(await rollUpAccounts(fixture.domain)).toBe(false);
  const behind = await pool.query(
    'select 1 from wallet w left join account_total_progress p using (merchant_id) where w.last_transfer_no > coalesce(p.transfer_no, 0)',
  );
  expect(behind.rows).toEqual([]);
  const { rows } = await pool.query<{ key: string; balance: string }>(
    `select currency || ' ' || account as key, sum(credited - debited)::text as balance from account_total group by 1`,
  );
  expect(Object.fromEntries(rows.map(({ key, balance }) => [key, balance]))).toEqual(
    await plainSums([india, pakistan]),
  );
});

test('balances can be filtered by account, currency and merchant, and grouped by merchant', async () => {
  const read = async (...args: [object, object?]) =>
    (await readAccountBalances(fixture.domain, unrestricted, ...args)).map(({ account, currency, merchantId }) => [
      account,
      currency,
      merchantId,
    ]);
  expect(await read({ accounts: ['suspense'], currencies: ['PKR'] })).toEqual([['suspense', 'PKR', null]]);
  expect((await read({ accounts: ['external'] }, { byMerchant: true })).sort()).toEqual(
    [
      ['external', 'INR', india],
      ['external', 'PKR', pakistan],
    ].sort(),
  );
  expect(await read({ merchantIds: [india] }, { limit: 1 })).toEqual([['external', 'INR', null]]);
});

test('a restricted operator sees the sums of their own merchants', async () => {
  const scopes = [
    { countries: ['IN' as const], merchantIds: null },
    { countries: null, merchantIds: [india] },
  ];
  for (const scope of scopes)
    expect(byAccount(await readAccountBalances(fixture.domain, scope, {}))).toEqual(await plainSums([india]));
  expect(await readAccountBalances(fixture.domain, { countries: ['CN'], merchantIds: null }, {})).toEqual([]);
});
