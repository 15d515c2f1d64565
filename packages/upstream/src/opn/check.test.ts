import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { type OpnSetup, openOpn, within } from './testing/open-opn.ts';

let opn: OpnSetup;
beforeAll(async () => {
  opn = await openOpn();
});
afterAll(() => opn.close());

const steps = async (channel = opn.channel) =>
  ((await channel.check?.(within(10_000))) ?? []).map(({ step, isOk }) => [step, isOk]);

test('a correct account passes every step, and nothing is created', async () => {
  expect(await steps()).toEqual(['reach', 'credentials', 'clock', 'callback'].map((step) => [step, true]));
});

test('an unknown key fails the step of the credentials, although Opn is reached', async () => {
  const credentials = { secretKey: 'skey_test_5xuy4w91xqz7d1w9u0t', webhookSecret: opn.webhookSecret };
  expect(await steps(opn.channelAt(opn.url, { credentials }))).toEqual([
    ['reach', true],
    ['credentials', false],
  ]);
});

test('a key of the other mode fails the step of the credentials', async () => {
  const proxy = await startFaultyUpstream((_request, reply) => {
    const account = { object: 'account', livemode: true, webhook_uri: null };
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(account));
  });
  expect(await steps(opn.channelAt(proxy.url))).toEqual([
    ['reach', true],
    ['credentials', false],
    ['clock', true],
    ['callback', false],
  ]);
  await proxy.close();
});

test('an address without a server fails the first step of the check', async () => {
  const unavailable = await startFaultyUpstream(() => {});
  await unavailable.close();
  expect(await steps(opn.channelAt(unavailable.url))).toEqual([['reach', false]]);
});

test('webhooks that go to another channel fail the last step of the check', async () => {
  expect(await steps(opn.channelAt(opn.url, { channelId: 'opn-2' }))).toContainEqual(['callback', false]);
});

const webhookSecret = Buffer.alloc(32, 1).toString('base64');
const secretKey = 'skey_test_5xuy4w91xqz7d1w9u0t';
test.each([
  ['no secret key', 'https://api.omise.co', { webhookSecret }],
  ['a public key', 'https://api.omise.co', { secretKey: 'pkey_test_5xuy4w91xqz7d1w9u0t', webhookSecret }],
  ['no webhook secret', 'https://api.omise.co', { secretKey }],
  ['a webhook secret that is not base64', 'https://api.omise.co', { secretKey, webhookSecret: 'not a secret!!' }],
  ['a base URL of another scheme', 'ftp://api.omise.co', { secretKey, webhookSecret }],
  ['no URL', 'not a url', { secretKey, webhookSecret }],
  ['http to a public host', 'http://api.omise.co', { secretKey, webhookSecret }],
  ['a live key and no https', 'http://127.0.0.1:1', { secretKey: 'skey_5xuy4w91xqz7d1w9u0t', webhookSecret }],
])('settings with %s are refused at once, without a secret in the message', (_what, baseUrl, credentials) => {
  const open = () => opn.channelAt(baseUrl, { credentials: credentials as Record<string, string> });
  expect(open).toThrow(/^channel opn-1: /);
  for (const secret of Object.values(credentials)) expect(open).not.toThrow(secret);
});
