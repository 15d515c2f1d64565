import { expect, test } from 'vitest';
import { openRepository } from './files.ts';
import { NOT_YET_PLAIN } from './not-yet-plain.ts';
import {
  commentsOf,
  findUnclearComments,
  findUnclearMessages,
  findUnclearProse,
  findUnclearTestNames,
} from './plain-words.ts';

// Comments, test names, messages and pages read like the documentation of the field: no private words. Comments have short
// sentences.

const repository = openRepository();
const isChecked = (path: string) =>
  /^(?:packages|tests)\/.*\.tsx?$|^scripts\/[^/]*\.mjs$/.test(path) &&
  !/\.generated\.ts$|\/migrations\/0|\/fixtures\/|\/plain-words\./.test(path);
/** Kept to the letter, or the history of releases. */
const NOT_OURS = /^docs\/contract\/(?:merchant-interface|decisions|sandbox)\.md$|^CHANGELOG\.md$/;
const findings = new Map(
  [...repository.paths].filter(isChecked).map((path) => [path, findUnclearComments(path, repository.read(path))]),
);

test('comments have no private words and no long sentences', () => {
  expect(findings.size).toBeGreaterThan(500);
  const isExcused = (path: string) => NOT_YET_PLAIN.some((part) => path.startsWith(part));
  expect([...findings].flatMap(([path, found]) => (isExcused(path) ? [] : found))).toEqual([]);
});

test('names of tests have no private words', () => {
  const tests = [...repository.paths].filter((path) => isChecked(path) && /\.test\.tsx?$/.test(path));
  expect(tests.length).toBeGreaterThan(300);
  expect(tests.flatMap((path) => findUnclearTestNames(path, repository.read(path)))).toEqual([]);
});

test('messages of errors, refusals and logs, and texts of the console have no private words', () => {
  const sources = [...repository.paths].filter(isChecked);
  expect(sources.flatMap((path) => findUnclearMessages(path, repository.read(path)))).toEqual([]);
});

test('pages have no private words', () => {
  const pages = [...repository.paths].filter((path) => path.endsWith('.md') && !NOT_OURS.test(path));
  expect(pages.length).toBeGreaterThan(60);
  expect(pages.flatMap((path) => findUnclearProse(path, repository.read(path)))).toEqual([]);
});

test('a package is excused from the check only while it has unclear comments', () => {
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
  ['// The port is taken.', [expect.stringContaining('"is taken" is a private word: write assigned')]],
  ['// No worker has taken it.', [expect.stringContaining('"has taken it"')]],
  ['// The run was taken over, and has taken effect. Another process has taken it over.', []],
  ['// 100 of 16 bytes, in lower-case letters, is an invalid key. It is unavailable.', []],
  ['// Redis is away.', [expect.stringContaining('"is away" is a private word')]],
  [`// ${'word '.repeat(25)}end.`, [`a.ts:1: ${long} 26 words, at most 25: split "word word word word word …"`]],
  [`// ${'word '.repeat(24)}end. Another one.`, []],
  [`/**\n * ${'word '.repeat(20)}\n * ${'word '.repeat(20)}\n */`, [expect.stringContaining(`${long} 40 words`)]],
  [`/**\n * ${'word '.repeat(20)}\n *\n * ${'word '.repeat(20)}\n */`, []],
  [`/**\n * - ${'word '.repeat(20)}\n * - ${'word '.repeat(20)}\n */`, []],
])('%j', (source, expected) => {
  expect(findUnclearComments('a.ts', source)).toEqual(expected);
});

test('consecutive comment lines are one text, and code ends it', () => {
  const source = '// one\n// two\nconst a = 1;\n// three\n/* four */\nconst b = 2; // Five';
  expect(commentsOf(source).map(({ text }) => text.trim())).toEqual(['one\ntwo', 'three', 'four', 'Five']);
});

test.each<[source: string, found: number]>([
  ["test('nobody waits', async () => {", 1],
  ['test.skipIf(isSlow)(\n  "somebody waits", async () => {', 1],
  ["])('%s is told', (name) => {", 1],
  ["  test.each(['beside'])('%s is taken by a worker', (name) => {", 1],
  ["withBrowser('the operator is told', async () => {", 1],
  ["describe('an order', () => {\n  expect(text).toBe('told');", 0],
  ["test.each([\n  ['a key that is none', 1],\n  ['told', 2],\n])('%s', () => {", 1],
  ['test.for<[string, number]>([\n  [\n    "nobody waits",\n    2,\n  ],\n])(\'%s\', () => {', 1],
])('in %j are %i test names with a private word', (source, found) => {
  expect(findUnclearTestNames('a.test.ts', source)).toHaveLength(found);
});

test.each<[source: string, found: number]>([
  ['throw new Error(`order ' + '$' + '{no} is gone`);', 1],
  ["throw new SearchError('told');", 1],
  ["return refusal('BAD_REQUEST', 'nobody asked');", 1],
  ["log.warn({ err: error, ...ids(job) }, 'the key was forgotten');", 1],
  ["await reject(\n  'somebody else was faster',\n);", 1],
  ['throw new Error(`a ' + '$' + '{told} message`);', 0],
  ["const name = 'told';", 0],
  ['<Empty title="x">Take one, and it stands here.</Empty>', 1],
  ['<p>\n  Nobody pays {what}.\n</p>', 1],
  ['const isOlder = (told: number) => told > 1 && told < 3;', 0],
])('in %j are %i messages with a private word', (source, found) => {
  expect(findUnclearMessages('a.tsx', source)).toHaveLength(found);
});

test.each<[page: string, found: number]>([
  ['# Title\n\nIt stands here.', 1],
  ['| A | beside it |', 1],
  ['Set `nobody`.\n\n```sh\necho beside\n```\n\nSee [the page](beside.md).', 0],
])('in the page %j are %i lines with a private word', (page, found) => {
  expect(findUnclearProse('a.md', page)).toHaveLength(found);
});
