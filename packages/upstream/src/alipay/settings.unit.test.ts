import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { takeKeyPair } from '@tidegate/domain/testing';
import { expect, test } from 'vitest';
import { memoryOfOneProcess } from '../testing/channel-tools.ts';
import { isPositive, readYuan, smallerYuan } from './amounts.ts';
import { makeCertificate } from './fake/certificates.ts';
import { readSettings } from './settings.ts';

const { privateKey, privateKeyPem, publicKeyPem } = takeKeyPair();
const bare = (pem: string) => pem.replace(/-----[A-Z ]+-----|\s/g, '');
const good = {
  appId: '2021000000000001',
  sellerId: '2088000000000001',
  appPrivateKey: privateKeyPem,
  alipayPublicKey: publicKeyPem,
};
const read = (changed: Record<string, string>, baseUrl = 'https://openapi.alipay.com/gateway.do') =>
  readSettings({ channelId: 'c', baseUrl, credentials: { ...good, ...changed }, memory: memoryOfOneProcess() });
const short = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });

test.each([
  ['PEM', privateKeyPem],
  ['base64 of PKCS 8', bare(privateKeyPem)],
  ['base64 of PKCS 1', bare(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString())],
])('the application key can be entered as %s', (_as, appPrivateKey) => {
  const account = read({ appPrivateKey, alipayPublicKey: bare(publicKeyPem), product: '' });
  expect(createPublicKey(account.privateKey).export({ type: 'spki', format: 'pem' })).toBe(publicKeyPem);
  expect(account).toMatchObject({ product: 'qr', subject: '订单', certificates: null });
});

test('a certificate of Alipay whose key is too short is not trusted, and the others still are', () => {
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  const certified = (subjectKey: string) =>
    makeCertificate({ subjectKey, signingKey: privateKeyPem, commonName: 'x', days: 1 });
  const [strong, short] = [certified(privateKeyPem), certified(weak.toString())];
  const others = { appCertificate: strong.pem, alipayRootCertificate: strong.pem };
  const account = read({ ...others, alipayCertificate: `${short.pem}${strong.pem}` });
  expect(account.trusted.map(({ serial }) => serial)).toEqual([strong.serial]);
  expect(() => read({ ...others, alipayCertificate: short.pem })).toThrow('must be an RSA certificate of 2048 bits');
});

test('an address without a path is that of the gateway', () => {
  expect(read({}, 'http://127.0.0.1:1').gatewayUrl).toBe('http://127.0.0.1:1/gateway.do');
});

test.each([
  ['no application', { appId: '' }],
  ['an invalid seller', { sellerId: '123' }],
  ['no key', { appPrivateKey: '' }],
  ['a key of another kind', { appPrivateKey: short.toString() }],
  ['the private key as Alipay’s', { alipayPublicKey: 'AAAA' }],
  ['neither key nor certificates', { alipayPublicKey: '' }],
  ['one certificate of three', { alipayCertificate: 'x' }],
  ['another product', { product: 'wap' }],
  ['a title with a slash', { subject: 'a/b' }],
])('settings with %s cannot be used, and the reason has no secret', (_what, changed) => {
  let reason = '';
  try {
    read(changed);
  } catch (error) {
    reason = error instanceof Error ? error.message : '';
  }
  expect(reason).toMatch(/^channel c: [a-zA-Z]/);
  expect(reason).not.toContain(bare(privateKeyPem).slice(0, 20));
  expect(reason.length).toBeLessThan(200);
});

test.each(['not a url', 'ftp://127.0.0.1', 'http://openapi.alipay.com/gateway.do', 'http://8.8.8.8'])(
  'the base URL %s cannot be used',
  (baseUrl) => {
    expect(() => read({}, baseUrl)).toThrow(/^channel c: the base URL/);
  },
);

test.each([
  ['88.88', '88.88'],
  ['88.8', '88.80'],
  ['88', '88.00'],
  ['0088.00', '88.00'],
  ['0', '0.00'],
  ['', null],
  ['-1.00', null],
  ['1e3', null],
  ['1.000', null],
  [' 1.00', null],
])('the amount %j is %j', (text, expected) => {
  expect(readYuan(text)).toBe(expected);
});

test('amounts are compared as amounts', () => {
  expect([smallerYuan('9.00', '10.00'), smallerYuan('10.00', '9.99')]).toEqual(['9.00', '9.99']);
  expect([isPositive('0.00'), isPositive('0.01'), isPositive('10.00')]).toEqual([false, true, true]);
});
