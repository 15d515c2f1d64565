import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findViolations } from './architecture-rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const PATTERNS = [
  'packages/*/src/**/*.ts',
  'packages/*/test/**/*.ts',
  'packages/*/*.ts',
  'tests/*.ts',
  '*.ts',
  'scripts/*.mjs',
];

test('the whole source keeps the rules of the architecture', () => {
  const paths = globSync(PATTERNS, { cwd: root, exclude: ['**/node_modules/**'] });
  expect(paths).toContain('packages/domain/src/index.ts');
  expect(findViolations(paths.map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') })))).toEqual([]);
});

const core = 'packages/domain/src/core';
const lines = (breaks: number) => `${'\n'.repeat(breaks)}1;`;

test.each<[string, string, string]>([
  [
    `${core}/fee.ts`,
    "import { Order } from '../store/order.ts';",
    'must not import packages/domain/src/store/order.ts',
  ],
  [
    `${core}/fee.ts`,
    "import type { Order } from '../ports/order.ts';",
    'must not import packages/domain/src/ports/order.ts',
  ],
  [`${core}/fee.ts`, "export * from '../index.ts';", 'must not import packages/domain/src/index.ts'],
  [`${core}/fee.ts`, "import { z } from 'zod';", 'must not import zod'],
  [`${core}/fee.ts`, "import { createServer } from 'node:http';", 'must not import node:http'],
  [`${core}/entry-hash.ts`, "import { readFileSync } from 'node:fs';", 'must not import node:fs'],
  [`${core}/fee.ts`, 'export const f = async () => 1;', 'core is pure, async is not'],
  [`${core}/fee.ts`, 'export const f = () => Date.now();', 'core is pure, Date.now is not'],
  [`${core}/fee.ts`, 'export const f = () => new Date();', 'core is pure, new Date() is not'],
  [`${core}/fee.ts`, 'export const f = () => Math.random();', 'core is pure, Math.random is not'],
  [`${core}/fee.ts`, 'export const f = () => process.env.A;', 'core is pure, process.env is not'],
  [`${core}/fee.ts`, "export const f = () => fetch('x');", 'core is pure, fetch() is not'],
  [
    'packages/domain/src/countries/cn/index.ts',
    "import '../../usecases/x.ts';",
    'must not import packages/domain/src/usecases/x.ts',
  ],
  ['packages/domain/src/store/a.ts', "import '../usecases/x.ts';", 'must not import packages/domain/src/usecases/x.ts'],
  [
    'packages/domain/src/usecases/a.ts',
    "import '../testing/x.ts';",
    'must not import packages/domain/src/testing/x.ts',
  ],
  ['packages/signature/src/a.ts', "import '@tidegate/domain';", 'must not import @tidegate/domain'],
  ['packages/domain/src/store/a.ts', "await import('@tidegate/upstream');", 'must not import @tidegate/upstream'],
  ['packages/rest-adapter/src/a.ts', "import '@tidegate/worker';", 'must not import @tidegate/worker'],
  ['packages/worker/src/a.ts', "import '@tidegate/api';", 'must not import @tidegate/api'],
  [
    'packages/api/src/a.ts',
    "type A = import('@tidegate/sandbox/testing').A;",
    'must not import @tidegate/sandbox/testing',
  ],
  ['packages/api/src/a.ts', "import '../../domain/src/core/fee.ts';", `must not import ${core}/fee.ts`],
  ['packages/api/src/shared/a.ts', '', 'the name shared says nothing'],
  ['packages/api/src/utils.ts', '', 'the name utils.ts says nothing'],
  ['packages/api/src/a.ts', lines(300), '301 lines, at most 300'],
  ['packages/api/src/a.test.ts', lines(300), '301 lines, at most 300'],
  ['packages/api/src/a.ts', `const a = () => {${lines(70)}};`, 'a function of 71 lines, at most 70'],
  ['packages/api/src/a.ts', `class A { m() {${lines(70)}} }`, 'a function of 71 lines, at most 70'],
])('in %s is found: $2', (path, text, violation) => {
  expect(findViolations([{ path, text }])).toEqual([expect.stringContaining(violation)]);
});

test('circles of imports are found once each, across any number of files', () => {
  const file = (name: string, ...imports: string[]) => ({
    path: `packages/api/src/${name}.ts`,
    text: imports.map((one) => `import './${one}.ts';`).join('\n'),
  });
  const path = (name: string) => `packages/api/src/${name}.ts`;
  expect(findViolations([file('z', 'b'), file('c', 'a'), file('b', 'c'), file('a', 'b', 'd'), file('d')])).toEqual([
    `import circle: ${['a', 'b', 'c', 'a'].map(path).join(' -> ')}`,
  ]);
});

test.each<[string, string]>([
  [`${core}/fee.ts`, "import { Decimal } from 'decimal.js';\nimport './money.ts';"],
  [`${core}/entry-hash.ts`, "import { createHash } from 'node:crypto';"],
  [
    `${core}/fee.ts`,
    "// no async, no Date.now()\nexport const f = (at: Date) => ['fetch', { process: 1 }, new Date(at)];",
  ],
  [`${core}/fee.test.ts`, "import '../store/order.ts';\nimport 'fast-check';"],
  ['packages/domain/src/usecases/a.ts', "import '../store/x.ts';\nimport '@tidegate/signature';"],
  ['packages/domain/src/index.ts', "export * from './store/x.ts';"],
  ['packages/sandbox/src/a.ts', "import '@tidegate/api';"],
  ['packages/api/src/a.ts', `const a = () => {${lines(69)}};`],
  ['packages/api/src/a.ts', "import type { B } from './b.ts';\nimport 'graphql';"],
])('%s: row %# is well', (path, text) => {
  expect(findViolations([{ path, text }])).toEqual([]);
});
