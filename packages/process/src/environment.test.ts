import { expect, test } from 'vitest';
import * as z from 'zod';
import { commonVariables, drainNoticeMs, readEnvironment } from './environment.ts';

const schema = z.object(commonVariables);
const right = {
  ...{ PORT: '8080', DATABASE_URL: 'postgres://h/d', REDIS_URL: 'redis://h', PUBLIC_BASE_URL: 'https://pay.test' },
  ...{ TIDEGATE_ENV: 'sandbox', TIDEGATE_SECRET: '0123456789abcdef'.repeat(4) },
};

test.each(['redis://h', 'rediss://u:p@h:1/3', 'redis://h:1,redis://i:2', 'redis://h?cluster=true'])(
  'REDIS_URL %s is taken as it is',
  (url) => {
    expect(readEnvironment(schema, { ...right, REDIS_URL: url })).toMatchObject({
      ok: true,
      settings: { REDIS_URL: url },
    });
  },
);

test('everything that is wrong with REDIS_URL is told, and nothing of it', () => {
  const read = readEnvironment(schema, { ...right, REDIS_URL: 'redis://:hush@h/1,rediss://i?db=hush' });
  if (read.ok) throw new Error('it was taken');
  expect(read.problems).toEqual([
    expect.stringMatching(/^REDIS_URL names a database other than 0/),
    expect.stringMatching(/^REDIS_URL mixes redis/),
    expect.stringMatching(/^REDIS_URL has a parameter that is not known/),
  ]);
  expect(read.problems.join()).not.toContain('hush');
});

test('a missing REDIS_URL is told as such', () => {
  expect(readEnvironment(schema, { ...right, REDIS_URL: '' })).toEqual({
    ok: false,
    problems: ['REDIS_URL is missing'],
  });
});

test.each([
  ['sandbox', '', 0],
  ['sandbox', '3', 3_000],
  ['production', '', 5_000],
  ['production', '0', 0],
  ['production', '10', 10_000],
])('in %s with DRAIN_NOTICE_SECONDS=%s the notice takes %i ms', (environment, seconds, ms) => {
  const read = readEnvironment(schema, { ...right, TIDEGATE_ENV: environment, DRAIN_NOTICE_SECONDS: seconds });
  if (!read.ok) throw new Error(read.problems.join());
  expect(drainNoticeMs(read.settings)).toBe(ms);
});

test.each(['11', '-1', '1.5', 'soon'])('DRAIN_NOTICE_SECONDS=%s is refused', (seconds) => {
  expect(readEnvironment(schema, { ...right, DRAIN_NOTICE_SECONDS: seconds })).toEqual({
    ok: false,
    problems: ['DRAIN_NOTICE_SECONDS has to be a whole number of seconds from 0 to 10'],
  });
});
