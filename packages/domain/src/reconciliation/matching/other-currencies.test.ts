import { createTestDatabase } from '@tidegate/sandbox/testing';
import { beforeEach, expect, test } from 'vitest';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { paid, placePayin } from '../../testing/payins.ts';
import { aFundedMerchant } from '../../testing/payouts.ts';
import { aLine, anImport, backdateLedger, dayAgo, reconcileAll } from '../../testing/statements.ts';

const country = 'PK';
const day = dayAgo(country, 2);
let fixture: TestDomain;
beforeEach(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  return () => fixture.close();
});

const rows = async (text: string) => (await fixture.domain.database.pool.query({ text, rowMode: 'array' })).rows;
/** A line in dollars, and one in our currency over an amount, of the same reference. */
const pair = (channelRef: string, gross: string) => [
  aLine({ currency: 'USD', bookedOn: day, channelRef }),
  aLine({ currency: 'PKR', bookedOn: day, channelRef, gross }),
];

test('a line in our currency is compared with the order first, and does not repeat a line in another currency', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, country);
  const payin = await placePayin(domain, merchantId, country, { channelId: 'fake' });
  const report = { type: 'applyReport', ref: payin, channelId: 'fake', during: 'query' } as const;
  expect(await domain.commit({ ...report, answer: paid('F-1') })).toMatchObject({ ok: true });
  await backdateLedger(domain, 2);
  await anImport(domain, country, [...pair('F-1', '99.00'), ...pair('F-2', '100.00')]);
  await reconcileAll(domain);
  expect(await rows('select rule from matched_line')).toEqual([]);
  const breaks = "select kind, amount::text from reconciliation_break where state = 'open' order by 1, 2";
  expect(await rows(breaks)).toEqual([
    ['amount', '-1.00'],
    ['currency', '0.00'],
    ['currency', '0.00'],
    ['missing_in_ledger', '100.00'],
  ]);
});
