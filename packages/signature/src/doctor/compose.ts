import { byCodePoint } from '../content.ts';
import type { Member, RequestFields } from './fields.ts';
import { numberPrint, orderedPairs, type Pair, type Stamps } from './pairs.ts';
import { printNumber } from './print-number.ts';
import { escapedUnicode, printValue, type ValuePrint } from './print-value.ts';
import { GET_PATHS, POST_PATHS, type Recipe, type SignedPath } from './recipe.ts';

/** Makes the text to sign from a request, by a recipe. `RIGHT` makes the correct one. */
export function compose(fields: RequestFields, stamps: Stamps, recipe: Recipe): string {
  const whole = wholeOf(fields, stamps, recipe);
  const text = whole ?? joined(orderedPairs(fields, stamps, recipe), fields, recipe);
  return ended(changed(text, recipe.text), recipe.end, stamps);
}

/** Encodes a text as the recipe says. A character that the encoding lacks becomes a question mark. */
export function encode(text: string, { bytes }: Recipe): Uint8Array<ArrayBuffer> {
  switch (bytes) {
    case 'UTF-8':
      return new TextEncoder().encode(text);
    case 'Latin-1':
      return Uint8Array.from(text, (character) => Math.min(character.codePointAt(0) ?? 0, 256) % 256 || 0x3f);
    case 'UTF-16':
      return Uint8Array.from(
        { length: text.length * 2 },
        (_, at) => (text.charCodeAt(at >> 1) >> (at % 2 === 0 ? 0 : 8)) & 0xff,
      );
    default:
      return bytes satisfies never;
  }
}

function wholeOf(fields: RequestFields, { timestamp, nonce }: Stamps, recipe: Recipe): string | null {
  const { raw, members } = fields;
  const isBody = raw.trimStart().startsWith('{');
  const number = (text: string) => printNumber(text, numberPrint(recipe));
  const json = (of: readonly Member[], print: ValuePrint) => printValue({ kind: 'object', members: of }, print, number);
  const stamps = Object.entries({ timestamp, nonce }).map(([name, text]): Member => [name, { kind: 'text', text }]);
  const all = [...members, ...stamps];
  const atTop = members.toSorted(([a], [b]) => byCodePoint(a, b));
  const texts: Record<Recipe['whole'], () => string | null> = {
    no: () => null,
    body: () => raw,
    'body, packed': () => packed(raw),
    'body, sorted': () => json(members, 'JSON, sorted'),
    'body, sorted, blanks': () => json(members, 'JSON, sorted, blanks'),
    'body, sorted at the top': () => json(atTop, 'JSON'),
    'body and stamps, sorted': () => json(all, 'JSON, sorted'),
    'body and stamps, sorted, blanks': () => json(all, 'JSON, sorted, blanks'),
    'body, timestamp, nonce': () => raw + timestamp + nonce,
    'timestamp, nonce, body': () => timestamp + nonce + raw,
    'timestamp.nonce.body': () => `${timestamp}.${nonce}.${raw}`,
    lines: () => inLines(timestamp, nonce, raw),
    ...pathLines(POST_PATHS, (url) => (isBody ? inLines('POST', url, timestamp, nonce, raw) : null)),
    ...pathLines(GET_PATHS, (url) => (isBody ? null : inLines('GET', withQuery(url, raw), timestamp, nonce, ''))),
    nothing: () => '',
  };
  return texts[recipe.whole]();
}

const inLines = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const withQuery = (url: string, query: string): string => (query === '' ? url : `${url}?${query}`);

/** A text for each path. Null: this request cannot have the path. */
function pathLines<Path extends SignedPath>(paths: readonly Path[], text: (url: string) => string | null) {
  return Object.fromEntries(paths.map((path) => [`lines, ${path}`, () => text(`/api/v1/merchant/${path}`)])) as Record<
    `lines, ${Path}`,
    () => string | null
  >;
}

function packed(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw));
  } catch {
    return raw;
  }
}

function joined(pairs: readonly Pair[], fields: RequestFields, recipe: Recipe): string {
  const escaped = pairs.map(({ name, text, stamp }) => ({
    name: escapes[recipe.escape](name, true),
    text: (stamp ? null : asSent(fields.encoded.get(name), recipe.escape)) ?? escapes[recipe.escape](text, false),
  }));
  const joins: Record<Recipe['join'], () => string> = {
    'k=v&': () => escaped.map(({ name, text }) => `${name}=${text}`).join('&'),
    values: () => escaped.map(({ text }) => text).join(''),
    'k=v': () => escaped.map(({ name, text }) => `${name}=${text}`).join(''),
    lines: () => escaped.map(({ name, text }) => `${name}=${text}`).join('\n'),
    kv: () => escaped.map(({ name, text }) => `${name}${text}`).join(''),
    'k:v': () => escaped.map(({ name, text }) => `${name}:${text}`).join('&'),
    commas: () => escaped.map(({ name, text }) => `${name}=${text}`).join(','),
  };
  return joins[recipe.join]();
}

/** A value of the query that was not decoded, or not as it should be; null if the recipe does not say so. */
function asSent(encoded: string | undefined, way: Recipe['escape']): string | null {
  if (encoded === undefined) return null;
  if (way === 'as in the URL') return encoded;
  if (way === 'as in the URL, escaped') return three(encoded);
  return way === 'plus kept' ? three(decodeURIComponent(encoded)) : null;
}

const three = (text: string): string => text.replaceAll('%', '%25').replaceAll('&', '%26').replaceAll('=', '%3D');
const url = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : text);

const escapes: Record<Recipe['escape'], (text: string, isName: boolean) => string> = {
  'three characters': three,
  none: (text) => text,
  URL: (text, isName) => (isName ? text : url(text)),
  'URL, names too': url,
  form: (text, isName) => (isName ? text : new URLSearchParams({ '': text }).toString().slice(1)),
  'without %': (text) => text.replaceAll('&', '%26').replaceAll('=', '%3D'),
  twice: (text) => three(three(text)),
  'as in the URL': (text) => text,
  'as in the URL, escaped': three,
  'plus kept': three,
};

function changed(text: string, change: Recipe['text']): string {
  const changes: Record<Recipe['text'], () => string> = {
    'as it is': () => text,
    NFC: () => text.normalize('NFC'),
    NFD: () => text.normalize('NFD'),
    escaped: () => escapedUnicode(text),
    'lower case': () => text.toLowerCase(),
    'upper case': () => text.toUpperCase(),
    'URL-encoded': () => url(text),
    base64: () => btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')),
  };
  return changes[change]();
}

function ended(text: string, end: Recipe['end'], { keyPair = '&key=' }: Stamps): string {
  const ends: Record<Recipe['end'], string> = {
    nothing: text,
    'line feed': `${text}\n`,
    'CR LF': `${text}\r\n`,
    ampersand: `${text}&`,
    blank: `${text} `,
    'question mark': `?${text}`,
    BOM: `\ufeff${text}`,
    key: text + keyPair,
  };
  return ends[end];
}
