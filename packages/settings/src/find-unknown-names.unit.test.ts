import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findUnknownNames } from './find-unknown-names.ts';
import { knownNames } from './known-names.ts';

const known = new Set([
  'DATABASE_URL',
  'REDIS_URL',
  'TIDEGATE_KEYS',
  'NOTIFY_ALLOW_CIDRS',
  'HOST',
  'PORT',
  'LOG_LEVEL',
]);

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['REDIS_URLS', 'REDIS_URL'],
  ['NOTIFY_ALLOW_CIDR', 'NOTIFY_ALLOW_CIDRS'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['TIDEGATE_KYES', 'TIDEGATE_KEYS'],
  ['TIDEGATE-KEYS', 'TIDEGATE_KEYS'],
])('the unknown name %s is reported, with the suggestion %s', (name, similar) => {
  expect(findUnknownNames([name], known)).toEqual([`${name} is not known: did you mean ${similar}?`]);
});

test('an unknown name with the prefix TIDEGATE_ is reported', () => {
  expect(findUnknownNames(['TIDEGATE_COLOUR'], known)).toEqual([
    'TIDEGATE_COLOUR is not known: no process of ours reads it',
  ]);
});

test('other variables are accepted, also those that Kubernetes adds', () => {
  const others = [
    'PATH',
    'HOME',
    'HOSTNAME',
    'HOSTS',
    'POST',
    'PGHOST',
    'NODE_ENV',
    'NODE_OPTIONS',
    'REDIS_TLS_URL',
    'LC_ALL',
    '_',
    'TIDEGATE_API_SERVICE_HOST',
    'TIDEGATE_API_SERVICE_PORT_HTTP',
    'TIDEGATE_API_PORT',
    'TIDEGATE_API_PORT_8080_TCP',
    'TIDEGATE_API_PORT_8080_TCP_ADDR',
    'X'.repeat(100_000),
  ];
  expect(findUnknownNames([...others, ...known], known)).toEqual([]);
});

test('every name in pages, scripts and snippets is known', () => {
  const root = join(import.meta.dirname, '../../..');
  const files = globSync(['docs/**/*.*', 'scripts/*.mjs', 'ops/**/*.*', 'packages/client/src/cli/*.ts', 'README.md'], {
    cwd: root,
  });
  const mentioned = files.flatMap(
    (file) => readFileSync(join(root, file), 'utf8').match(/\bTIDEGATE_\w*[A-Z0-9]\b/g) ?? [],
  );
  expect(new Set(mentioned).size).toBeGreaterThan(15);
  expect(findUnknownNames([...new Set(mentioned)], knownNames())).toEqual([]);
});
