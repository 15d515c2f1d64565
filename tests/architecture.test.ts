import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findViolations } from './architecture-rules.ts';
import { WRITE_EXCEPTIONS } from './write-exceptions.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const PATTERNS = [
  '{packages,tools}/*/src/**/*.{ts,tsx}',
  'packages/console/build/*.ts',
  '{packages,tools}/*/test/**/*.ts',
  '{packages,tools}/*/*.ts',
  'tests/*.ts',
  '*.ts',
  'scripts/*.mjs',
];

test('all source files keep the rules of the architecture', () => {
  const paths = globSync(PATTERNS, { cwd: root, exclude: ['**/node_modules/**'] });
  expect(paths).toContain('packages/domain/src/index.ts');
  const sources = paths.map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }));
  expect(findViolations(sources, WRITE_EXCEPTIONS)).toEqual([]);
});

const core = 'packages/domain/src/core';

test.each<[string, string, string]>([
  [
    `${core}/fee.ts`,
    "import { Order } from '../orders/order.ts';",
    'must not import packages/domain/src/orders/order.ts: orders comes after core',
  ],
  [
    `${core}/fee.ts`,
    "import type { Order } from '../ledger/index.ts';",
    'must not import packages/domain/src/ledger/index.ts: ledger comes after core in the order of imports. Take what it needs as a parameter',
  ],
  [`${core}/fee.ts`, "export * from '../index.ts';", 'must not import packages/domain/src/index.ts'],
  ['packages/api/src/a.ts', 'z.object({ a: z.string().max(5) });', 'a.ts:1: z.string() has no limit: use boundedText'],
  ['packages/api/src/a.ts', 'z.iso.date();', 'z.iso() has no limit: use boundedText'],
  ['packages/api/src/a.ts', 'boundedText(9).pipe(z.string());', 'z.string() has no limit'],
  [`${core}/fee.ts`, "import { z } from 'zod';", 'must not import zod: core is pure. Pass in what it needs'],
  [`${core}/fee.ts`, "import { createServer } from 'node:http';", 'must not import node:http'],
  [`${core}/ledger-batch.ts`, "import { readFileSync } from 'node:fs';", 'must not import node:fs'],
  [`${core}/fee.ts`, 'export const f = async () => 1;', 'core is pure, async is not: pass in what it gives'],
  [`${core}/fee.ts`, 'export const f = () => Date.now();', 'core is pure, Date.now is not'],
  [`${core}/fee.ts`, 'export const f = () => new Date();', 'core is pure, new Date() is not'],
  [`${core}/fee.ts`, 'export const f = () => Math.random();', 'core is pure, Math.random is not'],
  [`${core}/fee.ts`, 'export const f = () => process.env.A;', 'core is pure, process.env is not'],
  [`${core}/fee.ts`, "export const f = () => fetch('x');", 'core is pure, fetch() is not'],
  ['packages/domain/src/countries/cn/index.ts', 'Date.now();', 'countries is pure, Date.now is not'],
  ['packages/domain/src/cases/decide-return.ts', 'Date.now();', 'a decision is pure, Date.now is not'],
  [
    'packages/domain/src/countries/cn/index.ts',
    "import '../../orders/x.ts';",
    'must not import packages/domain/src/orders/x.ts',
  ],
  ['packages/domain/src/countries/cn/index.ts', "import 'pg';", 'must not import pg: countries is pure'],
  [
    'packages/domain/src/lists/a.ts',
    "import '../cases/index.ts';",
    'must not import packages/domain/src/cases/index.ts: cases comes after lists',
  ],
  [
    'packages/domain/src/ledger/a.ts',
    "import '../audit/index.ts';",
    'must not import packages/domain/src/audit/index.ts: audit comes after ledger',
  ],
  [
    'packages/domain/src/orders/queries.ts',
    "const sql = 'delete from period_seal';",
    'only audit/ writes the table period_seal',
  ],
  [
    'packages/domain/src/orders/a.ts',
    "import '../ledger/writer.ts';",
    'must not import packages/domain/src/ledger/writer.ts: import it from ledger/index.ts, and export it there',
  ],
  [
    'packages/domain/src/approvals/operations/a.ts',
    "import '../../cases/close-case.ts';",
    'import it from cases/index.ts',
  ],
  [
    'packages/domain/src/orders/a.ts',
    "import type { Domain } from '../open-domain.ts';",
    'must not import packages/domain/src/open-domain.ts: name the parts of the domain that it needs, e.g. LedgerAccess',
  ],
  ['packages/domain/src/orders/a.ts', "import '../testing/x.ts';", 'must not import packages/domain/src/testing/x.ts'],
  ['packages/domain/src/risk/a.ts', '', 'there is no capability risk: give it a place in the order'],
  [
    'packages/domain/src/orders/a.ts',
    "const sql = 'select order_no from orders';",
    'SQL belongs in queries.ts and list*.ts: move it to orders/queries.ts',
  ],
  ['packages/domain/src/orders/a.ts', 'const sql = `with a as (select 1) select 2`;', 'move it to orders/queries.ts'],
  [
    'packages/domain/src/orders/queries.ts',
    'const sql = `update orders set status = $1`;',
    'only ledger/ writes the table orders: give the ledger writer a command',
  ],
  [
    'packages/domain/src/approvals/queries.ts',
    "const sql = 'insert into approval (merchant_id) values ($1)';",
    'only ledger/ writes the table approval',
  ],
  [
    'packages/domain/src/orders/queries.ts',
    "const sql = 'delete from merchant where merchant_id = $1';",
    'merchant is configuration: write it in configuration, channels, settlement, approvals, within changeConfiguration',
  ],
  [
    'packages/domain/src/configuration/queries.ts',
    `const sql = \`update \${table} t set secret = $1\`;`,
    'a value names the table that is written',
  ],
  ['packages/worker/src/a.ts', "const sql = 'select 1 from orders';", 'SQL belongs in packages/domain'],
  ['tools/sandbox/src/a.ts', "const sql = 'select 1 from orders';", 'SQL belongs in packages/domain'],
  [
    'packages/api/src/a.ts',
    "type A = import('./b.ts').A;",
    "import('packages/api/src/b.ts') as a type: write import type",
  ],
  [
    'packages/queue/src/a.ts',
    'export const f = (text: string) => JSON.parse(text);',
    'JSON.parse: read it with readJson',
  ],
  [
    'packages/worker/src/a.ts',
    'setInterval(() => undefined, 1);',
    'setInterval: use every of packages/domain/src/boundary',
  ],
  [
    'packages/worker/src/a.ts',
    "redis.on('message', (_topic, text) => take(text));",
    "on('message'): make its handler with guarded",
  ],
  ['packages/api/src/work/file-id.ts', 'export {};', 'does not call JSON.parse: delete its line'],
  ['packages/api/src/shared/a.ts', '', 'the name shared says nothing'],
  ['packages/api/src/utils.ts', '', 'the name utils.ts says nothing'],
])('a violation in %s is found: $2', (path, text, violation) => {
  expect(findViolations([{ path, text }])).toEqual([expect.stringContaining(violation)]);
});

test('each file that writes a table of another part is listed with its reason, and no other file is listed', () => {
  const file = { path: 'packages/domain/src/orders/queries.ts', text: "const sql = 'delete from orders';" };
  const writes = [{ file: 'orders/queries.ts', table: 'orders', reason: 'a test' }];
  expect(findViolations([file], writes)).toEqual([]);
  expect(findViolations([{ ...file, text: "const sql = 'select 1 from orders';" }], writes)).toEqual([
    'tests/write-exceptions.ts: orders/queries.ts does not write orders: delete its line',
  ]);
});

test.each(['create', 'insert', 'upsertMany', 'nativeUpdate', 'nativeDelete'])(
  'an entity of the ledger is passed to %s only within ledger/',
  (method) => {
    const entities = {
      path: 'packages/domain/src/database/entities/ledger.ts',
      text: "const Wallet = defineEntity({ name: 'Wallet', tableName: 'wallet', properties: {} });",
    };
    const text = `em.${method}(Wallet, {});`;
    const found = (path: string) => findViolations([entities, { path: `packages/domain/src/${path}`, text }]);
    expect(found('configuration/a.ts')).toEqual([expect.stringContaining('only ledger/ writes the table wallet')]);
    expect(found('ledger/a.ts')).toEqual([]);
  },
);

test.each<[string, string]>([
  [`${core}/fee.ts`, "import { Decimal } from 'decimal.js';\nimport './money.ts';"],
  [`${core}/ledger-batch.ts`, "import { createHash } from 'node:crypto';"],
  [
    `${core}/fee.ts`,
    "// no async, no Date.now()\nexport const f = (at: Date) => ['fetch', { process: 1 }, new Date(at)];",
  ],
  [`${core}/fee.test.ts`, "import '../orders/order.ts';\nimport 'fast-check';"],
  [
    'packages/domain/src/orders/a.ts',
    "import '../database/x.ts';\nimport '../ledger/index.ts';\nimport './b.ts';\nimport '@tidegate/signature';",
  ],
  ['packages/domain/src/audit/a.ts', "import '../ledger/index.ts';\nconst sql = 'select 1';"],
  ['packages/domain/src/index.ts', "export * from './orders/x.ts';"],
  ['packages/domain/src/entries/lists.ts', "export * from '../orders/list-orders.ts';"],
  ['packages/domain/src/orders/list-orders.ts', "const sql = 'select order_no from orders';"],
  ['packages/domain/src/orders/queries.ts', "const sql = 'select 1 from orders';"],
  ['packages/domain/src/ledger/queries.ts', "const sql = 'update wallet set available = $1';"],
  ['packages/domain/src/orders/queries.ts', "const sql = 'select 1 from orders for no key update skip locked';"],
  [
    'packages/domain/src/configuration/queries.ts',
    "const sql = 'insert into merchant (tag) values ($1) on conflict (tag) do update set tag = $1';",
  ],
  ['tools/bench/src/a.ts', "const sql = 'delete from orders';"],
  ['packages/domain/src/orders/a.ts', "// select a from b\nconst words = 'the order that was selected';"],
  ['packages/api/src/a.ts', "import type { B } from './b.ts';\nimport 'graphql';"],
])('%s: row %# keeps the rules', (path, text) => {
  expect(findViolations([{ path, text }])).toEqual([]);
});
