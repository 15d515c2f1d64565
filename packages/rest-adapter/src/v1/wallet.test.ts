import { aFundedMerchant, aMerchant, makeDue } from '@tidegate/domain/testing';
import { submitOrder } from '@tidegate/domain/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leastPayout, type Merchant, type PayoutFixture, startPayoutFixture } from '../../test/payout-fixture.ts';

// The wallet and its transactions as a merchant sees them.

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await startPayoutFixture();
});
afterAll(() => fixture.close());

const amounts = ['amount', 'balance', 'available', 'frozen'];
interface Item {
  [field: string]: unknown;
}
const transactions = async (
  merchant: Merchant,
  query = '',
): Promise<{ list: Item[]; page: number; pageSize: number; total: number }> => {
  const { code, data } = await fixture.get(merchant, '/wallet/transactions', query);
  expect([code, Object.keys(data ?? {})]).toEqual([0, ['list', 'page', 'pageSize', 'total']]);
  return data as never;
};

/** Creates a payout and lets the worker submit it. `answer` is the channel's answer. */
async function payOut(merchant: Merchant, merchantOrderNo: string, answer: 'paid' | 'refused'): Promise<string> {
  const { domain, channel } = fixture.real;
  const { data } = await fixture.post(merchant, '/payout/create', {
    ...leastPayout('IN', merchantOrderNo),
    amount: '50.00',
  });
  const order = { merchantId: merchant.merchantId, orderNo: String(data?.orderNo), channelId: 'fake' };
  const paid = { outcome: 'paid', payments: [{ reference: 'P', amount: '50.00' }] } as const;
  channel.answers.create = answer === 'paid' ? paid : { outcome: 'refused', reason: 'no' };
  channel.answers.query = { outcome: 'unknown', why: 'not_found', detail: '404' };
  await makeDue(domain, order);
  expect(await submitOrder(domain, order)).toBe('done');
  return order.orderNo;
}

test('the transactions show a top-up, a paid payout and a refused payout line by line', async () => {
  const merchant = await aFundedMerchant(fixture.real.domain, 'IN', '200.00');
  const paid = await payOut(merchant, 'PAID', 'paid');
  const refused = await payOut(merchant, 'REFUSED', 'refused');
  const { list, ...page } = await transactions(merchant);
  expect(page).toEqual({ page: 1, pageSize: 20, total: 5 });
  const line = ({
    type,
    amount,
    frozenChange,
    balance,
    available,
    frozen,
    orderNo,
    merchantOrderNo,
  }: Item): unknown[] => [type, amount, frozenChange, balance, available, frozen, orderNo, merchantOrderNo];
  expect(list.map(line)).toEqual([
    ['PAYOUT_RELEASE', '0.00', '-55.50', '144.50', '144.50', '0.00', refused, 'REFUSED'],
    ['PAYOUT_FREEZE', '0.00', '55.50', '144.50', '89.00', '55.50', refused, 'REFUSED'],
    ['PAYOUT', '-55.50', undefined, '144.50', '144.50', '0.00', paid, 'PAID'],
    ['PAYOUT_FREEZE', '0.00', '55.50', '200.00', '144.50', '55.50', paid, 'PAID'],
    ['TOP_UP', '200.00', undefined, '200.00', '200.00', '0.00', undefined, undefined],
  ]);
  expect(new Set(list.map(({ transactionNo }) => transactionNo)).size).toBe(5);
  for (const item of list) {
    for (const field of amounts) expect(item[field]).toMatch(/^-?\d+\.\d\d$/);
    expect(Math.abs(Number(item.createdAt) - Date.now() / 1000)).toBeLessThan(60);
  }
  const wallet = await fixture.get(merchant, '/wallet');
  expect(wallet.data).toMatchObject({ balance: '144.50', available: '144.50', frozen: '0.00', currency: 'INR' });
  expect(Math.abs(Number(wallet.data?.updatedAt) - Date.now() / 1000)).toBeLessThan(60);
});

test('transactions are returned in pages', async () => {
  const merchant = await aFundedMerchant(fixture.real.domain, 'PK', '200.00');
  expect(await transactions(merchant, 'page=1&pageSize=100')).toMatchObject({ page: 1, pageSize: 100, total: 1 });
  expect(await transactions(merchant, 'page=2')).toEqual({ list: [], page: 2, pageSize: 20, total: 1 });
  expect(await transactions(merchant, 'page=&pageSize=')).toMatchObject({ page: 1, pageSize: 20 });
  expect((await transactions(merchant, `page=${Math.floor(Number.MAX_SAFE_INTEGER / 100)}&pageSize=100`)).list).toEqual(
    [],
  );
  const poor = await aMerchant(fixture.real.domain, 'TH');
  expect(await transactions(poor)).toEqual({ list: [], page: 1, pageSize: 20, total: 0 });
});

test.each([
  ...['0', '-1', '1.0', '01', '1e1', 'x', '%2B1', '%201', '١', '9999999999999999', '99999999999999999999', 'true'].map(
    (bad) => [`page=${bad}`, 'page'],
  ),
  ...['0', '101', '-1', '1.5', '1e1', '00020', 'x', '٢٠'].map((bad) => [`pageSize=${bad}`, 'pageSize']),
])('the query %s is refused, and the message names %s', async (query, path) => {
  const merchant = await aMerchant(fixture.real.domain, 'CN');
  const { response, code, msg, data } = await fixture.get(
    merchant,
    '/wallet/transactions',
    encodeURI(decodeURIComponent(query)).replace('+', '%2B'),
  );
  expect([response.status, code, data]).toEqual([400, 40001, null]);
  expect(msg).toMatch(new RegExp(`^invalid parameter: ${path} must be a whole number from 1`));
});

test('two invalid parameters are both named, and a repeated parameter is malformed', async () => {
  const merchant = await aMerchant(fixture.real.domain, 'CN');
  const both = await fixture.get(merchant, '/wallet/transactions', 'page=0&pageSize=0');
  expect(both.msg).toMatch(/page must be .*; pageSize must be /);
});
