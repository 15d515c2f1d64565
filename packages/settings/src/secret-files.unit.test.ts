import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSettings } from './read-settings.ts';
import { restAdapterSettings } from './rest-adapter.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidegate-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const hex = '8b1f0c5e9a3d7264f1e2d3c4b5a69788796a5b4c3d2e1f00917e6d5c4b3a2918';
const secret = `payin current open 00000000 ${Buffer.from(hex, 'hex').toString('base64url')}`;
const files = {
  DATABASE_URL_FILE: file('database', 'postgres://u:hush@h/d\n'),
  REDIS_URL_FILE: file('redis', 'redis://:hush@h\r\n'),
  TIDEGATE_KEYS_FILE: file('secret', secret),
};
const plain = { PORT: '0', TIDEGATE_ENV: 'production', PUBLIC_BASE_URL: 'https://pay.test' };
const read = (env: Record<string, string>) => readSettings(restAdapterSettings, { ...plain, ...files, ...env });

test('every secret can be in a file, without the newline at its end', () => {
  expect(read({})).toMatchObject({
    ok: true,
    settings: { DATABASE_URL: 'postgres://u:hush@h/d', REDIS_URL: 'redis://:hush@h', TIDEGATE_KEYS: secret },
  });
});

test('a file behind a link is read, as Kubernetes provides secrets', () => {
  symlinkSync(files.TIDEGATE_KEYS_FILE, join(folder, 'link'));
  expect(read({ TIDEGATE_KEYS_FILE: join(folder, 'link') })).toMatchObject({ ok: true });
});

test('only one newline is removed, and problems are reported without the value', () => {
  const wrong = read({ REDIS_URL_FILE: file('one', 'http://hush\n') });
  expect(wrong).toEqual({ ok: false, problems: [expect.stringMatching(/^REDIS_URL (?!.*hush)/)] });
  expect(read({ TIDEGATE_KEYS_FILE: file('two', `${secret}\n\n`) })).toMatchObject({
    settings: { TIDEGATE_KEYS: `${secret}\n` },
  });
});

test.each<[string, () => Record<string, string>, string]>([
  ['both set', () => ({ TIDEGATE_KEYS: secret }), 'and TIDEGATE_KEYS are both set: keep one of them'],
  ['no such file', () => ({ TIDEGATE_KEYS_FILE: '/nowhere/hush' }), 'names a file that cannot be read (ENOENT)'],
  ['the secret itself', () => ({ TIDEGATE_KEYS_FILE: 'hush\0' }), 'names a file that cannot be read'],
  ['a folder', () => ({ TIDEGATE_KEYS_FILE: folder }), 'names something that is not a file'],
  ['what never ends', () => ({ TIDEGATE_KEYS_FILE: '/dev/zero' }), 'names something that is not a file'],
  ['an empty file', () => ({ TIDEGATE_KEYS_FILE: file('empty', '\n') }), 'names an empty file'],
  ['a large file', () => ({ TIDEGATE_KEYS_FILE: file('large', 'x'.repeat(70_000)) }), 'names a file of more than 64'],
  [
    'no text',
    () => ({ TIDEGATE_KEYS_FILE: file('bytes', Buffer.from([0xff, 0xfe])) }),
    'names a file that is not UTF-8',
  ],
])('refused, once, without its content: %s', (_what, env, problem) => {
  const found = read(env());
  if (found.ok) throw new Error('it was accepted');
  expect(found.problems).toHaveLength(1);
  expect(found.problems[0]).toContain(`TIDEGATE_KEYS_FILE ${problem}`);
  expect(found.problems[0]).not.toMatch(new RegExp(`hush|${secret}`));
});

test('a variable that is not secret is not read from a file', () => {
  expect(read({ PORT: '', PORT_FILE: file('port', '8080') })).toEqual({ ok: false, problems: ['PORT is missing'] });
});
