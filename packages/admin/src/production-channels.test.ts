import { generateKeyPairSync } from 'node:crypto';
import { makeProductionDatabase, testKeys } from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { beforeAll, expect, test } from 'vitest';
import { runAdmin } from './run-admin.ts';

// Accounts for tests at real providers, as an operator enters them in a production by mistake.

const env: Record<string, string> = { TIDEGATE_ENV: 'production', TIDEGATE_KEYS: testKeys };
let second = '';
beforeAll(async () => {
  const { url } = await createTestDatabase();
  env.DATABASE_URL = await makeProductionDatabase(url);
  const create = async (id: string): Promise<string> => {
    const args = ['create-operator', id, '--name', id, '--roles', 'admin', '--reason', 'first', '--json'];
    return JSON.parse((await admin(args)).out).token;
  };
  env.TIDEGATE_OPERATOR_TOKEN = await create('ann');
  second = await create('ben');
});

async function admin(args: readonly string[], change: Record<string, string> = {}, stdin = '') {
  let [out, err] = ['', ''];
  const code = await runAdmin(args, {
    env: { ...env, ...change },
    readStdin: async () => stdin,
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    keepDetails: () => null,
  });
  return { code, out, err };
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const alipay = {
  appId: '2021001100000000',
  sellerId: '2088000000000000',
  appPrivateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  alipayPublicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
};
const jazzcash = { merchantId: 'MC12345', password: 'p', integritySalt: 's' };
const webhookSecret = Buffer.from('a webhook secret').toString('base64');
const opn = (secretKey: string) => ({ secretKey, webhookSecret });
const razorpay = { keyId: 'rzp_live_ILgsfZCZoFIKMb', keySecret: 'k', webhookSecret: 'w' };
const payouts = { accountNumber: '7878780080316316', payoutKeyId: 'rzp_test_1DP5mmOlF5G5ag', payoutKeySecret: 'k' };

async function set(adapter: string, baseUrl: string, credentials: object, more: string[] = []) {
  const args = ['set-channel', `${adapter}-1`, '--adapter', adapter, '--base-url', baseUrl, '--credentials-file', '-'];
  const change = { TIDEGATE_APPROVER_TOKEN: second };
  return admin([...args, ...more, '--reason', 'go live'], change, JSON.stringify(credentials));
}

const isTest = 'is a test account, and production moves real money only';
const isMixed = 'has keys of a test account and keys of a live account';
test.each([
  ['a test key of Opn', 'opn', 'https://api.omise.co', opn('skey_test_4xs68olyuul9lmmp375'), isTest],
  [
    'a test key of Razorpay',
    'razorpay',
    'https://api.razorpay.com',
    { ...razorpay, keyId: 'rzp_test_1DP5mmOlF5G5ag' },
    isTest,
  ],
  ['live payins and test payouts', 'razorpay', 'https://api.razorpay.com', { ...razorpay, ...payouts }, isMixed],
  ["Alipay's sandbox", 'alipay', 'https://openapi-sandbox.dl.alipaydev.com/gateway.do', alipay, isTest],
  ["JazzCash's sandbox", 'jazzcash', 'https://sandbox.jazzcash.com.pk', { ...jazzcash, gateway: 'classic' }, isTest],
])('production refuses %s', async (_name, adapter, baseUrl, credentials, reason) => {
  expect(await set(adapter, baseUrl, credentials)).toMatchObject({ code: 1, err: expect.stringContaining(reason) });
});

test.each([
  ['a live key of Opn', 'opn', 'https://api.omise.co', opn('skey_5xs68olyuul9lmmp375')],
  [
    'live payins and payouts',
    'razorpay',
    'https://api.razorpay.com',
    { ...razorpay, ...payouts, payoutKeyId: 'rzp_live_x1DP5mmOlF5G5' },
  ],
  ["Alipay's gateway", 'alipay', 'https://openapi.alipay.com/gateway.do', alipay],
  ["JazzCash's classic gateway", 'jazzcash', 'https://payments.jazzcash.com.pk', { ...jazzcash, gateway: 'classic' }],
])('production accepts %s', async (_name, adapter, baseUrl, credentials) => {
  expect(await set(adapter, baseUrl, credentials)).toMatchObject({ code: 0 });
});

test('production accepts an account whose mode cannot be seen only with a declaration and its evidence', async () => {
  const host = 'https://onlinepayments.jazzcash.com.pk';
  expect(await set('jazzcash', host, jazzcash)).toMatchObject({
    code: 1,
    err: expect.stringContaining('may be a test account: two operators have to declare that it is live'),
  });
  const declare = ['--declared-mode', 'live', '--mode-evidence', 'contract 7/26 of JazzCash, page 2'];
  expect(await set('jazzcash', host, jazzcash, declare)).toMatchObject({ code: 0 });
});

test('a command line that takes a production for a sandbox is refused, and so is the reverse', async () => {
  expect(await admin(['list-channels'], { TIDEGATE_ENV: 'sandbox' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('TIDEGATE_ENV is sandbox, and this database is one of production'),
  });
  const { url } = await createTestDatabase();
  for (const command of ['list-channels', 'migrate'])
    expect(await admin([command], { DATABASE_URL: url })).toMatchObject({
      code: 1,
      err: expect.stringContaining('TIDEGATE_ENV is production, and this database is one of sandbox'),
    });
});
