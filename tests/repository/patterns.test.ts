import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkers, problemOf } from '../patterns/check-pattern.ts';
import { patternsIn, readPatterns } from '../patterns/read-patterns.ts';
import { readRecord } from '../patterns/recorded-patterns.ts';

// Every regular expression of the source was checked: its time grows at most in proportion to its text.

/** Places that make a pattern of a text at run time, and what limits it. */
const MADE: Readonly<Record<string, string>> = {
  'packages/client/print-types.ts': 'a script of developers, on names of our own',
  'packages/statements/src/csv/date-format.ts':
    'of a format of at most 40 characters, whose parts all begin with another kind of character; its dates have at most 200',
};

const { patterns, made } = readPatterns();
const record = readRecord();

test('every pattern is in the record of those that are linear', () => {
  const linear = new Set(record.patterns);
  const missing = patterns.filter(({ text }) => !linear.has(text));
  expect(
    missing.map(({ text, places }) => `${places.join(', ')}: ${text} was not checked yet: run "npm run patterns"`),
  ).toEqual([]);
  expect(patterns.length).toBeGreaterThan(300);
});

test('the record has no other patterns, and was made by the installed libraries', () => {
  const used = new Set(patterns.map(({ text }) => text));
  const advice = 'is not in the source any more: run "npm run patterns"';
  expect(record.patterns.filter((text) => !used.has(text)).map((text) => `${text} ${advice}`)).toEqual([]);
  expect(record.checkers).toBe(checkers);
});

test('a pattern is written in the source, not made of a text', () => {
  const files = new Set(made.map((place) => place.replace(/:\d+$/, '')));
  const advice = 'makes a pattern of a text, which cannot be checked: write it as a literal';
  expect(made.filter((place) => !(place.replace(/:\d+$/, '') in MADE)).map((place) => `${place} ${advice}`)).toEqual(
    [],
  );
  expect(Object.keys(MADE).filter((file) => !files.has(file))).toEqual([]);
});

test('the libraries find the pattern of e-mail addresses whose time grows with the square', () => {
  expect(problemOf({ source: String.raw`^[^\s@]+@[^\s@]+\.[^\s@]+$`, flags: '' })).toContain('polynomial');
  expect(problemOf({ source: '^[a-z]+$', flags: '' })).toBeNull();
  expect(problemOf({ source: '^(a+)+$', flags: '' })).toContain('exponential');
});

test('patterns are found in code, and not in comments and texts', () => {
  const code = '// /no/\nconst a = /yes/gu;\nconst b = "/no/";\nconst c = new RegExp(b);\nconst d = RegExp("x");';
  expect(patternsIn('a.ts', code)).toEqual({ written: [{ source: 'yes', flags: 'gu', line: 2 }], made: [4, 5] });
  expect(patterns.flatMap(({ places }) => places).join()).toContain('packages/domain/src/countries/fields.ts');
  expect(readFileSync(new URL('../patterns/linear-patterns.txt', import.meta.url), 'utf8')).not.toContain('\r');
});
