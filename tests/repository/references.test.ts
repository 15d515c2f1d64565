import { expect, test } from 'vitest';
import { openRepository } from './files.ts';
import { findBrokenReferences, type Repository } from './references.ts';

// A reader of the repository finds every rule, page and file that code and pages cite.

test('every citation, link and file name has a target', () => {
  const repository = openRepository();
  const sources = [...repository.paths].filter((path) => isChecked(path));
  expect(sources.length).toBeGreaterThan(1_000);
  const broken = sources.flatMap((path) => findBrokenReferences({ path, text: repository.read(path) }, repository));
  expect(broken).toEqual([]);
});

function isChecked(path: string): boolean {
  if (path.startsWith('tests/repository/') || path.startsWith('tests/mutation/')) return false;
  return /\.(ts|mts|mjs|md|yaml|yml|sh|ini|sql|css)$|(^|\/)Dockerfile$|^\.ci\//.test(path) && path !== 'pnpm-lock.yaml';
}

const pages: Record<string, string> = {
  'docs/contract/merchant-interface.md': '# Service\n\n### Create payin: CN (request body)\n',
  'docs/contract/decisions.md': '## 4. Request fields\n\n| 401 | 40102 | timestamp |\n\n5.3 A payin whose channel …\n',
  'docs/adr/0005-continuous-ledger-audit.md': '# The audit\n',
  'docs/running/alerts.md': '# Alerts\n\n## `RedisAway` & more\n\n## RedisAway\n\n## RedisAway\n',
  'docs/guides/errors.md': '# Errors\n',
  'packages/domain/src/core/fee.ts': '',
  'tests/nightly/faults.test.ts': '',
};
const folders = ['docs', 'docs/contract', 'docs/adr', 'docs/running', 'docs/guides', 'tests', 'tests/nightly'];
const repository: Repository = {
  paths: new Set([...folders, ...Object.keys(pages)]),
  read: (path) => pages[path] ?? '',
};
const check = (path: string, text: string) => findBrokenReferences({ path, text }, repository);

test.each([
  '// As decided (decisions 5.3).',
  '// The form (contract "Create payin"; decisions 4, 5.3, 40102).',
  '// Contract "Create payin: CN"; see docs/running/alerts.md#redisaway-1 and ADR 0005.',
  '// core/fee.ts has the rounding; tests/nightly/faults.test.ts and core/*.ts too.',
  "const address = '/docs/nowhere';",
  "const decisions = 1; const file = 'nowhere.ts';",
])('references in code are accepted: %s', (text) => {
  expect(check('packages/a.ts', text)).toEqual([]);
});

test.each([
  ['// decisions 5.9', 'packages/a.ts:1: docs/contract/decisions.md has no 5.9. Cite a number that the page has'],
  ['\n/** See decisions 4 and 6. */', 'packages/a.ts:2: docs/contract/decisions.md has no 6.'],
  [
    '// contract "Create refund"',
    'packages/a.ts:1: docs/contract/merchant-interface.md has no heading "Create refund".',
  ],
  ['// ADR 0099', 'packages/a.ts:1: docs/adr has no record 0099. Cite it by four digits'],
  ['// ADR 5', 'packages/a.ts:1: docs/adr has no record 5. Cite it by four digits'],
  ["throw new Error('see docs/gone.md');", 'packages/a.ts:1: there is no docs/gone.md. Name a file or folder'],
  ['// docs/running/alerts.md#gone', 'packages/a.ts:1: docs/running/alerts.md has no heading with the anchor #gone.'],
  ['// core/price.ts says more', 'packages/a.ts:1: there is no core/price.ts. Name a file by its path'],
])('a reference in code without a target is reported: %s', (text, problem) => {
  expect(check('packages/a.ts', text)).toEqual([expect.stringContaining(problem)]);
});

test.each([
  '[alerts](alerts.md#redisaway--more), [again](#here), [up](../guides/errors.md), [out](https://example.com/x)\n\n# Here',
  '[served](/docs/guides/errors), [made](/docs/doctor)',
  '`core/fee.ts`, `tests/nightly`, `core/<name>.ts`, `npm start`, `GET /wallet`',
  '```sh\ncat gone.md # [x](gone.md)\n```',
])('references in a page are accepted: %s', (text) => {
  expect(check('docs/running/page.md', text)).toEqual([]);
});

test.each([
  ['[a](gone.md)', 'docs/running/page.md:1: there is no docs/running/gone.md.'],
  ['x\n\n[a](alerts.md#gone)', 'docs/running/page.md:3: docs/running/alerts.md has no heading with the anchor #gone.'],
  ['[a](#gone)', 'docs/running/page.md:1: docs/running/page.md has no heading with the anchor #gone.'],
  ['[a](/docs/guides/gone)', 'docs/running/page.md:1: there is no docs/guides/gone.md.'],
  ['<img alt="" src="../images/gone.png">', 'docs/running/page.md:1: there is no docs/images/gone.png.'],
  ['`core/price.ts`', 'docs/running/page.md:1: there is no core/price.ts.'],
  ['`tests/gone`', 'docs/running/page.md:1: there is no tests/gone.'],
])('a reference in a page without a target is reported: %s', (text, problem) => {
  expect(check('docs/running/page.md', text)).toEqual([expect.stringContaining(problem)]);
});
