import { type Country, currencyOf } from '@tidegate/domain';
import { mapBank } from '@tidegate/domain/admin';
import { aFundedMerchant, aMerchant, rowCounts } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leastPayout, type Merchant, type PayoutFixture, startPayoutFixture } from '../../test/payout-fixture.ts';

// Payouts as a merchant sees them, with a real domain and database.

let fixture: PayoutFixture;
let merchants: Record<'IN' | 'PK', Merchant>;
beforeAll(async () => {
  fixture = await startPayoutFixture();
  const { domain } = fixture.real;
  for (const bankCode of ['HBL', 'JAZZCASH', 'EASYPAISA'])
    await mapBank(domain, { channelId: 'fake', kind: 'payout', bankCode, channelBankCode: `X-${bankCode}` });
  merchants = {
    IN: await aFundedMerchant(domain, 'IN', '1000000.00'),
    PK: await aFundedMerchant(domain, 'PK', '1000000.00'),
  };
});
afterAll(() => fixture.close());

let numbers = 0;
const fresh = (): string => `M-${++numbers}`;
const create = (country: 'IN' | 'PK', changes: object = {}, merchant = merchants[country]) =>
  fixture.post(merchant, '/payout/create', { ...leastPayout(country, fresh()), ...changes });

const base = ['orderNo', 'merchantOrderNo', 'amount', 'feeAmount', 'netAmount'];

test.each<['IN' | 'PK', 'upstream' | 'market', string, string[]]>([
  ['IN', 'upstream', 'processing', [...base, 'status', 'payoutMethod', 'fulfillmentMode', 'createdAt']],
  ['PK', 'upstream', 'created', [...base, 'status', 'createdAt']],
  ['PK', 'market', 'market_available', [...base, 'payoutTaskId', 'status', 'createdAt']],
])(
  'a payout of %s by %s is created as %s, shown with exactly its fields, and found by either number',
  async (country, mode, status, fields) => {
    const merchant = await aFundedMerchant(fixture.real.domain, country, '1000.00', mode);
    const { response, code, msg, data } = await create(country, { merchantOrderNo: 'MINE' }, merchant);
    expect([response.status, code, msg]).toEqual([200, 0, 'success']);
    expect(Object.keys(data ?? {})).toEqual(fields);
    expect(data).toMatchObject({
      merchantOrderNo: 'MINE',
      amount: '100.00',
      feeAmount: '6.00',
      netAmount: '106.00',
      status,
      ...(country === 'IN' && { payoutMethod: 'BANK_TRANSFER', fulfillmentMode: 'upstream' }),
      ...(mode === 'market' && { payoutTaskId: expect.stringMatching(/^PT[0-9A-Z]+$/) }),
      createdAt:
        country === 'IN' ? expect.any(Number) : expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(data?.orderNo).toMatch(/^PO[0-9A-Z]{1,30}$/);
    for (const by of [`orderNo=${data?.orderNo}`, 'merchantOrderNo=MINE'])
      expect((await fixture.get(merchant, '/payout/query', by)).data).toEqual(data);
    const wallet = await fixture.get(merchant, '/wallet');
    expect(wallet.data).toMatchObject({ balance: '1000.00', available: '894.00', frozen: '106.00' });
  },
);

test.each<[string, object, object]>([
  [
    'completed',
    { outcome: 'paid', payments: [{ reference: 'P', amount: '100.00' }] },
    { completedAt: expect.any(Number) },
  ],
  ['failed', { outcome: 'failed', reason: 'words of the bank' }, { failureReason: 'payment failed' }],
])('%s: a query returns more fields, but never the name or a message of the channel', async (status, answer, more) => {
  for (const country of ['IN', 'PK'] as const) {
    const { data: before } = await create(country);
    const upstreamOrder = { kind: 'payout', orderNo: before?.orderNo, currency: currencyOf[country], answer };
    const url = new URL('/upstream/fake/callback', await urlOf(fixture));
    expect((await fetch(url, { method: 'POST', body: JSON.stringify(upstreamOrder) })).status).toBe(200);
    const { data } = await fixture.get(merchants[country], '/payout/query', `orderNo=${before?.orderNo}`);
    expect(data).toEqual({ ...before, status, ...more });
    expect(JSON.stringify(data)).not.toMatch(/fake|words of the bank/);
  }
});

async function urlOf({ get }: PayoutFixture): Promise<string> {
  return (await get(merchants.IN, '/wallet')).response.url;
}

test.each(['CN', 'TH'] as const)('%s has no payouts: any body is answered with 40303', async (country) => {
  const merchant = await aMerchant(fixture.real.domain, country);
  for (const body of [leastPayout('IN', 'M'), leastPayout('PK', 'M'), {}, { amount: 'x' }])
    expect(await fixture.post(merchant, '/payout/create', body)).toMatchObject({
      code: 40303,
      msg: 'operation not available',
      data: null,
      response: { status: 403 },
    });
  for (const query of ['merchantOrderNo=M', ''])
    expect(await fixture.get(merchant, '/payout/query', query)).toMatchObject({
      code: 40303,
      response: { status: 403 },
    });
});

const forbidden = [
  'countryCode',
  'currency',
  'metadata',
  'receiverName',
  'receiverAccount',
  'receiverBankCode',
  'receiverBankName',
  'receiverPhone',
];
const deprecated = { countryCode: 'PK', currency: 'PKR', metadata: { ifsc: 'x' } };

test.each(forbidden)('a payout of PK with the field %s is refused', async (field) => {
  const value = field === 'metadata' ? { a: 'b' } : field === 'countryCode' ? 'PK' : field === 'currency' ? 'PKR' : 'x';
  for (const sent of [value, 5, true, [1]]) {
    const { code, msg, response } = await create('PK', { [field]: sent });
    expect([response.status, code, msg]).toEqual([400, 40001, `invalid parameter: ${field} must not be sent`]);
  }
  for (const absent of [null, '', {}, []]) expect(await create('PK', { [field]: absent })).toMatchObject({ code: 0 });
});

test('the deprecated fields of PK are reported together, and ignored for a merchant with permission', async () => {
  const all = Object.fromEntries(forbidden.map((field) => [field, 'x']));
  const { msg } = await create('PK', all);
  expect(msg).toBe(`invalid parameter: ${forbidden.map((field) => `${field} must not be sent`).join('; ')}`);
  const merchant = await aFundedMerchant(fixture.real.domain, 'PK');
  await fixture.real.domain.database.pool.query(
    'update merchant set accept_deprecated_fields = true where merchant_id = $1',
    [merchant.merchantId],
  );
  expect(await create('PK', { ...all, ...deprecated }, merchant)).toMatchObject({ code: 0 });
});

// biome-ignore format: a table is read by its columns
test.each<['IN' | 'PK', object, true | string]>([
  ['IN', { receiverBankCode: 'ANY', receiverPhone: '+91 98', bankName: 'x', whatever: [1, { a: 2 }] }, true],
  ['IN', { receiverBankCode: { any: ['thing'] } }, true],
  ['IN', { metadata: { ifsc: 'SBIN0ABC123', recipientEmail: 'a@b.co', other: { kept: 1 } } }, true],
  ['IN', { countryCode: 'PK' }, 'countryCode must be IN'],
  ['IN', { currency: 'PKR' }, 'currency must be INR'],
  ...['hdfc0001234', 'HDFC1001234', 'HDF00001234', 'HDFC000123', 'HDFC00012345', 'HDFC0 01234', 'HDFC0００1234', ' HDFC0001234', 'HDFCO001234'].map((ifsc): ['IN', object, string] =>
    ['IN', { metadata: { ifsc } }, 'metadata.ifsc must be an IFSC: 4 upper-case letters, 0, 6 upper-case letters or digits']),
  ['IN', { metadata: { ifsc: 123 } }, 'metadata.ifsc must be a string'],
  ['IN', { metadata: {} }, 'metadata.ifsc is required'],
  ['IN', { metadata: 'HDFC0001234' }, 'metadata must be an object'],
  ['IN', { receiverAccount: '12345' }, 'receiverAccount must be 6 to 34 letters or digits'],
  ['IN', { receiverAccount: 50100012345678 }, 'receiverAccount must be a string'],
  ['PK', { bankName: 'Habib', remark: 'r', extJson: { a: { b: 1 } }, payee_id_no: '42101-1234567-1' }, true],
  ['PK', { bankCode: 'hbl' }, 'bankCode must be 2 to 32 upper-case letters, digits or underscores'],
  ['PK', { payee_account: '1234-5678' }, 'payee_account must be 6 to 34 letters or digits'],
  ['PK', { payee_mobile: 'not a mobile' }, true],
  ['PK', { bankCode: 'JAZZCASH', payee_account: 'any', payee_mobile: '03001234567' }, true],
  ['PK', { bankCode: 'EASYPAISA', payee_account: '03001234567' }, true],
  ['PK', { bankCode: 'JAZZCASH' }, 'payee_account must be 11 digits starting with 03'],
  ['PK', { bankCode: 'EASYPAISA', payee_account: '03001234567', payee_mobile: '04001234567' }, 'payee_mobile must be 11 digits starting with 03'],
  ['PK', { bankCode: 'JAZZCASH', payee_mobile: '0300123456٧' }, 'payee_mobile must be 11 digits starting with 03'],
])('a payout of %s with %j is checked: %s', async (country, changes, expected) => {
  const { code, msg } = await create(country, changes);
  expect([code, msg]).toEqual(expected === true ? [0, 'success'] : [40001, `invalid parameter: ${expected}`]);
});

test.each(['IN', 'PK'] as const)('a payout of %s without one of its fields is refused', async (country) => {
  for (const field of Object.keys(leastPayout(country, 'M')))
    expect((await create(country, { [field]: null })).msg).toMatch(/^invalid parameter: [a-zA-Z_.]+ is required$/);
});

test('a valid but impossible request is refused with its reason, and changes nothing', async () => {
  const { domain } = fixture.real;
  const poor = await aFundedMerchant(domain, 'PK', '105.99');
  await create('PK', { merchantOrderNo: 'TAKEN' });
  const before = await rowCounts(domain);
  const answers = [
    await create('PK', {}, poor),
    await create('PK', { bankCode: 'NO_SUCH_BANK' }),
    await create('PK', { merchantOrderNo: 'TAKEN' }),
    await create('IN', { amount: '999999999999.99' }),
  ];
  expect(answers.map(({ response, code, msg, data }) => [response.status, code, msg, data])).toEqual([
    [422, 42201, 'merchant balance insufficient', null],
    [422, 42202, 'upstream bank mapping not found', null],
    [409, 40901, 'merchant order no already exists: same request', null],
    // Its net amount would have 13 digits before the point.
    [422, 42203, 'amount out of range', null],
  ]);
  expect(await rowCounts(domain)).toEqual(before);
});

test('a used number is refused with whether the same request has used it', async () => {
  const first = { merchantOrderNo: 'AGAIN', amount: '100' };
  expect(await create('IN', first)).toMatchObject({ code: 0 });
  const again = async (changes: object) => (await create('IN', { ...first, ...changes })).msg;
  const same = 'merchant order no already exists: same request';
  const another = 'merchant order no already exists: another request';
  // The same amount, written in another way.
  expect([await again({}), await again({ amount: '100.00' })]).toEqual([same, same]);
  expect([
    await again({ receiverAccount: '50100012345679' }),
    await again({ receiverName: 'Ravi Rao' }),
    await again({ metadata: { ifsc: 'HDFC0001235' } }),
    await again({ amount: '100.01' }),
    await again({ notifyUrl: 'http://127.0.0.1:9999/other' }),
  ]).toEqual([another, another, another, another, another]);
});

test('a payout of another merchant is not found, and the payout query does not find a payin', async () => {
  const { data } = await create('IN', { merchantOrderNo: 'HIDDEN' });
  const other = await aFundedMerchant(fixture.real.domain, 'IN');
  const none = { code: 40401, msg: 'order not found', data: null };
  for (const query of [`orderNo=${data?.orderNo}`, 'merchantOrderNo=HIDDEN', 'orderNo=PO0', 'orderNo=x'])
    expect(await fixture.get(other, '/payout/query', query)).toMatchObject(none);
  expect(await fixture.get(merchants.IN, '/payin/query', `orderNo=${data?.orderNo}`)).toMatchObject(none);
  for (const query of ['', 'orderNo=PO1&merchantOrderNo=M', 'merchantOrderNo=a%20b'])
    expect(await fixture.get(merchants.IN, '/payout/query', query)).toMatchObject({ code: 40001 });
});

test('a merchantOrderNo is unique over payins and payouts', async () => {
  const payin = {
    merchantOrderNo: 'ONE',
    countryCode: 'IN',
    currency: 'INR',
    amount: '10',
    notifyUrl: 'http://127.0.0.1:9999/n',
  };
  expect(await fixture.post(merchants.IN, '/payin/create', payin)).toMatchObject({ code: 0 });
  expect(await create('IN', { merchantOrderNo: 'ONE' })).toMatchObject({
    code: 40901,
    msg: 'merchant order no already exists: another request',
  });
});

test('merchants of every country may read their wallet', async () => {
  for (const country of Object.keys(currencyOf) as Country[]) {
    const merchant = await aMerchant(fixture.real.domain, country);
    const { code, data } = await fixture.get(merchant, '/wallet');
    expect([code, Object.keys(data ?? {})]).toEqual([
      0,
      ['merchantNo', 'currency', 'balance', 'available', 'frozen', 'updatedAt'],
    ]);
    expect(data).toEqual({
      merchantNo: merchant.merchantId,
      currency: currencyOf[country],
      balance: '0.00',
      available: '0.00',
      frozen: '0.00',
      updatedAt: expect.any(Number),
    });
  }
});
