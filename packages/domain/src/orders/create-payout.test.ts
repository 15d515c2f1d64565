import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeByHand } from '../../test/by-hand.ts';
import { audit } from '../audit/audit.ts';
import type { ChannelAdapter } from '../channels/channel-adapter.ts';
import { mapBank } from '../channels/map-bank.ts';
import { setChannel } from '../channels/set-channel.ts';
import { setRoute } from '../configuration/set-route.ts';
import type { OrderMode } from '../core/order.ts';
import { readWallet, readWalletPage } from '../ledger/read-wallet.ts';
import { bareAdapter } from '../testing/bare-adapter.ts';
import { FakeChannel, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { aPayinRequest, profileOf } from '../testing/payins.ts';
import { aFundedMerchant, aPayout, rowCounts } from '../testing/payouts.ts';
import { createPayout } from './create-payout.ts';

let fixture: TestDomain;
beforeAll(async () => {
  const picky: ChannelAdapter = {
    ...bareAdapter(() => new FakeChannel()),
    problemOfPayee: ({ party: { name } }) => (name === 'José' ? { field: 'name', reason: 'has an accent' } : null),
  };
  fixture = await openTestDomain((await createTestDatabase()).url, { batchSize: 7, adapters: { picky } });
  await mapBank(fixture.domain, { channelId: 'fake', kind: 'payout', bankCode: 'HBL', channelBankCode: 'H' });
});
afterAll(() => fixture.close());

const request = (amount: string, changes: Parameters<typeof aPayinRequest>[0] = {}) =>
  aPayinRequest({ amount, bankCode: 'HBL', ...changes });

test.each([
  ['IN', 'upstream', 'processing', 'submit'],
  ['PK', 'upstream', 'created', 'submit'],
  ['PK', 'market', 'market_available', null],
] as const)(
  'a payout of %s by %s is created as %s and its money frozen in one commit',
  async (country, mode, status, next) => {
    const { domain, woken } = fixture;
    const { merchantId } = await aFundedMerchant(domain, country, '1000.00', mode);
    const created = await createPayout(domain, await profileOf(domain, merchantId), request('100.00'));
    if (!created.ok) throw new Error(created.rejection);
    const order = await orderNow(domain, created.value);
    expect(order).toMatchObject({
      status,
      mode,
      nextAction: next,
      amount: '100.00',
      feeAmount: '6.00',
      netAmount: '106.00',
    });
    expect(await readWallet(domain, merchantId)).toMatchObject({
      balance: '1000.00',
      available: '894.00',
      frozen: '106.00',
    });
    // Rows of one transaction carry its number.
    const { rows } = await domain.database.pool.query(
      `select count(distinct xmin::text)::integer as commits, count(*)::integer as rows from (
       select xmin from orders where merchant_id = $1 union all select xmin from wallet where merchant_id = $1
       union all select xmin from wallet_entry where merchant_id = $1 and order_no = $2
       union all select xmin from transfer where merchant_id = $1 and order_no = $2) t`,
      [merchantId, order.orderNo],
    );
    expect(rows).toEqual([{ commits: 1, rows: 4 }]);
    expect(woken.filter((work) => work.orderNo === order.orderNo).map(({ queue }) => queue)).toEqual(
      next ? [next] : [],
    );
  },
);

test('a merchant learns that its payouts are stopped, and not why', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, 'IN', '1000.00');
  const forged = 'update wallet set available = available + 1 where merchant_id = $1';
  await changeByHand(domain.database.pool, forged, [merchantId]);
  const before = await rowCounts(domain);
  expect(await createPayout(domain, await profileOf(domain, merchantId), request('100.00'))).toEqual({
    ok: false,
    rejection: 'operation_not_available',
    detail: 'payouts are stopped',
  });
  expect(await rowCounts(domain)).toEqual(before);
  // The test at the end finds nothing wrong.
  await domain.database.pool.query('update wallet set available = available - 1 where merchant_id = $1', [merchantId]);
});

test('a payout above the balance changes nothing, alone or together with a payout that the balance covers', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, 'IN', '105.99');
  const merchant = await profileOf(domain, merchantId);
  const all = async (): Promise<unknown> => [
    await rowCounts(domain),
    await domain.database.pool.query('select *, xmin from wallet order by 1').then(({ rows }) => rows),
  ];
  const before = await all();
  const refused = { ok: false, rejection: 'balance_insufficient' };
  expect(await createPayout(domain, merchant, request('100.00'))).toEqual(refused);
  const many = await Promise.all(Array.from({ length: 20 }, () => createPayout(domain, merchant, request('5000.00'))));
  expect(new Set(many.map((one) => (one.ok ? 'ok' : one.rejection)))).toEqual(new Set(['balance_insufficient']));
  expect(await all()).toEqual(before);

  const joined = await Promise.all(
    ['100.00', '99.00', '0.01'].map((amount) => createPayout(domain, merchant, request(amount))),
  );
  expect(joined.map((one) => (one.ok ? 'ok' : one.rejection))).toEqual([
    'balance_insufficient',
    'ok',
    'balance_insufficient',
  ]);
  expect(await readWallet(domain, merchantId)).toMatchObject({ available: '1.00', frozen: '104.99' });
});

test('the number of a refused payout can be used again, the number of a created payout cannot', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, 'IN', '200.00');
  const merchant = await profileOf(domain, merchantId);
  const create = async (amount: string): Promise<string> => {
    const result = await createPayout(domain, merchant, request(amount, { merchantOrderNo: 'MINE' }));
    return result.ok ? 'ok' : result.rejection;
  };
  expect([await create('500.00'), await create('10.00'), await create('10.00'), await create('500.00')]).toEqual([
    'balance_insufficient',
    'ok',
    'merchant_order_no_exists',
    'merchant_order_no_exists',
  ]);
});

test('of 200 concurrent payouts from a wallet with money for 50, exactly 50 are frozen, and no balance was ever negative', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, 'PK', '500.00');
  const places = Array.from({ length: 200 }, () =>
    domain.commit(aPayout(merchantId, 'PK', { amount: '9.00', feeAmount: '1.00' })),
  );
  const results = await Promise.all(places);
  expect(results.filter(({ ok }) => ok)).toHaveLength(50);
  expect(await readWallet(domain, merchantId)).toMatchObject({ available: '0.00', frozen: '500.00' });
  const { entries, total } = await readWalletPage(domain, merchantId, 1, 100);
  expect(total).toBe(51);
  expect(entries.every(({ availableAfter }) => !availableAfter.startsWith('-'))).toBe(true);
});

test('a create that is repeated after a lost answer returns the same order', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, 'IN', '102.50');
  const command = aPayout(merchantId, 'IN');
  const both = await Promise.all([domain.commit(command), domain.commit(command)]);
  expect([...both, await domain.commit(command)].map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(await readWallet(domain, merchantId)).toMatchObject({ available: '0.00', frozen: '102.50' });
});

test.each<['IN' | 'PK', OrderMode]>([
  ['IN', 'market'],
  ['IN', 'manual'],
  ['PK', 'manual'],
])('%s: a route by %s is not used for payouts', async (country, mode) => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, country, '1000.00', mode);
  const before = await rowCounts(domain);
  expect(await createPayout(domain, await profileOf(domain, merchantId), request('10.00'))).toEqual({
    ok: false,
    rejection: 'no_channel_available',
  });
  expect(await rowCounts(domain)).toEqual(before);
});

test('of two routes only the one with the better priority is used', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, 'PK');
  await setRoute(domain, merchantId, 3, { kind: 'payout', channelId: 'fake', mode: 'market', priority: 1 });
  const profile = await profileOf(domain, merchantId);
  expect(await createPayout(domain, profile, request('10.00', { bankCode: 'ANY' }))).toEqual({
    ok: false,
    rejection: 'bank_mapping_not_found',
  });
  const created = await createPayout(domain, profile, request('10.00', { bankCode: 'HBL' }));
  expect(created).toMatchObject({ ok: true, value: { mode: 'market', status: 'market_available' } });
});

test('after all tests of this file the audit finds no violation', async () => {
  expect((await audit(fixture.domain)).violations).toEqual([]);
});

test('a repeat is the same request after the default address of notifications changed, and with another payee another one', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, 'IN', '1000.00');
  const profile = await profileOf(domain, merchantId);
  const create = (defaultNotifyUrl: string, changes: Parameters<typeof aPayinRequest>[0] = {}) =>
    createPayout(
      domain,
      { ...profile, defaultNotifyUrl },
      request('100.00', { merchantOrderNo: 'REPEATED', notifyUrl: null, ...changes }),
    );
  expect(await create('https://shop.test/old')).toMatchObject({ ok: true });
  expect(await create('https://shop.test/new')).toMatchObject({ detail: 'same request' });
  expect(await create('https://shop.test/new', { bankCode: 'OTHER' })).toMatchObject({ detail: 'another request' });
  expect(await create('https://shop.test/new', { notifyUrl: 'https://shop.test/own' })).toMatchObject({
    detail: 'another request',
  });
});

test('a payee that no channel of the merchant can carry is refused at once by its field; another channel carries it', async () => {
  const { domain } = fixture;
  await setChannel(domain, { channelId: 'picky', adapter: 'picky', baseUrl: 'http://picky.test', credentials: {} });
  const { merchantId } = await aFundedMerchant(domain, 'IN', '1000.00');
  const accented = request('100.00', { details: { party: { name: 'José' } } });
  const place = async (asked = accented) => createPayout(domain, await profileOf(domain, merchantId), asked);
  await setRoute(domain, merchantId, 2, { kind: 'payout', channelId: 'picky' });
  const before = await rowCounts(domain);
  expect(await place()).toEqual({ ok: false, rejection: 'invalid_parameter', detail: 'receiverName has an accent' });
  expect(await rowCounts(domain)).toEqual(before);
  expect(await place(request('100.00', { details: { party: { name: 'Jose' } } }))).toMatchObject({
    value: { channelId: 'picky' },
  });
  await setRoute(domain, merchantId, 3, { kind: 'payout', channelId: 'fake' });
  // The profile with the new route arrives within a moment.
  await expect.poll(() => place()).toMatchObject({ value: { channelId: 'fake' } });
});
