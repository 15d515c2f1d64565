import { LedgerUnavailable } from '@tidegate/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, type Fixture, startFixture } from '../test/rest-fixture.ts';
import type { CallbackOutcome } from './request/rest-domain.ts';

const accepted: CallbackOutcome = { outcome: 'taken', reply: null };
let fixture: Fixture;
let takeCallback: () => Promise<CallbackOutcome> = async () => accepted;
let seen: { channel: string; signature: unknown; body: string } | undefined;
beforeAll(async () => {
  fixture = await startFixture({
    domain: {
      takeCallback: (channel, headers, body) => {
        seen = { channel, signature: headers['x-signature'], body: Buffer.from(body).toString('latin1') };
        return takeCallback();
      },
    },
  });
});
afterAll(() => fixture.close());

const callback = (body: string | Uint8Array<ArrayBuffer> = '{}') =>
  ({ method: 'POST', body, headers: { 'X-Signature': 's1' } }) satisfies RequestInit;

test('a callback is answered OK only after it was booked, and the adapter gets the raw bytes', async () => {
  const { promise: committed, resolve } = Promise.withResolvers<CallbackOutcome>();
  takeCallback = () => committed;
  const bytes = new Uint8Array([0x7b, 0xff, 0x00, 0x7d]);
  let answered = false;
  const response = fetch(`${fixture.url}/upstream/sandbox/callback`, callback(bytes)).finally(() => {
    answered = true;
  });
  await expect.poll(() => seen).toEqual({ channel: 'sandbox', signature: 's1', body: '{\xff\0}' });
  expect(answered).toBe(false);
  resolve(accepted);
  const { status, headers } = await response;
  expect([status, await (await response).text()]).toEqual([200, 'OK']);
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(headers.get('x-request-id')).toBeTruthy();
});

test.each([
  ['unauthentic', 401, 40101],
  ['malformed', 400, 40000],
  ['unknown_channel', 404, 40400],
  ['not_now', 503, 50300],
] as const)('a callback with the outcome %s is answered with %i', async (outcome, status, expected) => {
  takeCallback = async () => ({ outcome });
  const { response, code, data } = await ask(`${fixture.url}/upstream/sandbox/callback`, callback());
  expect([response.status, code, data]).toEqual([status, expected, null]);
});

test('a provider gets the answer that its adapter defines', async () => {
  takeCallback = async () => ({ outcome: 'taken', reply: { contentType: 'application/json', body: '{"ok":1}' } });
  const response = await fetch(`${fixture.url}/upstream/sandbox/callback`, callback());
  expect([response.headers.get('content-type'), await response.text()]).toEqual([
    'application/json; charset=utf-8',
    '{"ok":1}',
  ]);
});

test('a callback is answered 503 while the ledger cannot be written, and 413 for more than 64 KiB', async () => {
  takeCallback = () => Promise.reject(new LedgerUnavailable('unavailable'));
  const away = await ask(`${fixture.url}/upstream/sandbox/callback`, callback());
  expect([away.response.status, away.code]).toEqual([503, 50300]);
  takeCallback = async () => accepted;
  const large = await ask(`${fixture.url}/upstream/sandbox/callback`, callback('x'.repeat(65_537)));
  expect(large.code).toBe(41300);
  const most = await fetch(`${fixture.url}/upstream/sandbox/callback`, callback('x'.repeat(65_536)));
  expect(most.status).toBe(200);
});
