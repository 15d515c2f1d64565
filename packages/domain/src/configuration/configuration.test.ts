import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '../core/order.ts';
import type { Result } from '../core/rejection.ts';
import { createPayin } from '../orders/create-payin.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aPayinRequest, profileOf } from '../testing/payins.ts';
import { waitFor } from '../testing/wait-for.ts';
import { setFeeRule } from './set-fee-rule.ts';
import { setRoute } from './set-route.ts';

// A change takes effect in every process within about a second, without a restart.

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

const sql = (text: string, values: unknown[] = []): Promise<unknown> =>
  fixture.domain.database.pool.query(text, values);

/** Runs `text`, and returns after how many ms the directory had the change. */
async function knownAfter(
  merchantId: string,
  text: string,
  isKnown: (profile: Awaited<ReturnType<typeof profileOf>>) => boolean,
): Promise<number> {
  expect(isKnown(await profileOf(fixture.domain, merchantId))).toBe(false);
  const since = performance.now();
  await sql(text, text.includes('$1') ? [merchantId] : []);
  await waitFor(text, async () => isKnown(await profileOf(fixture.domain, merchantId)));
  return performance.now() - since;
}

test.each<[what: string, change: string, isKnown: (profile: Awaited<ReturnType<typeof profileOf>>) => boolean]>([
  [
    'a disabled merchant',
    "update merchant set status = 'disabled' where merchant_id = $1",
    (p) => p.status === 'disabled',
  ],
  [
    'a fee',
    'update fee_rule set percent = 3 where merchant_id = $1',
    (p) => p.feeRules.every((rule) => rule.percent === '3.0000'),
  ],
  ['a limit', 'update merchant set payin_max = 5 where merchant_id = $1', (p) => p.limits.payin.maxAmount === '5.00'],
  ['a route', 'update route set enabled = false where merchant_id = $1', (p) => p.routes.length === 0],
  ['a key', 'delete from merchant_key where merchant_id = $1', (p) => p.keys.length === 0],
  ['a bank code', "insert into bank_mapping values ('fake', 'payin', 'HBL', 'X1')", (p) => p.mappings.length === 1],
  ['a channel', "update channel set enabled = false where channel_id = 'fake'", (p) => p.routes.length === 0],
  ['a channel again', "update channel set enabled = true where channel_id = 'fake'", (p) => p.routes.length === 2],
])('%s takes effect within about a second', async (what, change, isKnown) => {
  const { merchantId } = await aMerchant(fixture.domain, 'PK');
  if (what === 'a channel again') {
    await sql("update channel set enabled = false where channel_id = 'fake'");
    await waitFor(
      'the channel to be off',
      async () => (await profileOf(fixture.domain, merchantId)).routes.length === 0,
    );
  }
  expect(await knownAfter(merchantId, change, isKnown)).toBeLessThan(3_000);
});

test('a merchant that was looked up before its creation is found soon after it', async () => {
  expect(await fixture.domain.directory.merchant('TH-SOON')).toBeNull();
  await sql(
    "insert into merchant (merchant_id, name, country, currency, tag) values ('TH-SOON', 'Soon', 'TH', 'THB', 'XXXX')",
  );
  await waitFor('TH-SOON', () => fixture.domain.directory.merchant('TH-SOON'));
});

test('the last use of a key is kept', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'IN');
  const [key] = (await profileOf(fixture.domain, merchantId)).keys;
  fixture.domain.directory.keyUsed(merchantId, key?.keyId ?? '');
  await waitFor('the last use', async () => {
    const { rows } = await fixture.domain.database.pool.query(
      'select from merchant_key where merchant_id = $1 and last_used_at is not null',
      [merchantId],
    );
    return rows.length === 1;
  });
});

type Refused = (merchantId: string) => Promise<unknown>;
test.each<[rejection: string, configure: Refused, amount: string]>([
  [
    'operation_not_available',
    (id) => sql('update merchant set payin_enabled = false where merchant_id = $1', [id]),
    '100.00',
  ],
  ['operation_not_available', (id) => sql('delete from fee_rule where merchant_id = $1', [id]), '100.00'],
  ['no_channel_available', (id) => sql("delete from route where merchant_id = $1 and kind = 'payin'", [id]), '100.00'],
  ['no_channel_available', (id) => sql('update route set enabled = false where merchant_id = $1', [id]), '100.00'],
  [
    'no_channel_available',
    (id) => setRoute(fixture.domain, id, 1, { kind: 'payin', channelId: 'fake', bankCode: 'HBL' }),
    '100.00',
  ],
  ['amount_out_of_range', (id) => sql('update merchant set payin_min = 100.01 where merchant_id = $1', [id]), '100.00'],
  ['amount_out_of_range', (id) => sql('update merchant set payin_max = 99.99 where merchant_id = $1', [id]), '100.00'],
  [
    'amount_out_of_range',
    (id) => setRoute(fixture.domain, id, 1, { kind: 'payin', channelId: 'fake', maxAmount: '99.99' }),
    '100.00',
  ],
  [
    'amount_out_of_range',
    (id) => setFeeRule(fixture.domain, id, { kind: 'payin', percent: '0', fixed: '1.00' }),
    '1.00',
  ],
  [
    'amount_out_of_range',
    (id) => setFeeRule(fixture.domain, id, { kind: 'payin', percent: '100', fixed: '0.00' }),
    '100.00',
  ],
])('a create is refused (%s, %#), and nothing is in the ledger', async (rejection, configure, amount) => {
  const { merchantId } = await aMerchant(fixture.domain, 'PK');
  await configure(merchantId);
  const result: Result<Order> = await createPayin(
    fixture.domain,
    await profileOf(fixture.domain, merchantId),
    aPayinRequest({ amount }),
  );
  expect(result).toEqual({ ok: false, rejection });
  const { rows } = await fixture.domain.database.pool.query('select from orders where merchant_id = $1', [merchantId]);
  expect(rows).toEqual([]);
});

test('an order keeps the fee terms of its creation', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const request = aPayinRequest({ amount: '1.00' });
  await setFeeRule(fixture.domain, merchantId, { kind: 'payin', percent: '0.5', fixed: '0.00' });
  const created = await createPayin(fixture.domain, await profileOf(fixture.domain, merchantId), request);
  expect(created).toMatchObject({
    ok: true,
    value: { feeAmount: '0.01', netAmount: '0.99', feeTerms: { percent: '0.5000', fixed: '0.00' }, status: 'created' },
  });
});
