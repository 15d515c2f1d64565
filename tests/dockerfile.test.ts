import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { ROOT, readStages, stepsOf } from './shipping/dockerfile.ts';

// What its steps make is tried in nightly/built-processes.test.ts.

const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
const stages = readStages();
const images = ['rest-adapter', 'api', 'worker', 'admin'] as const;
/** The limit of the young generation, which decides speed and memory (docs/adr/0029-processes-are-bundled.md). */
const youngGeneration = {
  'rest-adapter': ['--max-semi-space-size=32'],
  api: ['--max-semi-space-size=32'],
  worker: ['--max-semi-space-size=8'],
  admin: [],
};
const lastOf = (image: string, word: string) =>
  stepsOf(stages, image).findLast((step) => step.word === word)?.text ?? '';

test('the linter finds no problem, and finds one that the test adds', () => {
  expect(validate(text)).toEqual([]);
  expect(validate(text.replace('ENTRYPOINT', 'ENTRYPONT'))).not.toEqual([]);
});

test('every stage is based on one exact version of Node 24', () => {
  const names = stages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...images]));
  for (const [at, { name, base }] of stages.entries())
    if (!names.slice(0, at).includes(base)) expect(base, name).toMatch(/^node:24\.\d+\.\d+-[a-z]+-slim$/);
});

test.each([...images])('%s runs as a user who cannot change its files, and has a health check', (image) => {
  expect(lastOf(image, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(JSON.parse(lastOf(image, 'ENTRYPOINT'))).toEqual([
    'node',
    ...youngGeneration[image],
    `packages/${image}/src/main.js`,
  ]);
  expect(lastOf(image, 'HEALTHCHECK')).toMatch(image === 'admin' ? /^NONE$/ : /^CMD .*\/healthz/);
  const brought = stepsOf(stages, image).filter(({ word }) => ['COPY', 'ADD', 'RUN'].includes(word));
  expect(brought).toEqual([
    { word: 'RUN', flags: {}, text: 'install --directory --owner=1000 --group=1000 --mode=700 seals' },
    { word: 'COPY', flags: { from: 'build' }, text: `/src/packages/${image}/dist .` },
  ]);
});

test('the console is built before the API, and the image of the API contains it', () => {
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  expect(JSON.parse(read('turbo.json')).tasks['@tidegate/api#build'].dependsOn).toEqual(['@tidegate/console#build']);
  expect(JSON.parse(read('packages/console/package.json')).scripts.build).toBe('node build/build.ts');
  // In a production install there is nothing of the console's tools.
  expect(JSON.parse(read('packages/console/package.json'))).not.toHaveProperty('dependencies');
  expect(read('packages/api/package.json')).not.toContain('@tidegate/console');
});

test('secrets and local data are excluded from the build context', () => {
  const [first, ...rest] = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(first).toBe('*');
  expect(rest.filter((line) => line.startsWith('!')).toSorted()).toEqual(
    [
      '.npmrc',
      'docs/guides',
      'docs/signing',
      'package.json',
      'packages',
      'pnpm-lock.yaml',
      'pnpm-workspace.yaml',
      'scripts',
      'tools',
      'tsconfig.json',
      'turbo.json',
    ].map((name) => `!${name}`),
  );
});
