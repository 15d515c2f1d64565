import { expect, test } from 'vitest';
import { readSettings } from './read-settings.ts';
import { restAdapterSettings } from './rest-adapter.ts';
import { drainNoticeMs } from './services.ts';

const secret = '8b1f0c5e9a3d7264f1e2d3c4b5a69788796a5b4c3d2e1f00917e6d5c4b3a2918';
/** A line of a key file, with the key as 64 hexadecimal digits. */
const keyLine = (hex: string) => `payin current open 00000000 ${Buffer.from(hex, 'hex').toString('base64url')}`;
const right = {
  PORT: '8080',
  DATABASE_URL: 'postgres://h/d',
  REDIS_URL: 'redis://h',
  PUBLIC_BASE_URL: 'https://pay.test',
  TIDEGATE_ENV: 'sandbox',
  TIDEGATE_KEYS: keyLine(secret),
};
const read = (more: Record<string, string>) => readSettings(restAdapterSettings, { ...right, ...more });

/** The problems of an environment; none if it is accepted. */
function problemsOf(more: Record<string, string>): string[] {
  const found = read(more);
  return found.ok ? [] : found.problems;
}

test.each(['redis://h', 'rediss://u:p@h:1/3', 'redis://h:1,redis://i:2', 'redis://h?cluster=true'])(
  'REDIS_URL %s is accepted unchanged',
  (url) => {
    expect(read({ REDIS_URL: url })).toMatchObject({ ok: true, settings: { REDIS_URL: url } });
  },
);

test('all problems of REDIS_URL are reported, without its value', () => {
  const problems = problemsOf({ REDIS_URL: 'redis://:hush@h/1,rediss://i?db=hush' });
  expect(problems).toEqual([
    expect.stringMatching(/^REDIS_URL names a database other than 0/),
    expect.stringMatching(/^REDIS_URL mixes redis/),
    expect.stringMatching(/^REDIS_URL has a parameter that is not known/),
  ]);
  expect(problems.join()).not.toContain('hush');
});

test('an empty variable counts as missing', () => {
  expect(problemsOf({ REDIS_URL: '', TIDEGATE_NEVER_HEARD_OF: '' })).toEqual(['REDIS_URL is missing']);
});

test('all problems are reported at once, of every kind, without values', () => {
  const problems = problemsOf({
    PORT: 'hush',
    DATABASE_URL: 'mysql://hush@h/d',
    REDIS_URL: '',
    TIDEGATE_KEYS: secret,
    TIDEGATE_ENV: 'production',
    NOTIFY_ALLOW_CIDRS: '10.0.0.0/8',
    TIDEGATE_SCHEDULE_SCALE: '0.5',
    TIDEGATE_KYES: 'hush',
    TIDEGATE_FEATURE: 'hush',
    LOG_LEVEL: 'loud',
  });
  expect(problems.toSorted()).toEqual([
    expect.stringMatching(/^DATABASE_URL has to be a URL that begins with postgres/),
    'LOG_LEVEL has to be debug, info, warn or error',
    'NOTIFY_ALLOW_CIDRS has to be empty in production',
    'PORT has to be a port number',
    'REDIS_URL is missing',
    'TIDEGATE_FEATURE is not known: no process of ours reads it',
    'TIDEGATE_KYES is not known: did you mean TIDEGATE_KEYS?',
    'TIDEGATE_SCHEDULE_SCALE has to be 1 in production',
  ]);
  expect(problems.join()).not.toMatch(new RegExp(`hush|${secret}`));
});

test('variables of our other processes are known', () => {
  const others = { WORKER_POLL_CONCURRENCY: 'x', OIDC_ISSUER: 'x', TIDEGATE_DATA_DIR: 'x', STATE_FILE: 'x' };
  expect(problemsOf({ ...others, TIDEGATE_GRAPHIQL_TOKEN_FILE: 'x' })).toEqual([]);
});

test.each<[string, boolean]>([
  [secret, true],
  ['c0ffee0123456789'.repeat(4), false],
  ['0123456789abcdef'.repeat(4), false],
  ['0'.repeat(64), false],
  [Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('hex'), false],
  [Buffer.from(Array.from({ length: 32 }, (_, at) => 200 - 3 * at)).toString('hex'), false],
  [Buffer.from('a secret that somebody has typed').toString('hex'), false],
])('in production a key like %s is accepted: %s', (key, isAccepted) => {
  const TIDEGATE_KEYS = `# keys\n${keyLine(secret)}\n${keyLine(key)}\n`;
  const problems = problemsOf({ TIDEGATE_ENV: 'production', TIDEGATE_KEYS });
  expect(problems).toEqual(
    isAccepted ? [] : [expect.stringMatching(/^TIDEGATE_KEYS has to have random keys in production/)],
  );
  expect(problemsOf({ TIDEGATE_KEYS })).toEqual([]);
});

test.each<[string, string]>([
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80.5'],
  ['TRUSTED_PROXIES', '10'],
  ['TIDEGATE_SCHEDULE_SCALE', '0'],
  ['TIDEGATE_SCHEDULE_SCALE', 'NaN'],
  ['TIDEGATE_ENV', 'staging'],
  ['PUBLIC_BASE_URL', 'pay.test'],
  ['PUBLIC_BASE_URL', `https://pay.test/${'x'.repeat(5_000)}`],
  ['PUBLIC_BASE_URL', 'https://pay.test/?a=1'],
  ['PUBLIC_BASE_URL', 'https://pay.test/#a'],
  ['NOTIFY_ALLOW_CIDRS', '127.0.0.1/99'],
  ['CHANNEL_ALLOW_CIDRS', '10.0.0.0/8,intranet'],
  ['DRAIN_NOTICE_SECONDS', '11'],
  ['DRAIN_NOTICE_SECONDS', '1.5'],
])('%s=%s is refused', (name, value) => {
  expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
});

test.each([
  ['sandbox', '', 0],
  ['sandbox', '3', 3_000],
  ['production', '', 5_000],
  ['production', '0', 0],
  ['production', '10', 10_000],
])('in %s with DRAIN_NOTICE_SECONDS=%s the notice takes %i ms', (environment, seconds, ms) => {
  const found = read({ TIDEGATE_ENV: environment, DRAIN_NOTICE_SECONDS: seconds });
  if (!found.ok) throw new Error(found.problems.join());
  expect(drainNoticeMs(found.settings)).toBe(ms);
});
