import { type Country, currencyOf } from '@tidegate/domain';
import { aMerchant, openTestDomain, type TestDomain } from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { parsePrivateKey } from '@tidegate/signature';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ask,
  createPath,
  type Fixture,
  queryPath,
  signedGet,
  signedPost,
  startFixture,
} from '../../test/rest-fixture.ts';
import { restDomainOf } from '../request/rest-domain.ts';

// The adapter with a real domain and database. The test sets the channel's answers.

let real: TestDomain;
let fixture: Fixture;
beforeAll(async () => {
  real = await openTestDomain((await createTestDatabase()).url);
  fixture = await startFixture({ domain: restDomainOf(real.domain) });
});
afterAll(async () => {
  await fixture.close();
  await real.close();
});

interface Merchant {
  merchantId: string;
  privateKeyPem: string;
}

async function create({ merchantId, privateKeyPem }: Merchant, body: object) {
  const init = await signedPost(merchantId, JSON.stringify(body), { key: parsePrivateKey(privateKeyPem) });
  return ask(`${fixture.url}${createPath}`, init);
}

async function query({ merchantId, privateKeyPem }: Merchant, text: string) {
  const init = await signedGet(merchantId, text, { key: parsePrivateKey(privateKeyPem) });
  return ask(`${fixture.url}${queryPath}?${text}`, init);
}

const requests: Record<Country, object> = {
  CN: { countryCode: 'CN', currency: 'CNY' },
  TH: { bankCode: 'QR', extJson: { accountNo: '123' } },
  IN: { countryCode: 'IN', currency: 'INR', notifyUrl: 'http://127.0.0.1:9999/notify' },
  PK: { payer_mobile: '03001234567' },
};
const base = ['orderNo', 'merchantOrderNo', 'amount', 'feeAmount', 'netAmount', 'status'];
const created: Record<Country, { status: string; fields: string[] }> = {
  CN: { status: 'created', fields: [...base, 'createdAt'] },
  TH: { status: 'processing', fields: [...base, 'payUrl', 'createdAt'] },
  IN: { status: 'processing', fields: [...base, 'payUrl', 'createdAt'] },
  PK: { status: 'processing', fields: [...base, 'payUrl', 'createdAt'] },
};

test.each(Object.keys(currencyOf) as Country[])(
  '%s: a payin is created, found by either number, and shown to its payer',
  async (country) => {
    const merchant = await aMerchant(real.domain, country);
    const { status, fields } = created[country];
    const answer = await create(merchant, { ...requests[country], merchantOrderNo: 'M-1', amount: '100.50' });
    expect(answer).toMatchObject({
      code: 0,
      data: { merchantOrderNo: 'M-1', amount: '100.50', feeAmount: '2.51', netAmount: '97.99', status },
    });
    expect(Object.keys(answer.data ?? {}).toSorted()).toEqual(fields.toSorted());
    expect(typeof answer.data?.createdAt).toBe(country === 'PK' ? 'string' : 'number');

    const byOurs = await query(merchant, `orderNo=${answer.data?.orderNo}`);
    const byTheirs = await query(merchant, 'merchantOrderNo=M-1');
    expect(byOurs).toMatchObject({ code: 0, data: { orderNo: answer.data?.orderNo, amount: '100.50', status } });
    expect(byTheirs.data).toEqual(byOurs.data);

    if (typeof answer.data?.payUrl !== 'string') return;
    expect(answer.data.payUrl).toMatch(/^http:\/\/pay\.test\/checkout\//);
    const page = await fetch(`${fixture.url}${new URL(answer.data.payUrl).pathname}`);
    expect(page.status).toBe(200);
    const shown = (await page.text()).replaceAll(/<[^>]*>/g, '');
    expect(shown).toContain(`100.50 ${currencyOf[country]}`);
  },
);

test('50 concurrent creates with one merchantOrderNo create one order', async () => {
  const merchant = await aMerchant(real.domain, 'CN');
  const body = { ...requests.CN, merchantOrderNo: 'SAME', amount: 10 };
  const answers = await Promise.all(Array.from({ length: 50 }, () => create(merchant, body)));
  const codes = answers.map(({ code }) => code);
  expect(codes.filter((code) => code === 0)).toHaveLength(1);
  expect(codes.filter((code) => code === 40901)).toHaveLength(49);
});

test('an order of another merchant is answered like an unknown order', async () => {
  const [owner, other] = [await aMerchant(real.domain, 'CN'), await aMerchant(real.domain, 'CN')];
  const { data } = await create(owner, { ...requests.CN, merchantOrderNo: 'MINE', amount: '10' });
  const none = { code: 40401, msg: 'order not found', data: null };
  expect(await query(other, `orderNo=${data?.orderNo}`)).toMatchObject(none);
  expect(await query(other, 'merchantOrderNo=MINE')).toMatchObject(none);
  expect(await query(owner, 'orderNo=PI123')).toMatchObject(none);
  expect(await query(owner, 'orderNo=no%00such')).toMatchObject(none);
});

test.each([
  ['', /^invalid parameter: orderNo or merchantOrderNo/],
  ['orderNo=PI1&merchantOrderNo=M', /^invalid parameter: orderNo or merchantOrderNo/],
  ['orderNo=&merchantOrderNo=', /^invalid parameter: orderNo or merchantOrderNo/],
  ['merchantOrderNo=a%20b', /^invalid parameter: merchantOrderNo /],
  ['merchantOrderNo=a%00b', /^invalid parameter: merchantOrderNo /],
])('the query %j is refused', async (text, message) => {
  const { code, msg } = await query(await aMerchant(real.domain, 'TH'), text);
  expect([code, msg]).toEqual([40001, expect.stringMatching(message)]);
});

test('every invalid field is named', async () => {
  const merchant = await aMerchant(real.domain, 'TH');
  const { code, msg } = await create(merchant, { amount: '1e2', bankCode: 'SCB', extJson: {} });
  expect(code).toBe(40001);
  for (const path of ['merchantOrderNo', 'amount', 'bankCode', 'extJson.accountNo'])
    expect(msg).toMatch(new RegExp(`[ ;]${path} `));
});

test('a create that the channel refuses is answered 50201, and its order exists and has failed', async () => {
  const merchant = await aMerchant(real.domain, 'TH');
  real.channel.answers.create = { outcome: 'refused', reason: 'no' };
  const answer = await create(merchant, { ...requests.TH, merchantOrderNo: 'NO', amount: '10' });
  expect(answer).toMatchObject({ code: 50201, data: null, msg: expect.stringMatching(/^upstream rejected/) });
  expect(await query(merchant, 'merchantOrderNo=NO')).toMatchObject({ code: 0, data: { status: 'failed' } });
});
