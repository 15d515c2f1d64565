import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// biome.json has the rules that need no knowledge of this service: packages use what their package.json names, circles, sizes.

const root = fileURLToPath(new URL('../..', import.meta.url));
const calls = (count: number) => 'f();\n'.repeat(count);

/** A file, its text, and the rules that it breaks. */
const CASES: readonly (readonly [path: string, text: string, ...rules: string[]])[] = [
  ['packages/signature/src/a.ts', "import '@tidegate/domain';", 'noUndeclaredDependencies'],
  ['packages/domain/src/orders/a.ts', "await import('@tidegate/upstream');", 'noUndeclaredDependencies'],
  ['packages/rest-adapter/src/a.ts', "import '@tidegate/statements/testing';", 'noUndeclaredDependencies'],
  ['packages/worker/src/a.ts', "import type { A } from '@tidegate/sandbox';", 'noUndeclaredDependencies'],
  ['packages/api/src/tests.ts', "import '@tidegate/sandbox/testing';", 'noUndeclaredDependencies'],
  ['packages/upstream/src/a.ts', "import '@tidegate/statements';", 'noUndeclaredDependencies'],
  ['packages/api/src/path.ts', "import '../../domain/src/core/fee.ts';", 'noRestrictedImports'],
  ['packages/api/src/tool.ts', "import type { A } from '../../../tools/sandbox/src/b.ts';", 'noRestrictedImports'],
  ['packages/api/src/process.ts', "import '@tidegate/worker';", 'noRestrictedImports', 'noUndeclaredDependencies'],
  [
    'packages/worker/src/type.ts',
    "import type { A } from '@tidegate/api';",
    'noRestrictedImports',
    'noUndeclaredDependencies',
  ],
  [
    'packages/rest-adapter/src/part.ts',
    "import '@tidegate/client/doctor';",
    'noRestrictedImports',
    'noUndeclaredDependencies',
  ],
  ['packages/api/src/x.ts', "import type { Y } from './y.ts';", 'noImportCycles'],
  ['packages/api/src/y.ts', "import { type Z } from './z.ts';", 'noImportCycles'],
  ['packages/api/src/z.ts', "export * from './x.ts';", 'noImportCycles'],
  ['packages/api/src/object.ts', 'export const f = { ...{ a: 1 } };', 'noUselessSpread'],
  ['tests/array.test.ts', 'export const f = [...[1, 2]];', 'noUselessSpread'],
  ['packages/api/src/file.ts', calls(401), 'noExcessiveLinesPerFile'],
  ['packages/api/src/file.test.ts', calls(401), 'noExcessiveLinesPerFile'],
  ['packages/api/src/arrow.ts', `export const a = () => {\n${calls(71)}};`, 'noExcessiveLinesPerFunction'],
  ['packages/api/src/method.ts', `export class A { m() {\n${calls(71)}} }`, 'noExcessiveLinesPerFunction'],
  ['packages/api/src/short.ts', `export const a = () => {\n${calls(70)}};`],
  ['packages/api/src/file-400.ts', calls(400)],
  ['packages/api/src/right.ts', "import type { S } from './short.ts';\nimport 'graphql';\nimport '@tidegate/domain';"],
  ['packages/api/src/right.test.ts', "import '../../domain/src/core/fee.ts';\nimport 'vitest';"],
  ['packages/console/src/a.ts', "import 'react';"],
];

test('the linter finds the violation in each file, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-lint-'));
  for (const path of ['biome.json', ...globSync('{packages,tools}/*/package.json', { cwd: root })])
    cpSync(join(root, path), join(folder, path));
  for (const [path, text] of CASES) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const args = ['lint', '--reporter=json', '--vcs-enabled=false', '--max-diagnostics=none'];
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/biome'), args, { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const { diagnostics }: { diagnostics: { category: string; location: { path: string } }[] } = JSON.parse(stdout);
  const rules = new Set(CASES.flatMap(([, , ...broken]) => broken));
  const found = diagnostics.map(({ category, location }) => [location.path, category.replace(/.*\//, '')] as const);
  expect(found.filter(([, rule]) => rules.has(rule)).toSorted()).toEqual(
    CASES.flatMap(([path, , ...broken]) => broken.map((rule) => [path, rule])).toSorted(),
  );
});
