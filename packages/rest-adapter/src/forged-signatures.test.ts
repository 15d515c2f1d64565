import {
  constants,
  createHash,
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  privateEncrypt,
  sign,
} from 'node:crypto';
import { readBody } from '@tidegate/signature';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aRequest, headerOf, type RawRequest, send, setHeader } from '../test/raw-request.ts';
import { aBody, type Fixture, merchantKeys, publicPem, startFixture } from '../test/rest-fixture.ts';

const now = 1_790_000_000;
const rsa = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength });
const [unknownKey, neighbour, retired, next, short] = [rsa(), rsa(), rsa(), rsa(), rsa(1024)];
const [large, unknownLarge] = [rsa(3072), rsa(3072)];
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const own = merchantKeys.privateKey;

let fixture: Fixture;
let merchantNo: string;
beforeAll(async () => {
  fixture = await startFixture({ environment: 'production', clock: () => now * 1000 + 999 });
  const key = (keyId: string, publicKeyPem: string, expiresAt: number | null) => ({ keyId, publicKeyPem, expiresAt });
  const unreadable = key('cut short', publicPem(next.publicKey).slice(0, 200), null);
  merchantNo = fixture.merchant({
    keys: [
      key('retired a moment ago', publicPem(retired.publicKey), now * 1000 + 999),
      key('of 1024 bits', publicPem(short.publicKey), null),
      unreadable,
      key('on its way out', publicPem(merchantKeys.publicKey), now * 1000 + 1_000),
      key('the new one', publicPem(next.publicKey), null),
      key('of 3072 bits', publicPem(large.publicKey), null),
    ],
  }).merchantId;
  fixture.merchant({ merchantId: 'NEIGHBOUR', keys: [key('n', publicPem(neighbour.publicKey), null)] });
  fixture.merchant({ merchantId: 'KEYLESS', keys: [] });
  fixture.merchant({ merchantId: 'UNREADABLE', keys: [unreadable] });
});
afterAll(() => fixture.close());

const requestBy = (key: KeyObject) => aRequest({ merchantNo, key, timestamp: String(now) });

/** The content that the request's signature has to cover. */
const contentOf = (request: RawRequest): string =>
  readBody(request.body).content(headerOf(request, 'X-Timestamp'), headerOf(request, 'X-Nonce'));

type Forge = (content: Buffer) => Buffer;
const signed =
  (algorithm: string, key: Parameters<typeof sign>[2]): Forge =>
  (content) =>
    sign(algorithm, content, key);

/** Raw RSA over a block of 256 bytes that ends with `end`, after a padding of `padding` bytes. */
const raw = (end: Buffer, padding: number, garbage = 0): Buffer => {
  const start = [Buffer.from([0, 1]), Buffer.alloc(padding, 0xff), Buffer.from([0])];
  const block = Buffer.concat([...start, end, Buffer.alloc(garbage, 0x5a)]);
  return privateEncrypt({ key: own, padding: constants.RSA_NO_PADDING }, block);
};
const sha256 = (content: Buffer): Buffer => createHash('sha256').update(content).digest();
const digestInfo = (content: Buffer, start = '3031300d060960864801650304020105000420'): Buffer =>
  Buffer.concat([Buffer.from(start, 'hex'), sha256(content)]);

const forgeries: [name: string, forge: Forge][] = [
  ['an unknown key', signed('sha256', unknownKey.privateKey)],
  ['an unknown key of 3072 bits', signed('sha256', unknownLarge.privateKey)],
  ["another merchant's key", signed('sha256', neighbour.privateKey)],
  ['a key that has been retired', signed('sha256', retired.privateKey)],
  ['a key of 1024 bits, although it is on record', signed('sha256', short.privateKey)],
  ['an elliptic key', signed('sha256', elliptic.privateKey)],
  ['RSA-PSS', signed('sha256', { key: own, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })],
  ['RSA-PSS without salt', signed('sha256', { key: own, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 0 })],
  ['MD5', signed('md5', own)],
  ['SHA-1', signed('sha1', own)],
  ['SHA-224', signed('sha224', own)],
  ['SHA-384', signed('sha384', own)],
  ['SHA-512', signed('sha512', own)],
  ['SHA-512/256', signed('sha512-256', own)],
  ['SHA3-256', signed('sha3-256', own)],
  ['the bare digest, padded', (content) => privateEncrypt(own, sha256(content))],
  ['the bare digest, not padded', (content) => raw(sha256(content), 221)],
  ['the digest in hexadecimal', (content) => privateEncrypt(own, Buffer.from(sha256(content).toString('hex')))],
  ['a digest of the digest', (content) => sign('sha256', sha256(content), own)],
  [
    'the digest without its NULL',
    (content) => raw(digestInfo(content, '302f300b0609608648016503040201' + '0420'), 204),
  ],
  ['eight bytes of padding and garbage behind', (content) => raw(digestInfo(content), 8, 194)],
  ['correct padding, but the digest of another content', () => raw(digestInfo(Buffer.from('other')), 202)],
  [
    'an HMAC keyed with the public key',
    (c) => createHmac('sha256', publicPem(merchantKeys.publicKey)).update(c).digest(),
  ],
  ['a byte too few', (content) => sign('sha256', content, own).subarray(1)],
  ['a zero byte in front', (content) => Buffer.concat([Buffer.alloc(1), sign('sha256', content, own)])],
  ['a byte behind', (content) => Buffer.concat([sign('sha256', content, own), Buffer.alloc(1)])],
  [
    'a flipped bit',
    (content) => sign('sha256', content, own).map((byte, i) => (i === 255 ? byte ^ 1 : byte)) as Buffer,
  ],
  ['nothing but zeros', () => Buffer.alloc(256)],
  ['the number one', () => Buffer.concat([Buffer.alloc(255), Buffer.from([1])])],
  ['a number above the modulus', () => Buffer.alloc(256, 0xff)],
  ['a single byte', () => Buffer.from([0])],
];

describe('a forged signature over the right content is invalid', () => {
  test.each(forgeries)('%s', async (_, forge) => {
    const request = await requestBy(own);
    setHeader(request, 'X-Sign', Buffer.from(forge(Buffer.from(contentOf(request)))).toString('base64'));
    expect(await send(fixture.port, request)).toMatchObject({
      status: 401,
      code: 40101,
      msg: 'signature invalid',
      data: null,
    });
  });

  test('the padding that the forgeries change is valid if unchanged', async () => {
    const request = await requestBy(own);
    setHeader(request, 'X-Sign', raw(digestInfo(Buffer.from(contentOf(request))), 202).toString('base64'));
    expect(await send(fixture.port, request)).toMatchObject({ status: 200, code: 0 });
  });

  test.each([
    ['a signature by a key in its last millisecond', merchantKeys.privateKey],
    ['a signature by the new key after a rotation', next.privateKey],
    ['a signature by a larger key', large.privateKey],
  ])('%s is valid, with any other registered keys', async (_, key) => {
    expect(await send(fixture.port, await requestBy(key))).toMatchObject({ status: 200, code: 0 });
  });
});

describe('the right signature is invalid over another content', () => {
  const contents: [name: string, of: (request: RawRequest, content: string) => string][] = [
    ['the body as it stands', ({ body }) => body.toString()],
    ['timestamp and nonce left out', (_, content) => content.replace(/&(nonce|timestamp)=[^&]*/g, '')],
    ['the timestamp left out', (_, content) => content.replace(/&timestamp=[^&]*/, '')],
    ['the nonce left out', (_, content) => content.replace(/&nonce=[^&]*/, '')],
    ['not sorted', (_, content) => content.split('&').toReversed().join('&')],
    ['the keys only', (_, content) => content.replace(/=[^&]*/g, '')],
    ['a line break behind', (_, content) => `${content}\n`],
    ['a separator behind', (_, content) => `${content}&`],
    ['the merchant number as a field', (_, content) => content.replace('&nonce', `&merchantNo=${merchantNo}&nonce`)],
    ['nothing', () => ''],
  ];
  test.each(contents)('%s', async (_, contentFor) => {
    const request = await requestBy(own);
    const content = contentFor(request, contentOf(request));
    expect(content).not.toBe(contentOf(request));
    setHeader(request, 'X-Sign', sign('sha256', Buffer.from(content), own).toString('base64'));
    expect(await send(fixture.port, request)).toMatchObject({ status: 401, code: 40101, msg: 'signature invalid' });
  });
});

describe('the right signature in another base64 encoding', () => {
  const lastBits = (text: string): string => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const at = text.length - 3;
    return `${text.slice(0, at)}${alphabet[alphabet.indexOf(text[at] ?? '') + 1]}==`;
  };
  const spellings: [name: string, code: number, spell: (text: string) => string][] = [
    ['bits set in the last character that no byte has', 40101, lastBits],
    ['without padding', 40101, (text) => text.replace(/=+$/, '')],
    ['with half its padding', 40101, (text) => text.slice(0, -1)],
    ['with too much padding', 40101, (text) => `${text}=`],
    ['padding in front', 40101, (text) => `=${text}`],
    ['in the url-safe alphabet', 40100, (text) => text.replaceAll('+', '-').replaceAll('/', '_')],
    ['in hexadecimal', 40101, (text) => Buffer.from(text, 'base64').toString('hex')],
    ['in upper-case letters', 40101, (text) => text.toUpperCase()],
    ['twice in a row', 40101, (text) => text + text],
    ['encoded twice', 40101, (text) => Buffer.from(text).toString('base64')],
    ['with a blank inside', 40100, (text) => `${text.slice(0, 76)} ${text.slice(76)}`],
    ['with a tab inside', 40100, (text) => `${text.slice(0, 76)}\t${text.slice(76)}`],
    ['in quotes', 40100, (text) => `"${text}"`],
    ['percent-encoded', 40100, (text) => encodeURIComponent(text)],
    ['as a list with itself', 40100, (text) => `${text}, ${text}`],
    ['with a letter of another alphabet', 40100, (text) => `\xe0${text.slice(1)}`],
    ['as long as a header may be', 40101, () => 'A'.repeat(4096)],
    ['longer than that', 40100, () => 'A'.repeat(4097)],
    ['empty', 40100, () => ''],
    ['between blanks, which belong to HTTP and not to the value', 0, (text) => ` \t ${text} \t `],
  ];
  test.each(spellings)('%s: %i', async (_, code, spell) => {
    const request = await requestBy(own);
    setHeader(request, 'X-Sign', spell(headerOf(request, 'X-Sign')));
    const reply = await send(fixture.port, request);
    expect(reply.code).toBe(code);
    if (code === 40100) expect(reply.msg).toMatch(/^missing header: X-Sign/);
  });
});

describe('without a valid key every caller gets the same answer, byte by byte', () => {
  const answerTo = async (merchantNo: string, key: KeyObject) => {
    const request = await aRequest({ merchantNo, key, body: aBody(), timestamp: String(now) });
    const { text } = await send(fixture.port, request);
    return text.replace(/^x-request-id: [^\r]+/m, '').replace(/^date: [^\r]+/im, '');
  };
  test.each([
    ['an unknown merchant', 'NO-SUCH-MERCHANT', own],
    ['a merchant that has no key', 'KEYLESS', own],
    ['a merchant whose key cannot be read', 'UNREADABLE', next.privateKey],
    ['a merchant with the key of another merchant', 'NEIGHBOUR', own],
  ])('%s', async (_, number, key) => {
    const wrong = await answerTo(merchantNo, unknownKey.privateKey);
    expect(wrong).toMatch(/^HTTP\/1\.1 401 .*\{"code":40101,"msg":"signature invalid","data":null\}$/s);
    expect(await answerTo(number, key)).toBe(wrong);
  });
});
