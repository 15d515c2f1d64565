import { expect, test } from 'vitest';
import { bareAdapter } from '../testing/bare-adapter.ts';
import { FakeChannel } from '../testing/fake-channel.ts';
import { UnusableSettings } from './channel-adapter.ts';
import { packed } from './credentials.ts';
import { problemsOfSettings } from './problems-of-settings.ts';

/** An adapter that wants an https address, the key `right` and a short salt. With a secret it fails without naming a field. */
const picky = bareAdapter(({ channelId, baseUrl, credentials }) => {
  const { key, salt = '', secret } = credentials;
  if (secret !== undefined) throw new Error(`channel ${channelId}: no secret today`);
  const problems = [
    ...(baseUrl.startsWith('https:') ? [] : [{ path: 'baseUrl', reason: 'must be https' }]),
    ...(key === 'right' ? [] : [{ path: 'credentials.key', reason: key === undefined ? 'is missing' : 'is wrong' }]),
    ...(salt.length < 5 ? [] : [{ path: 'credentials.salt', reason: 'is too long' }]),
  ];
  if (problems.length > 0) throw new UnusableSettings(channelId, problems);
  return new FakeChannel();
});
const domain = { adapters: { picky, other: bareAdapter(() => new FakeChannel()) } };

type Given = Partial<Parameters<typeof problemsOfSettings>[1]>;
type Known = Parameters<typeof problemsOfSettings>[2];
const paths = (input: Given, before: Known = null) =>
  problemsOfSettings(domain, { channelId: 'c', adapter: 'picky', ...input }, before).map(({ path }) => path);

const known = {
  adapter: 'picky',
  declaredMode: null,
  seenMode: null,
  baseUrl: 'https://a.test',
  credentialNames: ['key'],
};
const unusable = { ...known, baseUrl: 'http://a.test', credentialNames: ['key', 'salt'] };

test('each invalid field of a new channel is reported', () => {
  expect(paths({})).toEqual(['baseUrl', 'credentials']);
  expect(paths({ baseUrl: 'http://a.test', credentials: { key: 'wrong' } })).toEqual(['baseUrl', 'credentials.key']);
  expect(paths({ baseUrl: 'https://a.test', credentials: {} })).toEqual(['credentials.key']);
  expect(paths({ baseUrl: 'https://a.test', credentials: { key: 'right', salt: 'abc' } })).toEqual([]);
});

test('an unknown credential is refused, and the message names the known ones', () => {
  const input = { channelId: 'c', adapter: 'picky', baseUrl: 'https://a.test', credentials: { Key: 'right' } };
  expect(problemsOfSettings(domain, input, null)).toEqual([
    { path: 'credentials.Key', reason: 'is not known to the adapter: it reads apiKey, key, salt, secret' },
  ]);
});

test('credentials that are kept cannot be opened, so they are not checked again', () => {
  expect(paths({ baseUrl: 'https://a.test/v2' }, known)).toEqual([]);
  expect(paths({ baseUrl: 'http://a.test' }, known)).toEqual(['credentials']);
  expect(paths({ removedCredentials: ['key'] }, known)).toEqual(['credentials.key']);
  expect(paths({ credentials: { salt: 'long long' } }, known)).toEqual(['credentials.salt']);
  expect(paths({ credentials: { salt: 'abc' } }, known)).toEqual([]);
  expect(paths({ credentials: { secret: 's' } }, known)).toEqual([]);
  // Another host gets none of the secrets that are stored.
  expect(paths({ baseUrl: 'https://b.test', credentials: { salt: 'abc' } }, known)).toEqual(['credentials.key']);
});

test('credentials that are sealed already were checked before that', () => {
  const sealed = packed({ payin: Buffer.alloc(100) }, 'unknown');
  expect(paths({ baseUrl: 'https://a.test', credentials: { key: sealed } })).toEqual([]);
  expect(paths({ baseUrl: 'https://a.test', credentials: { salt: sealed } })).toEqual(['credentials.key']);
  expect(paths({ baseUrl: 'https://a.test', credentials: { key: 'sealed:live:payin=x' } })).toEqual([
    'credentials.key',
  ]);
});

test('a channel with invalid stored settings can be fixed step by step, but not made worse', () => {
  expect(paths({}, unusable)).toEqual([]);
  expect(paths({ credentials: { key: 'right' } }, unusable)).toEqual([]);
  expect(paths({ credentials: { key: 'still wrong' } }, unusable)).toEqual(['credentials.key']);
  expect(paths({ removedCredentials: ['key'] }, unusable)).toEqual(['credentials.key']);
  expect(paths({ adapter: 'picky', credentials: { salt: 'also long' } }, unusable)).toEqual(['credentials.salt']);
  expect(paths({ adapter: 'other', credentials: {} }, unusable)).toEqual([]);
});

test('an error without fields is reported for the credentials, without the channel’s name', () => {
  const input = { channelId: 'c', adapter: 'picky', baseUrl: 'https://a.test', credentials: { secret: 's' } };
  expect(problemsOfSettings(domain, input, null)).toEqual([
    { path: 'credentials', reason: 'cannot be used: no secret today' },
  ]);
});

test('adapters without an API take neither address nor credentials', () => {
  expect(paths({ adapter: 'market' })).toEqual([]);
  expect(paths({ adapter: 'manual', baseUrl: 'https://a.test', credentials: { key: 'k' } })).toEqual([
    'baseUrl',
    'credentials.key',
  ]);
});
