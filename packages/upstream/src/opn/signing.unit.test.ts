import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { basicAuthorization, examineSignature, readWebhookSecret, webhookSignature } from './signing.ts';

interface Vectors {
  webhookSignatures: { name: string; secret: string; timestamp: string; body: string; signature: string }[];
  basicAuthorization: { key: string; header: string }[];
}
const vectors: Vectors = JSON.parse(readFileSync(new URL('../../vectors/opn.json', import.meta.url), 'utf8'));

const bytes = (text: string) => Buffer.from(text, 'utf8');
const verifies = (secret: Uint8Array, headers: Record<string, string | string[]>, body: Uint8Array, nowMs: number) =>
  examineSignature(secret, headers, body, nowMs).every(({ isOk }) => isOk);
const signed = (timestamp: string, ...signatures: string[]) => ({
  'omise-signature-timestamp': timestamp,
  'omise-signature': signatures.join(','),
});

test.each(vectors.webhookSignatures)(
  'the signature of the test vector is right: $name',
  ({ secret, timestamp, body, signature }) => {
    const key = readWebhookSecret(secret) ?? bytes('');
    expect(webhookSignature(key, timestamp, bytes(body))).toBe(signature);
    // One vector has words in the place of the timestamp.
    if (!/^[0-9]{10}$/.test(timestamp)) return;
    expect(verifies(key, signed(timestamp, signature), bytes(body), Number(timestamp) * 1_000)).toBe(true);
  },
);

test.each(vectors.basicAuthorization)('the authorization of the test vector is right: $key', ({ key, header }) => {
  expect(basicAuthorization(key)).toBe(header);
});

const secret = bytes('the webhook secret of a unit test');
const at = 1_770_000_000;
const body = bytes('{"object":"event"}');
const signature = webhookSignature(secret, String(at), body);

test.each([
  [
    'both signatures during a change of the secret',
    [webhookSignature(bytes('another'), String(at), body), signature],
    0,
    true,
  ],
  ['only a signature by another secret', [webhookSignature(bytes('another'), String(at), body)], 0, false],
  ['five minutes of difference', [signature], 300, true],
  ['more than five minutes', [signature], 301, false],
  ['a clock that is ahead by more', [signature], -301, false],
  ['too many signatures', Array<string>(6).fill(signature), 0, false],
  ['upper-case letters', [signature.toUpperCase()], 0, false],
])('a webhook signature is verified or refused: %s', (_what, signatures, laterSeconds, isVerified) => {
  const nowMs = (at + laterSeconds) * 1_000;
  expect(verifies(secret, signed(String(at), ...signatures), body, nowMs)).toBe(isVerified);
});

test.each([
  ['no timestamp', { 'omise-signature': signature }],
  ['a timestamp in words', signed('yesterday', signature)],
  ['a timestamp in milliseconds', signed('1770000000000', signature)],
  ['no signature', { 'omise-signature-timestamp': String(at) }],
  ['a header that came twice', { ...signed(String(at), signature), 'omise-signature': [signature, signature] }],
])('a webhook signature is not verified: %s', (_what, headers) => {
  expect(verifies(secret, headers, body, at * 1_000)).toBe(false);
});

test('a body with any changed byte is not verified', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), fc.nat({ max: 254 }), (sent, place, by) => {
      const right = webhookSignature(secret, String(at), sent);
      const changed = Uint8Array.from(sent);
      const index = place % sent.length;
      changed[index] = ((changed[index] ?? 0) + by + 1) % 256;
      expect(verifies(secret, signed(String(at), right), sent, at * 1_000)).toBe(true);
      expect(verifies(secret, signed(String(at), right), changed, at * 1_000)).toBe(false);
    }),
    { numRuns: 100 },
  );
});

test.each(['', 'short', 'not base64 at all!', 'c2hvcnQ=', 'AAECAwQFBgcICQoLDA0ODx'])(
  '“%s” is not a webhook secret',
  (text) => expect(readWebhookSecret(text)).toBeNull(),
);
