import { expect, test } from 'vitest';
import { problemOf } from '../../scripts/commit-subjects.mjs';
import { openRepository } from './files.ts';

const repository = openRepository();
const json = (path: string) => JSON.parse(repository.read(path));
const packages = [...repository.paths].filter((path) => /^(?:packages|tools)\/[^/]+\/package\.json$/.test(path));

/** What merchants build into their own software. */
const FOR_MERCHANTS = ['packages/client', 'packages/signature'];

test('every package names its licence, and contains the text of that licence', () => {
  expect(packages.length).toBeGreaterThan(10);
  const licences = Object.fromEntries(packages.map((path) => [path.replace('/package.json', ''), json(path).license]));
  const right = Object.keys(licences).map((path) => [path, FOR_MERCHANTS.includes(path) ? 'MIT' : 'UNLICENSED']);
  expect(licences).toEqual(Object.fromEntries(right));
  for (const path of FOR_MERCHANTS) expect(repository.read(`${path}/LICENSE`)).toMatch(/^MIT License\n/);
  expect(json('package.json').license).toBe('UNLICENSED');
  expect(repository.read('LICENSE')).toContain('All rights reserved');
  for (const path of FOR_MERCHANTS) expect(repository.read('LICENSE')).toContain(`${path}/LICENSE`);
});

test('.editorconfig has the same rules as biome.json', () => {
  const { indentStyle, indentWidth, lineWidth } = json('biome.json').formatter;
  const settings = repository.read('.editorconfig');
  expect(settings).toContain(`indent_style = ${indentStyle}\nindent_size = ${indentWidth}\n`);
  expect(settings).toContain(`max_line_length = ${lineWidth}\n`);
});

test.each([
  'fix(checkout): show the outstanding amount in the QR',
  'docs: describe the ledger writer',
  'feat(api)!: remove createOperatorToken',
  `test: ${'x'.repeat(66)}`,
])('the commit subject is accepted: %s', (subject) => {
  expect(problemOf(subject)).toBeNull();
});

test.each([
  ['x', 'is not conventional'],
  ['Fix the checkout', 'is not conventional'],
  ['fix(checkout):show it', 'is not conventional'],
  ['wip(checkout): show it', 'is not conventional'],
  [`test: ${'x'.repeat(67)}`, 'has 73 characters: at most 72'],
])('the commit subject is refused: %s', (subject, problem) => {
  expect(problemOf(subject)).toContain(problem);
});

test('pure tests of the service read nothing of the console, because a change of it does not repeat them', () => {
  const pure = [...repository.paths].filter((path) => path.endsWith('.unit.test.ts'));
  const others = pure.filter((path) => !/^(?:packages|tests)\/console\//.test(path));
  expect(others.length).toBeGreaterThan(100);
  expect(others.filter((path) => /packages\/console|@tidegate\/console/.test(repository.read(path)))).toEqual([]);
});
