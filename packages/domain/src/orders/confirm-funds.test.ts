import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import type { Country } from '../core/country.ts';
import type { Order, OrderRef } from '../core/order.ts';
import { plainReference } from '../core/plain-reference.ts';
import { workOnTask } from '../market/work-on-task.ts';
import { aMerchant, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { placePayin } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout } from '../testing/payouts.ts';
import { confirmFunds } from './confirm-funds.ts';

// A bank's reference is for one transfer. It confirms one payin of its country, through two processes on one database.

let fixture: TestDomain;
let other: TestDomain;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  fixture = await openTestDomain(url, { batchSize: 4 });
  other = await openTestDomain(url, { batchSize: 3 });
});
afterAll(async () => {
  const { violations } = await audit(fixture.domain);
  await Promise.all([fixture.close(), other.close()]);
  expect(violations).toEqual([]);
});

async function aManualPayin(country: Country = 'TH'): Promise<Order> {
  const { merchantId } = await aMerchant(fixture.domain, country);
  return placePayin(fixture.domain, merchantId, country, { mode: 'manual' });
}

async function confirm(order: OrderRef, reference: string, { at = fixture, amount = '100.00' } = {}): Promise<string> {
  const done = await confirmFunds(at.domain, order, { amount, reference }, by('ann'));
  return done.ok ? done.value.status : done.rejection;
}

test.each([1, 2, 3])(
  'one bank transfer that is entered for payins of two merchants at the same time confirms one of them (%i)',
  async (round) => {
    const [one, another] = [await aManualPayin(), await aManualPayin()];
    const results = await Promise.all([
      confirm(one, `KBank ${round}-778`),
      confirm(another, `kbank${round} 778`, { at: other }),
    ]);
    expect(results.toSorted()).toEqual(['completed', 'proof_reference_used']);
    const refused = results[0] === 'completed' ? another : one;
    expect(await orderNow(fixture.domain, refused)).toMatchObject({ status: 'created', paidAmount: '0.00' });
    expect(await confirm(refused, `KBank ${round}-779`)).toBe('completed');
  },
);

test('one bank transfer that is entered for two payins of a merchant in one transaction confirms one of them', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'TH');
  const place = (): Promise<Order> => placePayin(fixture.domain, merchantId, 'TH', { mode: 'manual' });
  const orders = [await place(), await place(), await place()];
  const results = await Promise.all(orders.map((order) => confirm(order, 'SCB-1')));
  expect(results.toSorted()).toEqual(['completed', 'proof_reference_used', 'proof_reference_used']);
});

test('entering the same bank transfer again for a payin changes nothing, in any spelling', async () => {
  const order = await aManualPayin();
  expect(await confirm(order, 'BBL 12/3', { amount: '40.00' })).toBe('partial_paid');
  for (const typed of ['BBL 12/3', 'bbl-12-3', 'BBL123', 'ＢＢＬ１２３'])
    expect(await confirm(order, typed, { amount: '40.00', at: other })).toBe('partial_paid');
  expect(await confirm(order, 'bbl123', { amount: '60.00' })).toBe('booking_no_taken');
  expect(await confirm(order, 'BBL 12/4', { amount: '60.00' })).toBe('completed');
});

test('a late bank transfer that became a case confirms no other payin; another country may use its reference', async () => {
  const [late, next] = [await aManualPayin(), await aManualPayin()];
  expect(await confirm(late, 'T-1')).toBe('completed');
  expect(await confirm(late, 'T-2')).toBe('completed');
  expect(await confirm(next, 't2')).toBe('proof_reference_used');
  expect(await confirm(await aManualPayin('CN'), 'T-2')).toBe('completed');
});

test('a bank transfer that proved a payout confirms no payin, and the other way round', async () => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'PK', '1000.00', 'market');
  const task = await placePayout(fixture.domain, merchantId, 'PK', { mode: 'market' });
  const prove = async (reference: string): Promise<string> => {
    const proof = { reference, payer: 'ann', note: null };
    const done = await workOnTask(fixture.domain, task, { type: 'proveTask', proof }, by('ann'));
    return done.ok ? done.value.status : done.rejection;
  };
  await workOnTask(fixture.domain, task, { type: 'claimTask' }, by('ann'));
  expect(await confirm(await aManualPayin('PK'), 'HBL-1')).toBe('completed');
  expect(await prove('hbl 1')).toBe('proof_reference_used');
  expect(await prove('hbl 2')).toBe('processing');
  expect(await confirm(await aManualPayin('PK'), 'HBL2')).toBe('proof_reference_used');
});

test('the core and the database normalize bank references in the same way', async () => {
  const typed = [
    'UTR 12-3',
    'utr123',
    'a.b/c_d:e',
    '１２ 3',
    'é ß ñ',
    '中国银行 12—3',
    '\u00a012\u200b3\ufeff',
    '−1−2',
    '---',
    '…',
    'ﬁ-9',
    '😀1',
    'ก ข-1',
    'i\u0307',
    '~{|}^`[\\]@',
  ];
  const { rows } = await fixture.domain.database.pool.query<{ plain: string }>(
    'select plain_reference(t) as plain from unnest($1::text[]) with ordinality as k(t, n) order by n',
    [typed],
  );
  expect(rows.map(({ plain }) => plain)).toEqual(typed.map(plainReference));
  expect(plainReference('bank—12\u200b 3')).toBe('BANK123');
  expect(plainReference('---')).toBe('---');
});
