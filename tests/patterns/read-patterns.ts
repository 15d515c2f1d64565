import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vitest/node';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = [
  '{packages,tools}/*/src/**/*.{ts,tsx,js,mjs}',
  '{packages,tools}/*/*.ts',
  'packages/console/build/*.ts',
  'scripts/*.mjs',
];
const TESTS = /\.test\.tsx?$|[.-]contract\.ts$|\/testing\/|\/test\//;

/** A regular expression of the source, or of a library that the source uses on texts from outside. */
export interface Pattern {
  /** As in the source: `/^a+$/u`. */
  text: string;
  source: string;
  flags: string;
  /** `path:line`. */
  places: string[];
}

export interface FoundPatterns {
  patterns: Pattern[];
  /** Places where a pattern is made of a text, so it cannot be checked beforehand. */
  made: string[];
}

/** All regular expressions of the source without tests, each once. */
export function readPatterns(): FoundPatterns {
  const paths = globSync(SOURCES, { cwd: root, exclude: ['**/node_modules/**'] }).filter((path) => !TESTS.test(path));
  const found: FoundPatterns = { patterns: [], made: [] };
  const known = new Map<string, Pattern>();
  const add = (source: string, flags: string, place: string): void => {
    const text = `/${source}/${flags}`;
    const before = known.get(text);
    if (before) before.places.push(place);
    else known.set(text, { text, source, flags, places: [place] });
  };
  for (const path of paths.toSorted()) {
    const patterns = patternsIn(path, readFileSync(`${root}/${path}`, 'utf8'));
    for (const { source, flags, line } of patterns.written) add(source, flags, `${path}:${line}`);
    found.made.push(...patterns.made.map((line) => `${path}:${line}`));
  }
  for (const [name, { source, flags }] of Object.entries(ofZod)) add(source, flags, `zod: ${name}`);
  return { ...found, patterns: [...known.values()].toSorted((a, b) => (a.text < b.text ? -1 : 1)) };
}

const { regexes } = createRequire(new URL('../../packages/settings/package.json', import.meta.url))('zod') as {
  regexes: { uuid(): RegExp; date: RegExp; datetime(options: object): RegExp };
};

/** The patterns of zod that its schemas use here. */
const ofZod: Readonly<Record<string, RegExp>> = {
  uuid: regexes.uuid(),
  'iso.date': regexes.date,
  'iso.datetime': regexes.datetime({}),
};

interface Node {
  readonly type: string;
  readonly start: number;
  readonly regex?: { readonly pattern: string; readonly flags: string } | null;
  readonly callee?: { readonly type: string; readonly name?: string };
}

interface PatternsOfFile {
  written: { source: string; flags: string; line: number }[];
  made: number[];
}

/** The patterns of a file, and the lines that make one of a text by `new RegExp(…)`. */
export function patternsIn(path: string, text: string): PatternsOfFile {
  const found: PatternsOfFile = { written: [], made: [] };
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
  const visit = (value: object): void => {
    if ('type' in value && 'start' in value) take(value as Node);
    for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) visit(child);
  };
  const take = ({ type, start, regex, callee }: Node): void => {
    if (type === 'Literal' && regex) {
      found.written.push({ source: regex.pattern, flags: regex.flags, line: lineOf(start) });
    } else if (/^(?:New|Call)Expression$/.test(type) && callee?.name === 'RegExp') found.made.push(lineOf(start));
  };
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }));
  return found;
}
