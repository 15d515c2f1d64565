import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aTopUp } from '../testing/payins.ts';
import { rollUpAccounts } from './roll-up-accounts.ts';

// More merchants are busy than one run takes.

let fixture: TestDomain;
const merchants: string[] = [];
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  for (let n = 0; n < 5; n += 1) merchants.push((await aMerchant(fixture.domain, 'TH')).merchantId);
});
afterAll(() => fixture.close());

let booked = 0;
async function everybodyIsBusy(): Promise<void> {
  booked += 1;
  await Promise.all(merchants.map((merchantId) => fixture.domain.commit(aTopUp(merchantId, `B-${booked}`, '1.00'))));
}

async function reached(): Promise<Map<string, number>> {
  const { rows } = await fixture.domain.database.pool.query<{ merchantId: string; no: number }>(
    'select merchant_id as "merchantId", transfer_no::integer as no from account_total_progress',
  );
  return new Map(rows.map(({ merchantId, no }) => [merchantId, no]));
}

test('every merchant is rolled up while all of them stay busy', async () => {
  // Of five busy merchants each run takes two.
  for (let run = 0; run < 3; run += 1) {
    await everybodyIsBusy();
    expect(await rollUpAccounts(fixture.domain, { merchants: 2, transfers: 100 })).toBe(true);
  }
  const first = await reached();
  expect(merchants.map((merchantId) => first.get(merchantId) ?? 0).every((no) => no > 0)).toBe(true);
  for (let run = 0; run < 3; run += 1) {
    await everybodyIsBusy();
    await rollUpAccounts(fixture.domain, { merchants: 2, transfers: 100 });
  }
  const second = await reached();
  for (const merchantId of merchants) expect(second.get(merchantId)).toBeGreaterThan(first.get(merchantId) ?? 0);
});

test('a merchant with more transfers than one run takes does not delay others', async () => {
  await everybodyIsBusy();
  const before = await reached();
  for (let run = 0; run < merchants.length; run += 1)
    await rollUpAccounts(fixture.domain, { merchants: 1, transfers: 1 });
  const after = await reached();
  for (const merchantId of merchants) expect(after.get(merchantId)).toBe((before.get(merchantId) ?? 0) + 1);
});
