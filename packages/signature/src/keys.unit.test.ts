import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  InvalidKey,
  keyId,
  merchantOfServiceKeyId,
  parsePrivateKey,
  parsePublicKey,
  serviceKeyId,
  toJwk,
} from './index.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const small = generateKeyPairSync('rsa', { modulusLength: 2047 });
const large = generateKeyPairSync('rsa', { modulusLength: 3072 });
const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const publicPem = (key: KeyObject, type: 'spki' | 'pkcs1' = 'spki') => String(key.export({ type, format: 'pem' }));
const publicDer = (key: KeyObject, type: 'spki' | 'pkcs1' = 'spki') =>
  key.export({ type, format: 'der' }).toString('base64');
const privatePem = (key: KeyObject, type: 'pkcs8' | 'pkcs1' = 'pkcs8') => String(key.export({ type, format: 'pem' }));

test.each([
  ['SPKI PEM', publicPem(rsa.publicKey)],
  ['PKCS#1 PEM', publicPem(rsa.publicKey, 'pkcs1')],
  ['PEM with CRLF and blank lines around', `\r\n${publicPem(rsa.publicKey).replaceAll('\n', '\r\n')}\r\n`],
  ['base64 of SPKI DER', publicDer(rsa.publicKey)],
  ['base64 of PKCS#1 DER', publicDer(rsa.publicKey, 'pkcs1')],
  ['base64 in lines', publicDer(rsa.publicKey).replace(/.{64}/g, '$&\n')],
])('a public key is read from %s', (_, text) => {
  expect(parsePublicKey(text).equals(rsa.publicKey)).toBe(true);
  expect(parsePublicKey(text)).toBe(parsePublicKey(text));
});

test('a larger key is accepted', () => {
  expect(parsePublicKey(publicPem(large.publicKey)).equals(large.publicKey)).toBe(true);
});

const base64url = (number: bigint) => {
  const hex = number.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
};
const changedPem = (change: { n?: string; e?: string }) =>
  publicPem(createPublicKey({ key: { ...rsa.publicKey.export({ format: 'jwk' }), ...change }, format: 'jwk' }));
const withExponent = (e: bigint) => changedPem({ e: base64url(e) });
const withModulus = (n: bigint) => changedPem({ n: base64url(n) });
const modulus = BigInt(
  `0x${Buffer.from(rsa.publicKey.export({ format: 'jwk' }).n ?? '', 'base64url').toString('hex')}`,
);
const evenModulus = modulus - 1n;

test.each([
  ['an exponent of 3', withExponent(3n)],
  ['the largest exponent', withExponent(2n ** 32n - 1n)],
  ['8192 bits', withModulus(2n ** 8191n + 1n)],
])('accepted as a public key: %s', (_, text) => {
  expect(parsePublicKey(text).asymmetricKeyType).toBe('rsa');
});

const exponentRule = 'the public exponent of an RSA key must be odd, at least 3 and at most 2^32';

test.each([
  ['nothing', '', 'not a public key in PEM or base64 DER'],
  ['garbage', 'hello there', 'not a public key in PEM or base64 DER'],
  ['base64 of garbage', Buffer.from('hello there').toString('base64'), 'not an RSA public key'],
  ['url-safe base64', publicDer(rsa.publicKey).replaceAll('+', '-').replaceAll('/', '_'), 'not a public key'],
  ['base64 cut short', publicDer(rsa.publicKey).slice(0, 200), 'not an RSA public key'],
  ['a PEM cut short', publicPem(rsa.publicKey).slice(0, 200), 'not a public key in PEM or base64 DER'],
  ['a PEM under the wrong label', publicPem(rsa.publicKey).replaceAll('PUBLIC', 'RSA PUBLIC'), 'not an RSA public key'],
  ['a private key', privatePem(rsa.privateKey), 'not a public key in PEM or base64 DER'],
  ['a key too small', publicPem(small.publicKey), 'an RSA key needs 2048 bits or more'],
  ['an EC key', publicPem(ec.publicKey), 'not an RSA key'],
  ['an RSA-PSS key', publicPem(pss.publicKey), 'not an RSA key'],
  ['an exponent of 1', withExponent(1n), exponentRule],
  ['an even exponent', withExponent(65536n), exponentRule],
  ['an exponent above 2^32', withExponent(2n ** 32n + 1n), exponentRule],
  ['an exponent as long as the modulus', withExponent(2n ** 2040n + 1n), exponentRule],
  ['an even modulus', withModulus(evenModulus), 'the RSA key has an even modulus'],
  ['8193 bits', withModulus(2n ** 8192n + 1n), 'an RSA key may have 8192 bits at most'],
  ['an endless text', 'A'.repeat(20_000), 'too long for a key'],
])('refused as a public key: %s', (_, text, reason) => {
  expect(() => parsePublicKey(text)).toThrow(InvalidKey);
  expect(() => parsePublicKey(text)).toThrow(reason);
});

test.each([
  ['PKCS#8 PEM', privatePem(rsa.privateKey)],
  ['PKCS#1 PEM', privatePem(rsa.privateKey, 'pkcs1')],
])('a private key is read from %s', (_, text) => {
  expect(parsePrivateKey(text).equals(rsa.privateKey)).toBe(true);
  expect(parsePrivateKey(text)).toBe(parsePrivateKey(text));
});

const encrypted = rsa.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' });

test.each([
  ['garbage', 'hello there', 'not a private key in PEM'],
  ['a public key', publicPem(rsa.publicKey), 'not a private key in PEM'],
  ['an encrypted key', String(encrypted), 'not a private key in PEM'],
  ['a key too small', privatePem(small.privateKey), 'an RSA key needs 2048 bits or more'],
  ['an EC key', privatePem(ec.privateKey), 'not an RSA key'],
])('refused as a private key: %s', (_, text, reason) => {
  expect(() => parsePrivateKey(text)).toThrow(InvalidKey);
  expect(() => parsePrivateKey(text)).toThrow(reason);
});

test('a key that was dropped from the cache is read again', () => {
  const first = privatePem(rsa.privateKey);
  const before = parsePrivateKey(first);
  for (let i = 1; i <= 64; i += 1) parsePrivateKey(first + ' '.repeat(i));
  expect(parsePrivateKey(first)).not.toBe(before);
  expect(parsePrivateKey(first).equals(before)).toBe(true);
});

test('the key id of the example in RFC 7638, section 3.1, is right', () => {
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
  const key = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' });
  expect(keyId(key)).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
});

test('a JWK contains only the public half, whichever half is given', () => {
  const { n, e } = rsa.publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('base64url');
  const expected = { kty: 'RSA', n, e, kid, alg: 'RS256', use: 'sig' };
  expect(toJwk(rsa.publicKey)).toEqual(expected);
  expect(toJwk(rsa.privateKey)).toEqual(expected);
  expect(keyId(large.publicKey)).not.toBe(kid);
  expect(() => toJwk(ec.publicKey)).toThrow(TypeError);
});

test("the id of a merchant's service key begins with the merchant number", () => {
  const id = serviceKeyId('IN-10001', rsa.publicKey);
  expect(id).toBe(`IN-10001.${keyId(rsa.publicKey).slice(0, 22)}`);
  expect(id).toMatch(/^IN-10001\.[A-Za-z0-9_-]{22}$/);
  expect(merchantOfServiceKeyId(id)).toBe('IN-10001');
});

test.each([
  '',
  'IN10001',
  'IN10001.',
  '.AAAAAAAAAAAAAAAAAAAAAA',
  'in10001.AAAAAAAAAAAAAAAAAAAAAA',
  'IN10001.AAAAAAAAAAAAAAAAAAAAA',
  'IN10001.AAAAAAAAAAAAAAAAAAAAAAA',
  'IN10001.AAAAAAAAAAAAAAAAAAAA/A',
  'IN10001.AAAAAAAAAAAAAAAAAAAAAA\n',
])('%j is not the id of a service key', (id) => {
  expect(merchantOfServiceKeyId(id)).toBeNull();
});
