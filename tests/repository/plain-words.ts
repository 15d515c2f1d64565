/** Private words that comments once had, and the words of the field to write instead (docs/glossary.md). */
const WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bseams?\b/i, 'ledger writer'],
  [/\blanes?\b/i, 'shard'],
  [/\bnudge[ds]?\b/i, 'wake-up, wake'],
  [/\b(?:the|whose|their|its|these) books\b/i, 'ledger'],
  [/\bgrounds?\b/i, 'fixture'],
  [/\btold\b/i, 'reported, sent, published, returned'],
  [/\b(?:whoever|whosoever)\b/i, 'the caller, the operator, the process that'],
  [/\bnobody's\b/i, 'anonymous, unowned'],
  [/\bstrangers?\b/i, 'unknown, untrusted'],
  [/\bwish(?:es)?\b/i, 'request'],
  [/\bbeside\b/i, 'next to, with, included'],
  [/\bdrafts?\b/i, 'decision state'],
  [/\b(?:circumstances|surroundings)\b/i, 'context'],
  [/\b(?:forgets?|forgetting|forgotten)\b/i, 'purge, delete, drop'],
  [/\b(?:is|are|was|were) had\b/i, 'is held'],
  [/\bvictims?\b/i, 'target'],
  [/\broll call\b/i, 'sequence check'],
  [/\b(?:nobody|somebody|anybody)\b/i, 'the operator, the caller, no process, or a passive'],
  [/\bstands\b/i, 'is, is in, is for'],
  [/\bfor (?:good|ever)\b/i, 'permanently, forever, without an end'],
  [/\banew\b/i, 'again'],
  [/\bjudge[ds]?\b/i, 'check, decide'],
  [/\b(?:deeds?|happenings?)\b/i, 'action, event'],
  [/\bput back\b/i, 'resend, restore, requeue'],
];

const MOST_WORDS = 25;

interface Comment {
  readonly line: number;
  readonly text: string;
}

/** Private words and sentences of more than 25 words in the comments of a file, one finding a line, each with what to write. */
export function findUnclearComments(path: string, source: string): string[] {
  return commentsOf(source).flatMap(({ line, text }) => [
    ...WORDS.flatMap(([word, instead]) => {
      const found = word.exec(text.replace(/`[^`]*`/g, 'code'))?.[0];
      return found === undefined ? [] : [`${path}:${line}: "${found}" is a private word: write ${instead}`];
    }),
    ...sentencesOf(text)
      .filter((sentence) => wordsOf(sentence) > MOST_WORDS)
      .map((sentence) => {
        const beginning = sentence.trim().split(/\s+/).slice(0, 5).join(' ');
        return `${path}:${line}: a sentence of ${wordsOf(sentence)} words, at most ${MOST_WORDS}: split "${beginning} …"`;
      }),
  ]);
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
