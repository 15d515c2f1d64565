import { expect, test } from 'vitest';
import { signedHeaders, verifySigned } from './signing.ts';

const NOW = 1_700_000_000_000;
const [SECRET, TARGET, BODY] = ['s3cret', 'POST /orders', '{"a":1}'];
const headers = signedHeaders(SECRET, TARGET, BODY, NOW);

test('the signature is HMAC-SHA256 over timestamp, target and body', () => {
  // printf '1700000000\nPOST /orders\n{"a":1}' | openssl dgst -sha256 -hmac s3cret
  expect(headers).toEqual({
    'x-sandbox-timestamp': '1700000000',
    'x-sandbox-signature': '2c5222ff6929affb8fd4ca6d847c8c2f5feef22a7b793b4736d2dae6c8815c58',
  });
});

test.each([
  ['as it was signed', {}, { ok: true }],
  ['with another secret', { secret: 'other' }, { ok: false, detail: 'signature does not verify' }],
  ['for another target', { target: 'POST /orders/1/cancel' }, { ok: false, detail: 'signature does not verify' }],
  ['with another body', { body: '{"a":2}' }, { ok: false, detail: 'signature does not verify' }],
  ['300 s later', { now: NOW + 300_000 }, { ok: true }],
  ['301 s later', { now: NOW + 301_000 }, { ok: false, detail: 'timestamp out of range' }],
  ['300 s before', { now: NOW - 300_000 }, { ok: true }],
  ['301 s before', { now: NOW - 301_000 }, { ok: false, detail: 'timestamp out of range' }],
])(
  'a signature is checked %s',
  (_how, { secret = SECRET, target = TARGET, body = BODY, now = NOW }: Partial<Checked>, verdict) => {
    expect(verifySigned(secret, headers, target, body, now)).toEqual(verdict);
  },
);

test.each([
  ['no timestamp', { 'x-sandbox-timestamp': undefined }],
  ['no signature', { 'x-sandbox-signature': undefined }],
  ['a signature twice', { 'x-sandbox-signature': [headers['x-sandbox-signature'], headers['x-sandbox-signature']] }],
  ['a signature in upper-case letters', { 'x-sandbox-signature': headers['x-sandbox-signature'].toUpperCase() }],
  ['a signature cut short', { 'x-sandbox-signature': headers['x-sandbox-signature'].slice(1) }],
  ['a timestamp with a sign', { 'x-sandbox-timestamp': '+170000000' }],
])('signature headers are refused: %s', (_what, changed) => {
  expect(verifySigned(SECRET, { ...headers, ...changed }, TARGET, BODY, NOW)).toMatchObject({ ok: false });
});

interface Checked {
  secret: string;
  target: string;
  body: string;
  now: number;
}
