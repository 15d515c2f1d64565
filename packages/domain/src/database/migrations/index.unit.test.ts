import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { migrations } from './index.ts';

// A database keeps the names of the migrations that ran in it, so a released migration is never renamed.

const names = migrations.map(({ name }) => name);

test('migrations are numbered without gaps, in the order of their execution, and every file is included', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => /^\d.*\.ts$/.test(file));
  expect(names).toEqual(files.map((file) => file.replace('.ts', '')).toSorted());
  for (const [index, name] of names.entries())
    expect(name).toMatch(new RegExp(`^${String(index + 1).padStart(4, '0')}-[a-z-]+$`));
});
