import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { signWebhook, verifyWebhook } from './signing.ts';

interface Vector {
  name: string;
  secret: string;
  body: string;
  signature: string;
}
const file = new URL('../../vectors/razorpay.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] };

test.each(vectors)('the signature of $name equals that of the official SDKs', ({ secret, body, signature }) => {
  const bytes = Buffer.from(body);
  expect(signWebhook(secret, bytes)).toBe(signature);
  const secrets = [
    { name: 'other', secret: 'x' },
    { name: 'ours', secret },
  ];
  expect(verifyWebhook(secrets, signature, bytes)).toEqual({ ok: true, signedWith: 'ours' });
  expect(verifyWebhook([{ name: 'other', secret: `${secret}x` }], signature, bytes).ok).toBe(false);
  expect(verifyWebhook(secrets, signature, Buffer.concat([bytes, Buffer.from(' ')])).ok).toBe(false);
});

test.each([undefined, '', 'abc', 'g'.repeat(64), ['a', 'b'], 'A'.repeat(64)])('%j is not a signature', (signature) => {
  expect(verifyWebhook([{ name: 'ours', secret: 's' }], signature, Buffer.from('')).ok).toBe(false);
});
