import { lineOf, proseOf } from './read-text.ts';

const MAX_WORDS = 25;

/** Every sentence of a page with more than 25 words, as `line: how many words, its beginning`. A piece of code is one word. */
export function findLongSentences(page: string): string[] {
  return [...blocksOf(proseOf(page))].flatMap(({ at, text }) =>
    text
      .replaceAll(/`[^`]*`/g, 'code')
      .replaceAll(/\]\([^)]*\)/g, ']')
      .split(/(?<=[.!?:][)*"”]*)\s+/)
      .map((sentence) => sentence.split(/\s+/).filter((word) => /[\p{Letter}\p{Number}]/u.test(word)))
      .filter((words) => words.length > MAX_WORDS)
      .map(
        (words) => `${lineOf(page, at)}: ${words.length} words, at most ${MAX_WORDS}: ${words.slice(0, 5).join(' ')} …`,
      ),
  );
}

/** Paragraphs, items of lists and cells of tables, each with its place. A semicolon within a cell divides it. */
function* blocksOf(prose: string): Generator<{ at: number; text: string }> {
  for (const match of prose.matchAll(/(?:^(?!\s*$).*\n?)+/gm)) {
    let at = match.index;
    for (const part of match[0].split(/^(?= *(?:[-*]|\d+\.) )|^(?= *\|)|^(?=#)/m)) {
      const cells = /^ *\|/.test(part) ? part.split(/(?<!\\)\||;/) : [part];
      for (const text of cells) yield { at, text };
      at += part.length;
    }
  }
}
