import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { migrations } from './index.ts';

// A database keeps the names of the migrations that ran in it, so a migration is never renamed: its number stays, even where two have the
// same one. 18 and 21 to 24 were never used; 31 to 33 not yet.

const names = migrations.map(({ name }) => name);
const numberOf = (name: string): string => name.slice(0, 4);

test('every migration has a number of four digits and a unique name', () => {
  expect(names.filter((name) => !/^\d{4}-[a-z-]+$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('a new migration has the next free number', () => {
  const twice = names.filter((name, index) => index > 0 && numberOf(name) === numberOf(names[index - 1] ?? ''));
  // Already released. Give a new migration the next number instead.
  expect(twice).toEqual(['0014-proof-references']);
  const unused = ['0018', '0021', '0022', '0023', '0024'];
  // Of changes that are under way at the same time.
  const reserved = [
    '0030',
    '0031',
    '0033',
    '0034',
    '0035',
    '0036',
    '0037',
    '0038',
    '0039',
    '0043',
    '0044',
    '0045',
    '0046',
    '0047',
    '0050',
    '0054',
    '0055',
  ];
  const last = Number(numberOf(names.at(-1) ?? ''));
  const numbers = Array.from({ length: last }, (_, index) => String(index + 1).padStart(4, '0'));
  const used = [...new Set(names.map(numberOf))];
  expect(used.filter((number) => unused.includes(number))).toEqual([]);
  const missing = numbers.filter((number) => !used.includes(number));
  expect(missing.filter((number) => !unused.includes(number) && !reserved.includes(number))).toEqual([]);
});

test('migrations run in the order of their names, and every file is included', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => /^\d.*(?<!\.test)\.ts$/.test(file));
  expect(names).toEqual(files.map((file) => file.replace('.ts', '')).toSorted());
});
