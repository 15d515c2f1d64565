import { dirname, join } from 'node:path/posix';
import { expect, test } from 'vitest';
import { openRepository } from './files.ts';

const repository = openRepository();
const sources = [...repository.paths].filter(
  (path) => /^(?:packages|tools)\/[^/]+\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path),
);

/** The folder of a package's source that has the file. A file of the root stands for itself. */
const folderOf = (root: string, path: string): string => path.slice(root.length + 1).split('/')[0] ?? '';

/** Which folders of a package import which others, each with an import that shows it. */
function importsOf(root: string): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const path of sources.filter((one) => one.startsWith(`${root}/`)))
    for (const [, target = ''] of repository.read(path).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const imported = join(dirname(path), target);
      const [from, to] = [folderOf(root, path), folderOf(root, imported)];
      if (!imported.startsWith(`${root}/`) || from === to) continue;
      const targets = found.get(from) ?? new Map<string, string>();
      found.set(from, targets.set(to, `${path} imports ${target}`));
    }
  return found;
}

/** The imports by which folders lead back to themselves. */
function circlesOf(imports: Map<string, Map<string, string>>): string[] {
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of imports.get(from)?.keys() ?? []) if (!seen.has(to)) reached(to, seen.add(to));
    return seen;
  };
  return [...imports].flatMap(([from, targets]) =>
    [...targets].flatMap(([to, example]) => (reached(to).has(from) ? [example] : [])),
  );
}

const roots = [...new Set(sources.map((path) => path.split('/').slice(0, 3).join('/')))];

test.each(roots)('the folders of %s import downwards only', (root) => {
  expect(circlesOf(importsOf(root))).toEqual([]);
});

test('folders that import each other are found', () => {
  const imports = new Map([
    ['a', new Map([['b', 'a imports b']])],
    ['b', new Map([['c', 'b imports c']])],
    ['c', new Map([['a', 'c imports a']])],
    ['d', new Map([['a', 'd imports a']])],
  ]);
  expect(circlesOf(imports)).toEqual(['a imports b', 'b imports c', 'c imports a']);
  expect(roots.length).toBeGreaterThan(10);
});
