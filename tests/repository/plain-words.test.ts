import { expect, test } from 'vitest';
import { openRepository } from './files.ts';
import { NOT_YET_PLAIN } from './not-yet-plain.ts';
import { commentsOf, findUnclearComments } from './plain-words.ts';

// Comments read like the documentation of the field: no private words, short sentences.

const repository = openRepository();
const isChecked = (path: string) =>
  /^(?:packages|tests)\/.*\.tsx?$|^scripts\/[^/]*\.mjs$/.test(path) &&
  !/\.generated\.ts$|\/migrations\/0|\/fixtures\/|\/plain-words\./.test(path);
const findings = new Map(
  [...repository.paths].filter(isChecked).map((path) => [path, findUnclearComments(path, repository.read(path))]),
);

test('comments have no private words and no long sentences', () => {
  expect(findings.size).toBeGreaterThan(500);
  const isExcused = (path: string) => NOT_YET_PLAIN.some((part) => path.startsWith(part));
  expect([...findings].flatMap(([path, found]) => (isExcused(path) ? [] : found))).toEqual([]);
});

test('a part is excused only as long as it has unclear comments', () => {
  const isUnclear = (part: string) => [...findings].some(([path, found]) => path.startsWith(part) && found.length > 0);
  expect(NOT_YET_PLAIN.filter((part) => !isUnclear(part))).toEqual([]);
});

const long = 'a sentence of';
test.each<[source: string, expected: string[]]>([
  ['// The seam waits.', ['a.ts:1: "seam" is a private word: write ledger writer']],
  [
    'const a = 1;\n/** Is told once. */',
    ['a.ts:2: "told" is a private word: write reported, sent, published, returned'],
  ],
  ['// Somebody asked.', [expect.stringContaining('"Somebody" is a private word')]],
  ['// Runs as `nobody`.', []],
  ['const a = 1; // Whoever asks', [expect.stringContaining('a.ts:1: "Whoever" is a private word')]],
  ["const told = 'the seam';", []],
  [`// ${'word '.repeat(25)}end.`, [`a.ts:1: ${long} 26 words, at most 25: split "word word word word word …"`]],
  [`// ${'word '.repeat(24)}end. Another one.`, []],
  [`/**\n * ${'word '.repeat(20)}\n * ${'word '.repeat(20)}\n */`, [expect.stringContaining(`${long} 40 words`)]],
  [`/**\n * ${'word '.repeat(20)}\n *\n * ${'word '.repeat(20)}\n */`, []],
  [`/**\n * - ${'word '.repeat(20)}\n * - ${'word '.repeat(20)}\n */`, []],
])('%j', (source, expected) => {
  expect(findUnclearComments('a.ts', source)).toEqual(expected);
});

test('lines of a comment are one text, and code ends it', () => {
  const source = '// one\n// two\nconst a = 1;\n// three\n/* four */\nconst b = 2; // Five';
  expect(commentsOf(source).map(({ text }) => text.trim())).toEqual(['one\ntwo', 'three', 'four', 'Five']);
});
