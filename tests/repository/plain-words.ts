import { lineOf, proseOf } from './read-text.ts';

/** Private words that texts once had, and the words of the field to write instead (docs/glossary.md). */
const WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bseams?\b/i, 'ledger writer'],
  [/\blanes?\b/i, 'queue, batch'],
  [/\bnudge[ds]?\b/i, 'wake-up, wake'],
  [/\b(?:the|whose|their|its|these) books\b/i, 'ledger'],
  [/\bgrounds?\b/i, 'fixture'],
  [/\btold\b/i, 'reported, sent, published, returned'],
  [/\b(?:whoever|whosoever)\b/i, 'the caller, the operator, the process that'],
  [/\bnobody's\b/i, 'anonymous, unowned'],
  [/\bstrangers?\b/i, 'unknown, untrusted'],
  [/\bwish(?:es)?\b/i, 'request'],
  [/\bbeside\b/i, 'next to, with, included'],
  [/\b(?:circumstances|surroundings)\b/i, 'context'],
  [/\b(?:forgets?|forgetting|forgotten)\b/i, 'purge, delete, drop'],
  [/\b(?:is|are|was|were) had\b/i, 'is held'],
  [/\bvictims?\b/i, 'target'],
  [/\broll call\b/i, 'sequence check'],
  [/\b(?:nobody|somebody|anybody)\b(?!-)/i, 'the operator, the caller, no process, or a passive'],
  [/\bstands\b/i, 'is, is in, is for'],
  [/\bfor (?:good|ever)\b/i, 'permanently, forever, without an end'],
  [/\banew\b/i, 'again'],
  [/\bjudge[ds]?\b/i, 'check, decide'],
  [/\b(?:deeds?|happenings?)\b/i, 'action, event'],
  [/\bput back\b/i, 'resend, restore, requeue'],
  [/\bthat (?:is|are) none\b/i, 'an invalid one, an unknown one'],
  [/\b(?:un)?heard\b/i, 'received, undelivered'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
  [/\b(?:is|are|was|were|be) (?:away|gone)\b/i, 'unavailable, missing, ended'],
  [/\b(?:right end|in the end)\b/i, 'expected status, final state, finally'],
  [/\bwent back\b/i, 'was refunded, was returned'],
  [/\bsome (?:\d|thousand\b|hundred\b|ten\b)/i, 'about'],
  [/\b(?:small|capital) letters\b/i, 'lower-case letters, upper-case letters'],
  // `taken over`, `taken apart` and the like are words of the field.
  [
    /\b(?:is|are|was|were|be|been|has|have|had)(?: \w+)? taken(?: it)?\b(?!(?: \w+){0,2} (?:over|apart|away|back|off|out|from|effect|part)\b)/i,
    'assigned, accepted, used, claimed',
  ],
];

const MAX_WORDS = 25;

/** A comment, or the name of a test. */
interface Comment {
  readonly line: number;
  readonly text: string;
}

/** Private words and sentences of more than 25 words in the comments of a file, one finding a line, each with what to write. */
export function findUnclearComments(path: string, source: string): string[] {
  return commentsOf(source).flatMap(({ line, text }) => [
    ...findPrivateWords(path, { line, text: text.replace(/`[^`]*`/g, 'code') }),
    ...sentencesOf(text)
      .filter((sentence) => wordsOf(sentence) > MAX_WORDS)
      .map((sentence) => {
        const beginning = sentence.trim().split(/\s+/).slice(0, 5).join(' ');
        return `${path}:${line}: a sentence of ${wordsOf(sentence)} words, at most ${MAX_WORDS}: split "${beginning} …"`;
      }),
  ]);
}

/** Private words in the names of tests, groups of tests and rows of `each` and `for`, one finding a line, each with what to write. */
export function findUnclearTestNames(path: string, source: string): string[] {
  return [...testNamesOf(source), ...rowNamesOf(source)].flatMap((name) => findPrivateWords(path, name));
}

/** Private words in the prose of a page, one finding a line. Code, names of files and targets of links do not count. */
export function findUnclearProse(path: string, page: string): string[] {
  const prose = proseOf(page)
    .replace(/`[^`\n]*`/g, 'code')
    .replace(/\]\([^)]*\)/g, ']');
  return prose.split('\n').flatMap((text, at) => findPrivateWords(path, { line: at + 1, text }));
}

/** Private words in messages: texts of errors, refusals and log lines, and texts between JSX tags. */
export function findUnclearMessages(path: string, source: string): string[] {
  return [...textsOf(source, MESSAGES), ...(path.endsWith('.tsx') ? textsOf(source, JSX_TEXTS) : [])].flatMap(
    ({ line, text }) => findPrivateWords(path, { line, text: text.replace(/\$\{[^}]*\}|`[^`]*`/g, 'code') }),
  );
}

/** The first text of `new Error(…)`, `refusal(CODE, …)`, `reject(…)`, `log.warn({ … }, …)`, `console.log(…)` and the like. */
const MESSAGES =
  /(?:\w*(?:Error|Problem|Unavailable|Unreadable)|\b[rR]efus(?:e|al)|\breject|\blog\.\w+|\bconsole\.\w+)\(\s*(?:\{[^{}]*\},\s*|'[A-Z_]+',\s*)?(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
/** A text between two tags, e.g. `<p>No order matches.</p>`. */
const JSX_TEXTS = /((?<!=)>|\})([^<>{}=;&|]*[a-z] [^<>{}=;&|]*)(?=[<{])/g;

function textsOf(source: string, pattern: RegExp): Comment[] {
  return [...source.matchAll(pattern)].map((match) => ({ line: lineOf(source, match.index), text: match[2] ?? '' }));
}

function findPrivateWords(path: string, { line, text }: Comment): string[] {
  return WORDS.flatMap(([word, instead]) => {
    const found = word.exec(text)?.[0];
    return found === undefined ? [] : [`${path}:${line}: "${found}" is a private word: write ${instead}`];
  });
}

/** The first text of `test(…)`, `describe(…)`, `withBrowser(…)`, `test.skipIf(…)(…)`, and of `test.each([…])(…)`. */
function testNamesOf(source: string): Comment[] {
  const calls =
    /(?:\b(?:test|it|describe|withBrowser)(?:\.\w+)*(?:\([^()\n]*\))?\(|^[ \t]*[\])}]+\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gm;
  return [...source.matchAll(calls)].map((call) => ({
    line: source.slice(0, call.index).split('\n').length,
    text: call[2] ?? '',
  }));
}

/** The first text of each row of `test.each([…])` and `test.for([…])`, if it has several words. Rows of one word are values. */
function rowNamesOf(source: string): Comment[] {
  const tables = /\b(?:test|it|describe)\.(?:each|for)\b[^(\n]*\(\[\n([\s\S]*?)\n[ \t]*\](?: as const)?\)/g;
  return [...source.matchAll(tables)].flatMap(({ index, 0: table }) =>
    [...table.matchAll(/^[ \t]*(?:\[\s*)?(['"])((?:\\.|(?!\1)[^\\\n])* (?:\\.|(?!\1)[^\\\n])*)\1/gm)].map((row) => ({
      line: lineOf(source, index + row.index),
      text: row[2] ?? '',
    })),
  );
}

/** The comments of a TypeScript file. A block is one text, and so are line comments that follow each other. */
export function commentsOf(source: string): Comment[] {
  const texts: { line: number; end: number; text: string }[] = [];
  const lines = source.split('\n');
  let isBlock = false;
  for (const [i, whole] of lines.entries()) {
    const begins = !isBlock && /^\s*\/\*/.test(whole);
    const isLine = !isBlock && /^\s*\/\/(?! biome-ignore| Stryker)/.test(whole);
    const trailing = !isBlock && !isLine && !begins ? /\s\/\/ ([A-Z].*)$/.exec(whole)?.[1] : undefined;
    if (begins || isBlock || isLine || trailing !== undefined) {
      const text = trailing ?? whole.replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)?\s?/, '').replace(/\*\/\s*$/, '');
      const last = texts.at(-1);
      const goesOn = last && trailing === undefined && last.end === i - 1 && !begins;
      if (goesOn) Object.assign(last, { end: i, text: `${last.text}\n${text}` });
      else texts.push({ line: i + 1, end: i, text });
    }
    if (begins || isBlock) isBlock = !/\*\//.test(whole);
  }
  return texts.map(({ line, text }) => ({ line, text }));
}

function sentencesOf(text: string): string[] {
  // An entry of a list and an empty line end a sentence too.
  return text
    .replace(/\n\s*(?:[-*]|\d+\.)\s/g, '.\n')
    .replace(/\n\s*\n/g, '.\n')
    .replace(/`[^`]*`/g, 'code')
    .split(/(?<=[.!?;:])\s+/);
}

function wordsOf(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{Letter}\p{Number}]/u.test(word)).length;
}
