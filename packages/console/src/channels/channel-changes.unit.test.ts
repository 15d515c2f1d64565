import { expect, test } from 'vitest';
import { type CredentialChanges, changedChannel, isOtherHost, newChannel } from './channel-changes.ts';

const channel = { channelId: 'acme', adapter: 'fake', baseUrl: 'https://acme.example/v1', payinExpirySeconds: 1800 };
const same = { channelId: 'acme', adapter: 'fake' };
const shown = { baseUrl: channel.baseUrl, payinExpirySeconds: '1800', credentials: '' };

const credentials = (changes: Partial<CredentialChanges>) => JSON.stringify({ values: {}, removed: [], ...changes });

test('only changed fields are sent, and an emptied field changes nothing', () => {
  expect(changedChannel(channel, shown)).toEqual(same);
  expect(changedChannel(channel, { ...shown, baseUrl: ' ', payinExpirySeconds: '' })).toEqual(same);
  expect(changedChannel(channel, { baseUrl: 'https://acme.example/v2', payinExpirySeconds: '900' })).toEqual({
    ...same,
    baseUrl: 'https://acme.example/v2',
    payinExpirySeconds: 900,
  });
});

test('an empty credential stays, a typed credential is sent without line breaks around it, and a removed one is sent by its name', () => {
  const typed = credentials({
    values: { key: ' new ', secret: '', old: 'not needed', pin: '\n1\n2\n' },
    removed: ['old'],
  });
  expect(changedChannel(channel, { ...shown, credentials: typed })).toEqual({
    ...same,
    credentials: { key: ' new ', pin: '1\n2' },
    removedCredentials: ['old'],
  });
});

test('an address with another path has the same host, and one with another port has another host', () => {
  const addresses = ['https://acme.example/v2', '', 'https://acme.example:8443/v1', 'https://evil.example/v1'];
  expect(addresses.map((baseUrl) => isOtherHost(channel, { baseUrl }))).toEqual([false, false, true, true]);
});

test('a new channel is sent with address and credentials only if its adapter calls an API', () => {
  const typed = { channelId: ' acme ', adapter: 'opn', baseUrl: ' https://a.example ', payinExpirySeconds: '' };
  const set = credentials({ values: { secretKey: 'k', webhookSecret: '' } });
  expect(newChannel({ ...typed, credentials: set }, true)).toEqual({
    channelId: 'acme',
    adapter: 'opn',
    baseUrl: 'https://a.example',
    credentials: { secretKey: 'k' },
  });
  expect(newChannel({ ...typed, adapter: 'market', payinExpirySeconds: '60' }, false)).toEqual({
    channelId: 'acme',
    adapter: 'market',
    payinExpirySeconds: 60,
  });
});
