import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { aFundedMerchant, by, rowCounts } from '../testing/payouts.ts';
import { bookWallet, type WalletBooking } from './book-wallet.ts';
import { readWallet, readWalletPage } from './read-wallet.ts';

// Top-ups, settlements and adjustments; the approval limit is 10000.00.

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

let bookings = 0;
async function book(
  merchantId: string,
  entry: WalletBooking['entry'],
  amount: string,
  decision = by('ann'),
  bookingNo = `B-${++bookings}`,
): Promise<string> {
  const booked = await bookWallet(fixture.domain, { merchantId, entry, amount, bookingNo, remark: 'test' }, decision);
  return booked.ok ? (await readWallet(fixture.domain, merchantId)).available : booked.rejection;
}
const both = by('ann', 'bob');

// biome-ignore format: a table is read by its columns
test.each<[WalletBooking['entry'], string, ReturnType<typeof by>, string]>([
  ['TOP_UP', '0.01', by('ann'), '50000.01'],
  ['TOP_UP', '10000.01', by('ann'), 'second_operator_needed'],
  ['TOP_UP', '10000.01', both, '60000.01'],
  ['SETTLEMENT', '10000.00', by('ann'), '40000.00'],
  ['SETTLEMENT', '10000.01', by('ann'), 'second_operator_needed'],
  ['SETTLEMENT', '10000.01', by('ann', 'ann'), 'second_operator_needed'],
  ['SETTLEMENT', '10000.01', both, '39999.99'],
  ['SETTLEMENT', '50000.00', both, '0.00'],
  ['SETTLEMENT', '50000.01', both, 'balance_insufficient'],
  ['SETTLEMENT', '-1.00', by('ann'), 'amount_out_of_range'],
  ['ADJUSTMENT', '10000.00', by('ann'), '60000.00'],
  ['ADJUSTMENT', '-10000.00', by('ann'), '40000.00'],
  ['ADJUSTMENT', '10000.01', by('ann'), 'second_operator_needed'],
  ['ADJUSTMENT', '-10000.01', by('ann'), 'second_operator_needed'],
  ['ADJUSTMENT', '-10000.01', both, '39999.99'],
  ['ADJUSTMENT', '-50000.01', both, 'balance_insufficient'],
  ...['0', '-0.00', '1e3', '1.001', '١٢', ' 1', '+1', '--1', 'NaN', '1,000', '', '1000000000000.00'].flatMap(
    (amount): [WalletBooking['entry'], string, ReturnType<typeof by>, string][] => [
      ['TOP_UP', amount, both, 'amount_out_of_range'],
      ['ADJUSTMENT', amount, both, 'amount_out_of_range'],
    ],
  ),
])('%s of %s with %j has the result %s', async (entry, amount, decision, expected) => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '50000.00');
  await fixture.domain.database.pool.query('delete from operator_day');
  const before = await rowCounts(fixture.domain);
  expect(await book(merchantId, entry, amount, decision)).toBe(expected);
  const after = await rowCounts(fixture.domain);
  const wrote = /^[0-9.]+$/.test(expected) ? 1 : 0;
  for (const table of ['wallet_entry', 'transfer', 'audit_record'])
    expect((after[table] ?? 0) - (before[table] ?? 0), table).toBe(wrote);
});

test('20 concurrent bookings with one booking number cause one booking and one audit record', async () => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '100.00');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => book(merchantId, 'SETTLEMENT', '60.00', by('ann'), 'ONCE')),
  );
  expect(answers.at(-1)).toBe('40.00');
  expect((await readWalletPage(fixture.domain, merchantId, 1, 10)).total).toBe(2);
  const { rows } = await fixture.domain.database.pool.query(
    'select action, subject, actor, approver, reason from audit_record where merchant_id = $1 order by audit_no',
    [merchantId],
  );
  expect(rows.slice(1)).toEqual([
    { action: 'bookWallet', subject: 'ONCE', actor: 'ann', approver: null, reason: 'a test' },
  ]);
});

test('a booking without a reason changes nothing, and the others in the batch succeed', async () => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '100.00');
  const results = await Promise.allSettled([
    book(merchantId, 'TOP_UP', '1.00'),
    book(merchantId, 'TOP_UP', '2.00', { ...by('ann'), reason: '' }),
    book(merchantId, 'TOP_UP', '4.00', by('ann', 'ann')),
    book(merchantId, 'TOP_UP', '8.00', both),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect((await readWallet(fixture.domain, merchantId)).available).toBe('109.00');
  expect((await audit(fixture.domain)).violations).toEqual([]);
});
