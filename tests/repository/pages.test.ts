import { statSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { readDiagrams, sourceMark } from '../pictures/diagrams.ts';
import { openRepository } from './files.ts';
import { findLongSentences } from './page-rules.ts';

// How documents read: short sentences, short first pages, an index that leads to every page.

const repository = openRepository();
const pages = [...repository.paths].filter((path) => path.endsWith('.md') && !path.startsWith('tests/'));
/** Kept to the letter, or made out of descriptions in the code. */
const NOT_OURS =
  /^docs\/contract\/(merchant-interface|decisions|sandbox)\.md$|^docs\/running\/(configuration|metrics)\.md$/;

test('sentences of pages have at most 25 words', () => {
  expect(pages.length).toBeGreaterThan(60);
  const own = pages.filter((path) => !NOT_OURS.test(path));
  const long = own.flatMap((path) => findLongSentences(repository.read(path)).map((one) => `${path}:${one}`));
  expect(long).toEqual([]);
});

test.each([
  ['README.md', 120],
  ['ARCHITECTURE.md', 150],
  ['CONTRIBUTING.md', 60],
])('%s has at most %i lines', (path, most) => {
  expect(repository.read(path).split('\n').length).toBeLessThanOrEqual(most);
});

test('every page of docs can be reached from README.md', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) {
    if (!path.endsWith('.md') || !repository.paths.has(path)) continue;
    for (const [, target = ''] of repository.read(path).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g))
      if (!/^[a-z]+:|^\//.test(target)) reached.add(posix.normalize(`${posix.dirname(path)}/${target}`));
  }
  const lost = pages.filter((path) => path.startsWith('docs/') && !reached.has(path));
  expect(lost, 'give these a line in the index of their folder').toEqual([]);
});

test('the SVG diagrams of ARCHITECTURE.md are drawn from its current text', () => {
  const diagrams = readDiagrams(repository.read('ARCHITECTURE.md'));
  expect(diagrams.length).toBe(repository.read('ARCHITECTURE.md').split('```mermaid').length - 1);
  const stale = diagrams.filter(({ source, svgPath }) => !repository.read(svgPath).includes(sourceMark(source)));
  expect(
    stale.map(({ svgPath }) => svgPath),
    'run npm run diagrams',
  ).toEqual([]);
});

test('pictures are smaller than 100 kB', () => {
  const pictures = [...repository.paths].filter((path) => path.startsWith('docs/images/') && path.endsWith('.png'));
  expect(pictures.length).toBeGreaterThan(1);
  expect(pictures.filter((path) => statSync(new URL(`../../${path}`, import.meta.url)).size >= 100_000)).toEqual([]);
});

const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');

test.each([
  ['a sentence of 25 words', `${words(25)}.`, 0],
  ['a sentence of 26 words', `${words(26)}.`, 1],
  ['a sentence that continues in the next line', `${words(20)}\n${words(20)}`, 1],
  ['two sentences', `${words(20)}. ${words(20)}.`, 0],
  ['a label before it', `**${words(5)}:** ${words(25)}`, 0],
  ['items of a list', `- ${words(20)}\n- ${words(20)}`, 0],
  ['cells of a table', `| ${words(20)} | ${words(20)} |`, 0],
  ['a long cell', `| ${words(26)} | x |`, 1],
  ['code and links', `${words(20)} \`${words(20)}\` [a](b c)`, 0],
  ['a block of code', `\`\`\`\n${words(30)}\n\`\`\``, 0],
])('the check of long sentences handles %s', (_, page, count) => {
  expect(findLongSentences(page)).toHaveLength(count);
});

test('a finding names the line where the list item begins', () => {
  expect(findLongSentences(`# Title\n\nShort.\n\n- a\n- ${words(30)}\n`)).toEqual([
    expect.stringMatching(/^6: 30 words/),
  ]);
});
