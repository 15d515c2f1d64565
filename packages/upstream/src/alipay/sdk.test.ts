import { spawn } from 'node:child_process';
import { createSign } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { takeKeyPair } from '@tidegate/domain/testing';
import { AlipaySdk } from 'alipay-sdk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeKeyAccount } from './fake/index.ts';
import { notificationContent, readForm, requestContent, signContent, verifyNotification } from './signing.ts';
import { openFake, pooledKeys } from './testing/open-fake.ts';

// The official SDK against our fake and against our signing.

const bare = (pem: string) => pem.replace(/-----[A-Z ]+-----|\s/g, '');
const formOf = (fields: Record<string, string>) =>
  readForm(Buffer.from(new URLSearchParams(fields).toString())) ?? new Map<string, string>();

const words = fc.string({ unit: fc.constantFrom('a', 'é', '订', '%', '+', '=', ' ', '"', '/'), maxLength: 12 });
const notifications = fc.dictionary(fc.stringMatching(/^[a-z][a-z_]{0,8}$/), words, { minKeys: 1, maxKeys: 8 });

test('the official SDK verifies our signatures, and we verify the same signatures as the SDK', () => {
  const { privateKey, publicKey, privateKeyPem, publicKeyPem } = takeKeyPair();
  const sdk = new AlipaySdk({
    appId: '2021000000000001',
    privateKey: bare(privateKeyPem),
    keyType: 'PKCS8',
    alipayPublicKey: bare(publicKeyPem),
  });
  fc.assert(
    fc.property(notifications, (fields) => {
      const { sign: _sign, sign_type: _type, ...plain } = fields;
      const content = notificationContent(formOf(plain), false);
      const sign = createSign('RSA-SHA256').update(content).sign(privateKey, 'base64');
      const sent = { ...plain, sign_type: 'RSA2', sign };
      expect(sdk.checkNotifySignV2(sent)).toBe(true);
      expect(verifyNotification(formOf(sent), [publicKey])).toBe(true);
    }),
    { numRuns: 15 },
  );
});

test('we sign requests as the official SDK does', () => {
  const { privateKey, privateKeyPem } = takeKeyPair();
  const sdk = new AlipaySdk({ appId: '2021000000000001', privateKey: bare(privateKeyPem), keyType: 'PKCS8' });
  fc.assert(
    fc.property(words, words, (subject, number) => {
      const url = new URL(
        sdk.pageExecute('alipay.trade.page.pay', 'GET', {
          notifyUrl: 'https://pay.example/upstream/c/callback',
          bizContent: { out_trade_no: number, subject, total_amount: '1.00' },
        }),
      );
      const { sign, ...parameters } = Object.fromEntries(url.searchParams);
      expect(signContent(requestContent(parameters), privateKey)).toBe(sign);
    }),
    { numRuns: 15 },
  );
});

/** The SDK's HTTP client changes sockets of its whole process, so it has one of its own. */
const driver = `
  const { AlipaySdk } = require('alipay-sdk');
  const { config, calls } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  (async () => {
    const sdk = new AlipaySdk(config);
    const answers = [];
    for (const { method, params } of calls) answers.push(await sdk.exec(method, params, { validateSign: true }));
    process.stdout.write(JSON.stringify(answers));
  })();
`;

async function runSdk(config: object, calls: { method: string; params: object }[]): Promise<unknown[]> {
  const child = spawn(process.execPath, ['-e', driver], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ config, calls }));
  return JSON.parse(await text(child.stdout));
}

test('the official SDK makes a payment, a notification and a refund with the fake', async () => {
  const account = makeKeyAccount(pooledKeys());
  const opened = await openFake(account);
  const { appId = '', appPrivateKey = '', alipayPublicKey = '' } = account.credentials;
  const keys = { privateKey: bare(appPrivateKey), keyType: 'PKCS8', alipayPublicKey: bare(alipayPublicKey) } as const;
  const config = { appId, ...keys, gateway: `${opened.fake.url}/gateway.do` };
  const { orderNo, callbackUrl } = opened.order();
  const call = (name: string, bizContent: object) => ({
    method: `alipay.trade.${name}`,
    params: { bizContent: { out_trade_no: orderNo, ...bizContent }, notifyUrl: callbackUrl },
  });
  const created = await runSdk(config, [
    call('query', {}),
    call('precreate', { total_amount: '88.00', subject: '书' }),
  ]);
  expect(created).toMatchObject([
    { code: '40004', subCode: 'ACQ.TRADE_NOT_EXIST' },
    { code: '10000', outTradeNo: orderNo, qrCode: expect.stringMatching(/^https:/) },
  ]);
  await opened.control('pay', { orderNo });
  await expect.poll(() => opened.callbacks(orderNo).length).toBe(1);
  const sent = Buffer.from(opened.callbacks(orderNo)[0]?.body ?? []).toString();
  const form = Object.fromEntries(new URLSearchParams(sent));
  const sdk = new AlipaySdk(config);
  expect([sdk.checkNotifySignV2(form), sdk.checkNotifySignV2({ ...form, total_amount: '1.00' })]).toEqual([
    true,
    false,
  ]);
  const refund = { refund_amount: '88.00', out_request_no: 'R1' };
  const refunded = [call('refund', refund), call('refund', refund), call('fastpay.refund.query', refund)];
  expect(await runSdk(config, [call('query', {}), ...refunded])).toMatchObject([
    { tradeStatus: 'TRADE_SUCCESS', totalAmount: '88.00' },
    { code: '10000', fundChange: 'Y' },
    { code: '10000', fundChange: 'N' },
    { refundStatus: 'REFUND_SUCCESS' },
  ]);
  await opened.close();
});
