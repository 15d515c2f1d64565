import { byCodePoint } from '../content.ts';
import type { Entry, RequestFields } from './fields.ts';
import type { Recipe } from './recipe.ts';

export interface Stamps {
  timestamp: string;
  nonce: string;
  merchantNo: string;
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

/** The pairs of the request's own fields, in the order of body or query. */
function pairsOf(fields: RequestFields, recipe: Recipe): Pair[] {
  const asJson = recipe.nesting.startsWith('JSON');
  const plain = fields.entries.filter(
    ({ path }) => !fields.nested.has(String(path[0])) || (!asJson && recipe.nesting !== 'left out'),
  );
  const pairs = plain.flatMap((entry): Pair[] => {
    const text = textOf(entry, recipe);
    return text === null ? [] : [{ name: nameOf(entry.path, recipe.nesting), text, stamp: false }];
  });
  if (!asJson) return pairs;
  const nested = [...fields.nested].map(([name, value]) => ({
    name,
    text: jsonOf(value, recipe.nesting),
    stamp: false,
  }));
  const names = [...new Set(fields.entries.map(({ path }) => String(path[0])))];
  return [...pairs, ...nested].toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
}

function textOf({ kind, text }: Entry, { empties, numbers }: Recipe): string | null {
  const double = (decimal: string) => (Number.isFinite(Number(decimal)) ? String(Number(decimal)) : decimal);
  switch (kind) {
    case 'number':
      return numbers === 'as they stand' ? text : numbers === 'two decimals' ? Number(text).toFixed(2) : double(text);
    case 'text':
      return numbers === 'texts as doubles' && /^[0-9]+(\.[0-9]+)?$/.test(text) && !/^0[0-9]/.test(text)
        ? double(text)
        : text;
    case 'boolean':
      return text;
    case 'null':
      return empties === 'kept' ? '' : empties === 'null as text' ? 'null' : null;
    case 'empty text':
      return empties === 'left out' ? null : '';
    case 'empty object':
      return empties === 'kept' || empties === 'null as text' ? '{}' : null;
    case 'empty array':
      return empties === 'kept' || empties === 'null as text' ? '[]' : null;
    default:
      return kind satisfies never;
  }
}

function nameOf(path: Entry['path'], nesting: Recipe['nesting']): string {
  const [first, ...rest] = path;
  if (nesting === 'brackets') return `${first}${rest.map((part) => `[${part}]`).join('')}`;
  if (nesting === 'dotted indexes') return path.join('.');
  if (nesting === 'underscores') return path.join('_');
  if (nesting === 'last names') return String(path.findLast((part) => typeof part === 'string') ?? first);
  return `${first}${rest.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')}`;
}

function jsonOf(value: unknown, nesting: Recipe['nesting']): string {
  const text = JSON.stringify(value);
  if (nesting === 'JSON spaced')
    return text.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) => (part.length === 1 ? `${part} ` : part));
  return nesting === 'JSON escaped' ? escapedUnicode(text).replaceAll('/', '\\/') : text;
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
    'any case': () => pairs.toSorted((a, b) => byText(a.name.toLowerCase(), b.name.toLowerCase())),
    'UTF-16': () => pairs.toSorted((a, b) => byText(a.name, b.name)),
    pairs: () => pairs.toSorted((a, b) => byText(`${a.name}=${a.text}`, `${b.name}=${b.text}`)),
    descending: () => pairs.toSorted((a, b) => byCodePoint(b.name, a.name)),
  };
  return orders[order]();
}

export function escapedUnicode(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
