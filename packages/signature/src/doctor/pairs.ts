import { byCodePoint } from '../content.ts';
import type { Entry, Leaf, RequestFields } from './fields.ts';
import { type NumberPrint, printNumber } from './print-number.ts';
import { printText, printValue, type ValuePrint } from './print-value.ts';
import type { Recipe } from './recipe.ts';

export interface Stamps {
  timestamp: string;
  nonce: string;
  merchantNo: string;
  /** A last pair such as `&key=…` of the signed text, if it is known. */
  keyPair?: string;
}

/** A path and its value, not yet escaped. */
export interface Pair {
  name: string;
  text: string;
  stamp: boolean;
}

/** All pairs of the text to sign, including timestamp and nonce, in the recipe's order. */
export function orderedPairs(fields: RequestFields, stamps: Stamps, recipe: Recipe): readonly Pair[] {
  return sorted([...pairsOf(fields, recipe), ...stampPairs(stamps, recipe.stamps)], recipe.order);
}

const OWN_NAMES = ['paths', 'brackets', 'dotted indexes', 'left out', 'last names', 'underscores'] as const;

/** How objects and arrays are printed as one text, or null if they are not. */
function printOf({ nesting }: Recipe): ValuePrint | null {
  return OWN_NAMES.some((name) => name === nesting) ? null : (nesting as ValuePrint);
}

/** The pairs of the request's own fields, in the order of body or query. */
function pairsOf(fields: RequestFields, recipe: Recipe): Pair[] {
  const print = printOf(recipe);
  if (print === null && recipe.nesting !== 'left out') return fields.entries.flatMap((entry) => pairOf(entry, recipe));
  const number = (text: string) => printNumber(text, numberPrint(recipe));
  return fields.members.flatMap(([name, value]): Pair[] => {
    if (value.kind === 'object' || value.kind === 'array')
      return print === null ? [] : [{ name, text: printValue(value, print, number), stamp: false }];
    return pairOf({ path: [name], ...value }, recipe);
  });
}

function pairOf(entry: Entry, recipe: Recipe): Pair[] {
  const text = textOf(entry, recipe);
  return text === null ? [] : [{ name: nameOf(entry.path, recipe.nesting), text, stamp: false }];
}

/** How numbers are printed. */
export const numberPrint = ({ numbers }: Recipe): NumberPrint =>
  numbers === 'texts as doubles' ? 'JavaScript' : numbers;

function textOf({ kind, text }: Leaf, recipe: Recipe): string | null {
  const { empties, nulls, booleans, numbers, values } = recipe;
  switch (kind) {
    case 'number':
      return printNumber(text, numberPrint(recipe));
    case 'text':
      return numbers === 'texts as doubles' && /^[0-9]+(\.[0-9]+)?$/.test(text) && !/^0[0-9]/.test(text)
        ? printNumber(text, 'JavaScript')
        : VALUES[values](text) || null;
    case 'boolean':
      return BOOLEANS[booleans](text === 'true');
    case 'null':
      return nulls === 'left out' ? (empties === 'kept' ? '' : null) : nulls === 'nothing' ? '' : nulls;
    case 'empty text':
      return VALUES[values]('') || (empties === 'kept' || empties === 'empty kept' ? '' : null);
    case 'empty object':
      return EMPTIES[empties][0];
    case 'empty array':
      return EMPTIES[empties][1];
    default:
      return kind satisfies never;
  }
}

const BOOLEANS: Record<Recipe['booleans'], (value: boolean) => string | null> = {
  'true and false': String,
  'True and False': (value) => (value ? 'True' : 'False'),
  'TRUE and FALSE': (value) => (value ? 'TRUE' : 'FALSE'),
  '1 and 0': (value) => (value ? '1' : '0'),
  '1 and nothing': (value) => (value ? '1' : ''),
  '1 and left out': (value) => (value ? '1' : null),
};

/** What an empty object and an empty array become. */
const EMPTIES: Record<Recipe['empties'], readonly [string | null, string | null]> = {
  'left out': [null, null],
  'empty kept': [null, null],
  kept: ['{}', '[]'],
  'as arrays': ['[]', '[]'],
  'as objects': ['{}', '{}'],
  PHP: ['Array', 'Array'],
  Go: ['map[]', '[]'],
};

/** Escapes as the functions of the languages for HTML do. */
function html(text: string, quote: string, apostrophe: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', quote)
    .replaceAll("'", apostrophe);
}

const json = (print: Parameters<typeof printText>[1]) => (text: string) => printText(text, print);

const VALUES: Record<Recipe['values'], (text: string) => string> = {
  'as they are': (text) => text,
  trimmed: (text) => text.trim(),
  'HTML, &#039;': (text) => html(text, '&quot;', '&#039;'),
  'HTML, &#x27;': (text) => html(text, '&quot;', '&#x27;'),
  'HTML, &#39;': (text) => html(text, '&quot;', '&#39;'),
  'HTML, &#39; &#34;': (text) => html(text, '&#34;', '&#39;'),
  'HTML, ASCII': (text) =>
    html(text, '&quot;', '&#39;').replace(/[\u00a0-\u00ff]/g, (letter) => `&#${letter.charCodeAt(0)};`),
  'HTML, no apostrophe': (text) => html(text, '&quot;', "'"),
  'in apostrophes': (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  JSON: json('JSON'),
  'JSON, blanks': json('JSON'),
  'JSON, blanks, ASCII': json('JSON, ASCII'),
  'JSON, ASCII': json('JSON, ASCII'),
  'JSON, slashes': json('JSON, slashes'),
  'JSON, ASCII, slashes': json('JSON, ASCII, slashes'),
  'JSON, HTML': json('JSON, HTML'),
  'JSON, HTML of Gson': json('JSON, HTML of Gson'),
};

function nameOf(path: Entry['path'], nesting: Recipe['nesting']): string {
  const [first, ...rest] = path;
  if (nesting === 'brackets') return `${first}${rest.map((part) => `[${part}]`).join('')}`;
  if (nesting === 'dotted indexes') return path.join('.');
  if (nesting === 'underscores') return path.join('_');
  if (nesting === 'last names') return String(path.findLast((part) => typeof part === 'string') ?? first);
  return `${first}${rest.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')}`;
}

function stampPairs({ timestamp, nonce, merchantNo }: Stamps, stamps: Recipe['stamps']): Pair[] {
  const pair = (name: string, text: string): Pair => ({ name, text, stamp: true });
  const both = [pair('timestamp', timestamp), pair('nonce', nonce)];
  const pairs: Record<Recipe['stamps'], Pair[]> = {
    both,
    'no timestamp': both.slice(1),
    'no nonce': both.slice(0, 1),
    none: [],
    milliseconds: [pair('timestamp', `${timestamp}000`), pair('nonce', nonce)],
    'header names': [pair('X-Timestamp', timestamp), pair('X-Nonce', nonce)],
    'and merchant': [...both, pair('merchantNo', merchantNo)],
  };
  return pairs[stamps];
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function sorted(pairs: readonly Pair[], order: Recipe['order']): readonly Pair[] {
  const own = pairs.filter(({ stamp }) => !stamp).toSorted((a, b) => byCodePoint(a.name, b.name));
  const stamps = pairs.filter(({ stamp }) => stamp);
  const orders: Record<Recipe['order'], () => readonly Pair[]> = {
    'code points': () => pairs.toSorted((a, b) => byCodePoint(a.name, b.name)),
    'as sent': () => pairs,
    'as sent, nonce first': () => [...pairs.filter(({ stamp }) => !stamp), ...stamps.toReversed()],
    'as sent, stamps first': () => [...stamps, ...pairs.filter(({ stamp }) => !stamp)],
    'stamps last': () => [...own, ...stamps],
    'nonce last': () => [...own, ...stamps.toReversed()],
    'stamps first': () => [...stamps, ...own],
    'any case': () => pairs.toSorted((a, b) => byCodePoint(a.name.toLowerCase(), b.name.toLowerCase())),
    'UTF-16': () => pairs.toSorted((a, b) => byText(a.name, b.name)),
    pairs: () => pairs.toSorted((a, b) => byText(`${a.name}=${a.text}`, `${b.name}=${b.text}`)),
    numeric: () => pairs.toSorted((a, b) => byNumber(a.name, b.name)),
    natural: () => pairs.toSorted((a, b) => byParts(a.name, b.name, DIGITS, byNumber)),
    'level by level': () => pairs.toSorted((a, b) => byParts(a.name, b.name, LEVELS, byCodePoint)),
    descending: () => pairs.toSorted((a, b) => byCodePoint(b.name, a.name)),
  };
  return orders[order]();
}

/** Two whole numbers as numbers, and other texts by code points. */
function byNumber(a: string, b: string): number {
  const isNumber = /^\d{1,15}$/;
  return isNumber.test(a) && isNumber.test(b) ? Number(a) - Number(b) : byCodePoint(a, b);
}

const DIGITS = /\d+|[^\d]+/g;
const LEVELS = /[^.[\]]+|[.[\]]/g;

/** Compares the parts of two names, one after the other. */
function byParts(a: string, b: string, pattern: RegExp, compare: (a: string, b: string) => number): number {
  const [first, second] = [a.match(pattern) ?? [], b.match(pattern) ?? []];
  for (const [at, part] of first.entries()) {
    const other = second[at];
    const order = other === undefined ? 1 : compare(part, other);
    if (order !== 0) return order;
  }
  return first.length - second.length;
}
