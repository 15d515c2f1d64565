import { constants, generateKeyPairSync, sign as rsaSign } from 'node:crypto';
import { expect, test } from 'vitest';
import { decodeBase64Strict, readBody, readQuery, sign, signedHeaders, verify, verifyInPool } from './index.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const CONTENT = 'amount=100.50&remark=สวัสดี 😀';

/** The results of both ways to verify, which have to agree. */
async function verifies(...signed: Parameters<typeof verify>): Promise<boolean> {
  const inPlace = verify(...signed);
  expect(await verifyInPool(...signed)).toBe(inPlace);
  return inPlace;
}

test('a signature verifies its own content only', async () => {
  const signature = await sign(CONTENT, privateKey);
  expect(await verifies(CONTENT, signature, publicKey)).toBe(true);
  expect(await verifies(`${CONTENT}0`, signature, publicKey)).toBe(false);
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  expect(await verifies(CONTENT, signature, other.publicKey)).toBe(false);
});

test.each([
  ['PSS', 'sha256', constants.RSA_PKCS1_PSS_PADDING],
  ['SHA-1', 'sha1', constants.RSA_PKCS1_PADDING],
  ['SHA-512', 'sha512', constants.RSA_PKCS1_PADDING],
])('a signature with %s is refused', async (_, digest, padding) => {
  const signature = rsaSign(digest, Buffer.from(CONTENT), { key: privateKey, padding }).toString('base64');
  expect(await verifies(CONTENT, signature, publicKey)).toBe(false);
});

test('keys other than RSA are never used', async () => {
  await expect(sign(CONTENT, ec.privateKey)).rejects.toThrow(TypeError);
  expect(() => verify(CONTENT, 'AAAA', ec.publicKey)).toThrow(TypeError);
  await expect(verifyInPool(CONTENT, 'AAAA', ec.publicKey)).rejects.toThrow(TypeError);
});

test('another encoding of a valid signature is refused', async () => {
  const signature = await sign(CONTENT, privateKey);
  const bits = signature.replace(/(.)==$/, (_, last: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}==`);
  const spellings = [
    signature.replace(/=+$/, ''),
    `${signature}=`,
    ` ${signature}`,
    `${signature}\n`,
    signature.replace(/.{76}/g, '$&\n'),
    bits,
    '',
    signature.slice(4),
    `AAAA${signature}`,
  ];
  expect(signature).toMatch(/==$/);
  expect(Buffer.from(bits, 'base64').equals(Buffer.from(signature, 'base64'))).toBe(true);
  for (const spelling of spellings) expect(await verifies(CONTENT, spelling, publicKey), spelling).toBe(false);
});

test.each([
  ['', ''],
  ['AA==', '\0'],
  ['/+8=', '\xff\xef'],
  ['Zm9v', 'foo'],
])('the base64 text %j is accepted', (text, bytes) => {
  expect(decodeBase64Strict(text)?.toString('latin1')).toBe(bytes);
});

test.each([
  ['url-safe alphabet', '_-8='],
  ['padding missing', '/+8'],
  ['padding missing, two', 'AA'],
  ['one padding character instead of two', 'AA='],
  ['padding too long', 'Zm9v===='],
  ['padding alone', '===='],
  ['one letter left over', 'Zm9vA'],
  ['trailing bits, two', 'AB=='],
  ['trailing bits, one', '/+9='],
  ['white space inside', 'Zm 9v'],
  ['white space before', ' Zm9v'],
  ['white space after', 'Zm9v '],
  ['a line break', 'Zm9v\n'],
  ['two lines', 'Zm9v\r\nZm9v'],
  ['text after the padding', 'AA==Zm9v'],
  ['another character', 'Zm9*'],
  ['a letter outside ASCII', 'Zm9\u0176'],
])('a base64 text is refused: %s', (_, text) => {
  expect(decodeBase64Strict(text)).toBeNull();
});

test('the headers of a POST verify over its body, as text or bytes', async () => {
  const text = '{"merchantOrderNo":"M-1","remark":"ก"}';
  for (const body of [text, Buffer.from(text)]) {
    const headers = await signedHeaders({ merchantNo: 'M100', body, key: privateKey });
    const { 'X-Timestamp': timestamp = '', 'X-Nonce': nonce = '', 'X-Sign': signature = '' } = headers;
    expect(Object.keys(headers)).toEqual(['X-Merchant-No', 'X-Timestamp', 'X-Nonce', 'X-Sign']);
    expect(headers['X-Merchant-No']).toBe('M100');
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
    expect(nonce).toMatch(/^[0-9a-f-]{36}$/);
    expect(verify(readBody(Buffer.from(text)).content(timestamp, nonce), signature, publicKey)).toBe(true);
  }
});

test('the headers of a GET verify over its query, or over nothing', async () => {
  const fixed = { merchantNo: 'M100', key: privateKey, timestamp: '1790000000', nonce: 'abcdefgh' };
  const query = 'merchantOrderNo=M%2F1';
  const withQuery = await signedHeaders({ ...fixed, query });
  const without = await signedHeaders(fixed);
  const content = (of: string) => readQuery(of).content('1790000000', 'abcdefgh');
  expect(verify(content(query), withQuery['X-Sign'] ?? '', publicKey)).toBe(true);
  expect(verify(content(''), without['X-Sign'] ?? '', publicKey)).toBe(true);
});

test.each([
  ['a nonce too short', { nonce: 'short' }, 'nonce'],
  ['a nonce with a line break', { nonce: 'abcdefgh\n' }, 'nonce'],
  ['milliseconds', { timestamp: '1790000000000' }, 'timestamp'],
  ['body and query at once', { body: '{}', query: 'a=1' }, 'not both'],
  ['a body that the service refuses', { body: '{"a.b":1}' }, 'key "a.b" is not allowed'],
  ['a body with a lone surrogate', { body: '{"a":"\ud800"}' }, 'lone surrogate'],
])('signing is refused for %s', async (_, input, reason) => {
  await expect(signedHeaders({ merchantNo: 'M100', key: privateKey, ...input })).rejects.toThrow(reason);
});
