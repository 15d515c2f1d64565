import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { parsePrivateKey, parsePublicKey, signedHeaders } from '../packages/signature/src/index.ts';
import { type MerchantClient, merchantClient } from '../tools/sandbox/src/demo/merchant-client.ts';
import type { SandboxFile } from '../tools/sandbox/src/sandbox-file.ts';
import { waitUntil } from '../tools/sandbox/src/wait-until.ts';
import { payinRequest } from './payin-requests.ts';
import { borrowSandbox } from './run-services/ask-services.ts';
import type { SharedSandbox } from './run-services/shared-sandboxes.ts';

// The contract with merchants, spoken over the network against what `npm start` starts.

let sandbox: SharedSandbox;
beforeAll(async () => {
  sandbox = await borrowSandbox();
}, 180_000);

type Merchant = SandboxFile['merchants'][number];

const merchantOf = (country: string, nth = 0): Merchant => {
  const found = sandbox.file.merchants.filter((one) => one.country === country)[nth];
  if (!found) throw new Error(`no merchant of ${country}`);
  return found;
};
const clientOf = (country: string, nth = 0): MerchantClient => {
  const { merchantNo, privateKeyPem } = merchantOf(country, nth);
  return merchantClient(sandbox.file.restUrl, merchantNo, privateKeyPem);
};
const newNo = (): string => `C-${randomUUID()}`;
const notifyUrlOf = (country: string): string => `${sandbox.file.receiverUrl}/notify/${merchantOf(country).merchantNo}`;
const create = (country: string, merchantOrderNo: string, amount: string, more: object = {}) =>
  clientOf(country).post('/payin/create', {
    ...payinRequest[country]?.(merchantOrderNo, amount, notifyUrlOf(country)),
    ...more,
  });

const money = /^[0-9]+\.[0-9]{2}$/;
const common = {
  amount: '120.00',
  feeAmount: '3.00',
  netAmount: '117.00',
  orderNo: expect.stringMatching(/^PI[0-9A-Z]{1,30}$/),
};
const checkout = expect.stringMatching(/^http:\/\/127\.0\.0\.1:[0-9]+\/checkout\/[\w-]+$/);
const isoUtc = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const unixSeconds = expect.closeTo(Date.now() / 1000, -3);

describe('a create of a payin answers exactly the fields of its country', () => {
  test.each([
    ['CN', { ...common, status: 'created', createdAt: unixSeconds }],
    [
      'TH',
      {
        ...common,
        status: 'processing',
        payUrl: checkout,
        payQr: expect.stringMatching(/^000201.*6304[0-9A-F]{4}$/),
        createdAt: unixSeconds,
      },
    ],
    ['IN', { ...common, status: 'processing', payUrl: checkout, createdAt: unixSeconds }],
    ['PK', { ...common, status: 'processing', payUrl: checkout, createdAt: isoUtc }],
  ])('a payin of %s', async (country, expected) => {
    const merchantOrderNo = newNo();
    const answer = await create(country, merchantOrderNo, '120');
    expect(answer).toMatchObject({ status: 200, code: 0, msg: 'success', requestId: expect.any(String) });
    expect(answer.data).toEqual({ ...expected, merchantOrderNo });
    if (typeof expected.createdAt !== 'string')
      expect(Number.isInteger(answer.data?.createdAt) || country === 'PK').toBe(true);
  });

  test('a PK payin with QRANDLAUNCH has payQr as well', async () => {
    const answer = await create('PK', newNo(), '120', { bankCode: 'QRANDLAUNCH' });
    expect(answer.data).toMatchObject({ payUrl: checkout, payQr: expect.any(String) });
  });

  test('a PK payin with an unknown bank code uses the default channel', async () => {
    expect(await create('PK', newNo(), '120', { bankCode: 'NOSUCHBANK' })).toMatchObject({ code: 0 });
  });
});

describe('the query of a payin by either number', () => {
  const created = ['amount', 'createdAt', 'feeAmount', 'merchantOrderNo', 'netAmount', 'orderNo', 'status'];
  test.each([
    ['CN', [...created, 'completedAt']],
    ['TH', [...created, 'completedAt']],
    ['IN', [...created, 'payUrl', 'completedAt']],
    ['PK', [...created, 'payUrl', 'completedAt']],
  ])('a completed payin of %s has exactly its fields', async (country, fields) => {
    const merchantOrderNo = newNo();
    const { data } = await create(country, merchantOrderNo, '50.00');
    const client = clientOf(country);
    let found: Record<string, unknown> = {};
    await waitUntil(
      'completed',
      async () => {
        found = (await client.get('/payin/query', { merchantOrderNo })).data ?? {};
        return found.status === 'completed';
      },
      { timeoutMs: 15_000 },
    );
    expect(Object.keys(found).sort()).toEqual([...fields].sort());
    expect(Number.isInteger(found.completedAt)).toBe(true);
    for (const field of ['amount', 'feeAmount', 'netAmount']) expect(found[field]).toMatch(money);
    expect((await client.get('/payin/query', { orderNo: String(data?.orderNo) })).data).toEqual(found);
  });

  test('a failed order has its reason, except in Thailand', async () => {
    for (const country of ['CN', 'TH', 'IN', 'PK']) {
      const merchantOrderNo = newNo();
      await create(country, merchantOrderNo, '50.21');
      let found: Record<string, unknown> = {};
      await waitUntil(
        'failed',
        async () => {
          found = (await clientOf(country).get('/payin/query', { merchantOrderNo })).data ?? {};
          return found.status === 'failed';
        },
        { timeoutMs: 15_000 },
      );
      expect([country, found.failureReason]).toEqual([country, country === 'TH' ? undefined : 'payment failed']);
      expect(found).not.toHaveProperty('completedAt');
    }
  });

  test('a query needs exactly one number, and does not find an order of another merchant', async () => {
    const merchantOrderNo = newNo();
    const { data } = await create('IN', merchantOrderNo, '10.00');
    const client = clientOf('IN');
    const orderNo = String(data?.orderNo);
    expect(await client.get('/payin/query', {})).toMatchObject({ status: 400, code: 40001, data: null });
    expect(await client.get('/payin/query', { orderNo, merchantOrderNo })).toMatchObject({ status: 400, code: 40001 });
    expect(await client.get('/payin/query', { orderNo: 'PI0' })).toMatchObject({ status: 404, code: 40401 });
    const otherMerchant = await clientOf('IN', 1).get('/payin/query', { orderNo });
    const nobody = await clientOf('IN', 1).get('/payin/query', { orderNo: `${orderNo.slice(0, -1)}0` });
    expect({ ...otherMerchant, requestId: '' }).toEqual({ ...nobody, requestId: '' });
    expect(otherMerchant).toMatchObject({ status: 404, code: 40401, data: null });
  });
});

describe('amounts are checked and signed by their text', () => {
  test.each([
    ['100.50', '100.50'],
    ['0.1', null],
    ['100', '100.00'],
    ['"7.5"', '7.50'],
    ['1e2', null],
    ['900719925474.99', null],
    ['12345678901234567890.12', null],
    ['0', null],
    ['-1', null],
    ['"1,000"', null],
    ['"٣"', null],
    ['"01"', null],
    ['1.005', null],
    ['true', null],
  ])('the amount %s', async (source, shown) => {
    const merchantOrderNo = newNo();
    const body = `{"merchantOrderNo":"${merchantOrderNo}","countryCode":"CN","currency":"CNY","amount":${source}}`;
    const answer = await clientOf('CN').post('/payin/create', body);
    if (shown !== null) expect(answer.data?.amount).toBe(shown);
    // One decimal is enough, and the fee is rounded to 0.00.
    else if (source === '0.1') expect(answer).toMatchObject({ code: 0, data: { amount: '0.10', feeAmount: '0.00' } });
    else if (source === '900719925474.99') expect(answer).toMatchObject({ status: 422, code: 42203 });
    else
      expect(answer).toMatchObject({
        status: 400,
        code: 40001,
        msg: expect.stringMatching(/^invalid parameter: amount /),
      });
  });
});

test('50 concurrent creates with one order number make one order and get 49 × 40901', async () => {
  const merchantOrderNo = newNo();
  const answers = await Promise.all(Array.from({ length: 50 }, () => create('CN', merchantOrderNo, '20.00')));
  const codes = answers.map((answer) => answer.code).sort();
  expect(codes).toEqual([0, ...Array(49).fill(40901)]);
  expect(answers.find((answer) => answer.code === 40901)).toMatchObject({
    status: 409,
    msg: 'merchant order no already exists: same request',
  });
});

test('of 50 concurrent requests with one nonce one is accepted', async () => {
  const { merchantNo, privateKeyPem } = merchantOf('CN');
  const query = `merchantOrderNo=${newNo()}`;
  const headers = await signedHeaders({ merchantNo, query, key: parsePrivateKey(privateKeyPem) });
  const ask = async (): Promise<number> => {
    const response = await fetch(`${sandbox.file.restUrl}/api/v1/merchant/payin/query?${query}`, { headers });
    return ((await response.json()) as { code: number }).code;
  };
  const codes = await Promise.all(Array.from({ length: 50 }, ask));
  expect(codes.sort()).toEqual([...Array(49).fill(40103), 40401]);
});

test('all invalid fields are named with their paths', async () => {
  const answer = await clientOf('PK').post('/payin/create', {
    merchantOrderNo: 'a b',
    countryCode: 'PK',
    payer_mobile: '123',
    payer_email: 'x',
  });
  expect(answer).toMatchObject({ status: 400, code: 40001 });
  for (const field of ['merchantOrderNo', 'amount', 'countryCode', 'payer_mobile', 'payer_email'])
    expect(answer.msg).toContain(`${field} `);
  expect(answer.msg).toContain('countryCode must not be sent');
});

test('payouts in countries without payouts, and unknown paths, have their error codes', async () => {
  expect(await clientOf('CN').get('/nothing', {})).toMatchObject({ status: 404, code: 40400 });
  expect(await clientOf('CN').get('/payin/create', {})).toMatchObject({ status: 405, code: 40500 });
});

test('in the sandbox a wrong signature returns the text that the service derived', async () => {
  const { merchantNo } = merchantOf('CN');
  const otherKey = parsePrivateKey(merchantOf('TH').privateKeyPem);
  const headers = await signedHeaders({ merchantNo, query: 'orderNo=PI1', key: otherKey });
  const response = await fetch(`${sandbox.file.restUrl}/api/v1/merchant/payin/query?orderNo=PI1`, { headers });
  const { 'X-Nonce': nonce, 'X-Timestamp': timestamp } = headers;
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({
    code: 40101,
    msg: expect.stringMatching(/^signature invalid/),
    data: { signedContent: `nonce=${nonce}&orderNo=PI1&timestamp=${timestamp}` },
  });
});

test('the service key of each merchant in sandbox.json is published under its id, and no two are equal', async () => {
  const { merchants, restUrl } = sandbox.file;
  for (const { merchantNo, serviceKeyId, servicePublicKeyPem } of merchants) {
    expect(serviceKeyId).toMatch(new RegExp(`^${merchantNo}[.][A-Za-z0-9_-]{22}$`));
    const response = await fetch(`${restUrl}/.well-known/keys/${serviceKeyId}`);
    const { n, e } = parsePublicKey(servicePublicKeyPem).export({ format: 'jwk' });
    expect(await response.json()).toEqual({ kty: 'RSA', n, e, alg: 'RS256', use: 'sig', kid: serviceKeyId });
    expect(response.headers.get('cache-control')).toMatch(/max-age=[1-9]/);
  }
  expect(new Set(merchants.map(({ servicePublicKeyPem }) => servicePublicKeyPem)).size).toBe(merchants.length);
  expect((await fetch(`${restUrl}/.well-known/keys/IN10001.${'A'.repeat(22)}`)).status).toBe(404);
});

test('the checkout page shows amount and status of its own order only', async () => {
  const { data } = await create('IN', newNo(), '77.23');
  const page = await fetch(String(data?.payUrl));
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  const html = await page.text();
  expect(html).toContain('77.23');
  expect(html).toContain(String(data?.orderNo));
  const forged = String(data?.payUrl).slice(0, -1);
  expect((await fetch(`${forged}${String(data?.payUrl).endsWith('A') ? 'B' : 'A'}`)).status).toBe(404);
});

test("every country's notification has exactly its fields", async () => {
  const base = ['amount', 'completedAt', 'feeAmount', 'merchantOrderNo', 'netAmount', 'orderNo', 'orderType', 'status'];
  for (const [country, more] of [
    ['CN', ['countryCode', 'currency']],
    ['TH', []],
    ['IN', []],
    ['PK', []],
  ] as const) {
    const { data } = await create(country, newNo(), '60.00');
    let body: Record<string, unknown> = {};
    await waitUntil(
      `the notification of ${data?.orderNo}`,
      async () => {
        const response = await fetch(`${sandbox.file.receiverUrl}/received?orderNo=${data?.orderNo}`);
        const received = (await response.json()) as { verified: boolean; body: Record<string, unknown> }[];
        body = received.find((one) => one.verified)?.body ?? {};
        return body.orderNo !== undefined;
      },
      { timeoutMs: 15_000 },
    );
    expect(Object.keys(body).sort()).toEqual([...base, ...more].sort());
    expect(body).toMatchObject({
      orderType: 'payin',
      status: 'completed',
      amount: '60.00',
      completedAt: expect.any(Number),
    });
  }
});
