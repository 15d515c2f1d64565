import { randomUUID } from 'node:crypto';
import { addMerchantKey } from '@tidegate/domain/admin';
import { aFundedMerchant, aMerchant, openTestDomain, type TestDomain, takeKeyPair } from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { parsePrivateKey } from '@tidegate/signature';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareTimes, inWords } from '../test/compare-times.ts';
import { leastPayout, type Merchant } from '../test/payout-fixture.ts';
import { aRequest, type RawReply, send } from '../test/raw-request.ts';
import { type Fixture, publicPem, startFixture } from '../test/rest-fixture.ts';
import { restDomainOf } from './request/rest-domain.ts';

let real: TestDomain;
let fixture: Fixture;
/** Two merchants of one country. The first has an order of each kind. The second tries to reach them. */
let owner: Merchant;
let curious: Merchant;
const orders = {
  payin: { orderNo: '', merchantOrderNo: 'OWN-IN-1' },
  payout: { orderNo: '', merchantOrderNo: 'OWN-OUT-1' },
};
const payUrls: string[] = [];

beforeAll(async () => {
  real = await openTestDomain((await createTestDatabase()).url);
  fixture = await startFixture({ domain: restDomainOf(real.domain), environment: 'production' });
  owner = await aFundedMerchant(real.domain, 'IN', '1000.00');
  curious = await aFundedMerchant(real.domain, 'IN', '1000.00');
  const payin = await post(owner, '/payin/create', aPayin(orders.payin.merchantOrderNo));
  const payout = await post(owner, '/payout/create', leastPayout('IN', orders.payout.merchantOrderNo));
  orders.payin.orderNo = String(payin.data?.orderNo);
  orders.payout.orderNo = String(payout.data?.orderNo);
  payUrls.push(String(payin.data?.payUrl));
  payUrls.push(String((await post(owner, '/payin/create', aPayin('OWN-IN-2'))).data?.payUrl));
});
afterAll(async () => {
  await fixture.close();
  await real.close();
});

const aPayin = (merchantOrderNo: string) => ({
  merchantOrderNo,
  countryCode: 'IN',
  currency: 'INR',
  amount: '100.00',
  notifyUrl: 'https://shop.example/notify',
});
const prefix = '/api/v1/merchant';

async function get({ merchantId, privateKeyPem }: Merchant, path: string, query: string): Promise<RawReply> {
  const key = parsePrivateKey(privateKeyPem);
  return send(fixture.port, await aRequest({ merchantNo: merchantId, key, query, path: `${prefix}${path}` }));
}

async function post({ merchantId, privateKeyPem }: Merchant, path: string, body: object): Promise<RawReply> {
  const request = { merchantNo: merchantId, key: parsePrivateKey(privateKeyPem), path: `${prefix}${path}` };
  return send(fixture.port, await aRequest({ ...request, body: JSON.stringify(body) }));
}

/** An answer without the parts that differ each time. */
const plain = ({ text }: RawReply): string =>
  text.replace(/^x-request-id: [^\r]+\r\n/m, '').replace(/^date: [^\r]+\r\n/im, '');

describe("another merchant's order is not found", () => {
  const numbers = ['orderNo', 'merchantOrderNo'] as const;
  const questions = (['payin', 'payout'] as const).flatMap((operation) =>
    (['payin', 'payout'] as const).flatMap((kind) => numbers.map((by) => ({ operation, kind, by }))),
  );
  test.each(questions)(
    'the $kind of another merchant is not found by its $by at /$operation/query',
    async ({ operation, kind, by }) => {
      const { [by]: number } = orders[kind];
      const path = `/${operation}/query`;
      expect((await get(owner, path, `${by}=${number}`)).code).toBe(operation === kind ? 0 : 40401);
      const theirs = await get(curious, path, `${by}=${number}`);
      const unknown = await get(curious, path, `${by}=${number.slice(0, -1)}${number.endsWith('9') ? '8' : '9'}`);
      expect(theirs).toMatchObject({ status: 404, code: 40401, msg: 'order not found', data: null });
      expect(plain(theirs)).toBe(plain(unknown));
    },
  );

  test('the response time does not reveal an order of another merchant', async () => {
    const key = parsePrivateKey(curious.privateKeyPem);
    const requestOf = (number: () => string) => async () => {
      const query = `orderNo=${number()}`;
      const request = await aRequest({ merchantNo: curious.merchantId, key, query, path: `${prefix}/payin/query` });
      return async () => expect((await send(fixture.port, request)).code).toBe(40401);
    };
    const { orderNo } = orders.payin;
    const compared = await compareTimes(
      {
        'of another merchant': requestOf(() => orderNo),
        'of an unknown order': requestOf(
          () => `${orderNo.slice(0, -6)}${Math.random().toString(36).slice(2, 8).toUpperCase()}`,
        ),
      },
      { samples: 80, ratio: 1.3 },
    );
    console.info(`time to "order not found": ${inWords(compared)}`);
    expect(compared.ratio).toBeLessThanOrEqual(1.3);
  });
});

describe('numbers that another merchant used can be used', () => {
  test.each([
    ['/payin/create', aPayin],
    ['/payout/create', (merchantOrderNo: string) => leastPayout('IN', merchantOrderNo)],
  ])('%s may use the numbers of a payin and a payout of another merchant', async (path, bodyOf) => {
    const usedNo = orders[path.startsWith('/payin') ? 'payin' : 'payout'].merchantOrderNo;
    expect(await post(owner, path, bodyOf(usedNo))).toMatchObject({ status: 409, code: 40901 });
    const { code, data } = await post(curious, path, bodyOf(usedNo));
    expect(code).toBe(0);
    expect(Object.values(orders).map(({ orderNo }) => orderNo)).not.toContain(data?.orderNo);
    expect((await get(owner, path.replace('create', 'query'), `merchantOrderNo=${usedNo}`)).data?.orderNo).not.toBe(
      data?.orderNo,
    );
  });

  test('nonces that another merchant used can be used', async () => {
    const nonce = randomUUID();
    for (const { merchantId, privateKeyPem } of [owner, curious]) {
      const key = parsePrivateKey(privateKeyPem);
      const request = await aRequest({ merchantNo: merchantId, key, nonce, query: '', path: `${prefix}/wallet` });
      expect(await send(fixture.port, request)).toMatchObject({ code: 0, data: { merchantNo: merchantId } });
    }
  });
});

test('wallet and transactions are always those of the caller, with any parameters', async () => {
  const otherMerchant = await aMerchant(real.domain, 'IN');
  for (const more of [
    '',
    `merchantNo=${owner.merchantId}`,
    `merchantId=${owner.merchantId}&X-Merchant-No=${owner.merchantId}`,
  ]) {
    expect((await get(otherMerchant, '/wallet', more)).data).toMatchObject({
      merchantNo: otherMerchant.merchantId,
      balance: '0.00',
    });
    const page = await get(
      otherMerchant,
      '/wallet/transactions',
      `page=1&pageSize=100${more === '' ? '' : `&${more}`}`,
    );
    expect(page.data).toEqual({ list: [], page: 1, pageSize: 100, total: 0 });
  }
  const own = await get(owner, '/wallet/transactions', 'pageSize=100');
  expect(JSON.stringify(own.data)).toContain(orders.payout.orderNo);
});

test('a checkout page is opened by its own token only', async () => {
  const tokens = payUrls.map((url) => url.slice(url.lastIndexOf('/') + 1));
  const [token = '', other = ''] = tokens;
  expect(token.length).toBe(orders.payin.orderNo.length + 32);
  const visit = async (text: string) => {
    const response = await fetch(`${fixture.url}/checkout/${text}`);
    return { status: response.status, page: await response.text() };
  };
  expect(await visit(token)).toMatchObject({ status: 200, page: expect.stringContaining(orders.payin.orderNo) });
  const wrong = await visit('nothing-that-ever-was-a-token');
  expect(wrong).toMatchObject({ status: 404 });
  const flipped = [...token].map(
    (letter, i) => `${token.slice(0, i)}${letter === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`,
  );
  const guesses = [
    ...flipped,
    token.slice(0, -32) + other.slice(-32),
    token.slice(0, -1),
    `${token}A`,
    token.slice(0, -32),
    token.toLowerCase(),
    token.replace('PI', 'PO'),
    `${orders.payout.orderNo}${token.slice(-32)}`,
    `${token}/`,
    `${token}%00`,
    `${token.slice(0, -32)}${'A'.repeat(32)}`,
    orders.payin.orderNo,
  ];
  for (const guess of guesses) expect({ guess, ...(await visit(guess)) }).toEqual({ guess, ...wrong });
});

test('the response time of a wrong signature does not reveal whether the merchant exists', async () => {
  const rotating = await aMerchant(real.domain, 'IN');
  for (let i = 0; i < 3; i += 1) {
    const { publicKey } = takeKeyPair();
    await addMerchantKey(real.domain, rotating.merchantId, publicPem(publicKey));
  }
  const key = takeKeyPair().privateKey;
  const requestOf = (number: () => string) => async () => {
    const request = await aRequest({ merchantNo: number(), key, query: '', path: `${prefix}/wallet` });
    return async () => expect((await send(fixture.port, request)).code).toBe(40101);
  };
  const compared = await compareTimes(
    {
      'a merchant': requestOf(() => owner.merchantId),
      'a merchant with four keys': requestOf(() => rotating.merchantId),
      'the same unknown number': requestOf(() => 'NOBODY-AT-ALL'),
      'another unknown number each time': requestOf(() => `NOBODY-${randomUUID().slice(0, 12).toUpperCase()}`),
    },
    { samples: 60, ratio: 1.2 },
  );
  console.info(`time to "signature invalid": ${inWords(compared)}`);
  expect(compared.ratio).toBeLessThanOrEqual(1.2);
});
