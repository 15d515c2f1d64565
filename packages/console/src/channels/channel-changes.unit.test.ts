import { expect, test } from 'vitest';
import { type CredentialChanges, changedChannel, isOtherHost } from './channel-changes.ts';

const channel = { channelId: 'acme', adapter: 'fake', baseUrl: 'https://acme.example/v1', payinExpirySeconds: 1800 };
const same = { channelId: 'acme', adapter: 'fake' };
const shown = { baseUrl: channel.baseUrl, payinExpirySeconds: '1800', credentials: '' };

const credentials = (changes: Partial<CredentialChanges>) =>
  JSON.stringify({ ...{ values: {}, removed: [], added: [] }, ...changes });

test('only what was changed is sent, and an emptied field changes nothing', () => {
  expect(changedChannel(channel, shown)).toEqual(same);
  expect(changedChannel(channel, { ...shown, baseUrl: ' ', payinExpirySeconds: '' })).toEqual(same);
  expect(changedChannel(channel, { baseUrl: 'https://acme.example/v2', payinExpirySeconds: '900' })).toEqual({
    ...{ ...same, baseUrl: 'https://acme.example/v2', payinExpirySeconds: 900 },
  });
});

test('an empty credential stays, a typed one is set without line breaks around it, a removed one is named', () => {
  const typed = credentials({
    values: { key: ' new ', secret: '', old: 'not needed' },
    removed: ['old'],
    added: [
      { name: ' pin ', value: '\n1\n2\n' },
      { name: '', value: '' },
    ],
  });
  expect(changedChannel(channel, { ...shown, credentials: typed })).toEqual({
    ...{ ...same, credentials: { key: ' new ', pin: '1\n2' }, removedCredentials: ['old'] },
  });
});

test('another path is the same host, another port is not', () => {
  const addresses = ['https://acme.example/v2', '', 'https://acme.example:8443/v1', 'https://evil.example/v1'];
  expect(addresses.map((baseUrl) => isOtherHost(channel, { baseUrl }))).toEqual([false, false, true, true]);
});
