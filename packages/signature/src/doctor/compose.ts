import type { RequestFields } from './fields.ts';
import { escapedUnicode, orderedPairs, type Pair, type Stamps } from './pairs.ts';
import type { Recipe } from './recipe.ts';

/** Makes the text to sign from a request, by a recipe. `RIGHT` makes the correct one. */
export function compose(fields: RequestFields, stamps: Stamps, recipe: Recipe): string {
  const whole = wholeOf(fields, stamps, recipe.whole);
  const text = whole ?? joined(orderedPairs(fields, stamps, recipe), fields, recipe);
  return ended(changed(text, recipe.text), recipe.end);
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

function wholeOf({ raw }: RequestFields, { timestamp, nonce }: Stamps, whole: Recipe['whole']): string | null {
  const texts: Record<Recipe['whole'], () => string | null> = {
    no: () => null,
    body: () => raw,
    'body, packed': () => packed(raw),
    'body, timestamp, nonce': () => raw + timestamp + nonce,
    'timestamp, nonce, body': () => timestamp + nonce + raw,
    'timestamp.nonce.body': () => `${timestamp}.${nonce}.${raw}`,
    nothing: () => '',
  };
  return texts[whole]();
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
    text:
      recipe.escape === 'as in the URL' && !stamp
        ? (fields.encoded.get(name) ?? text)
        : escapes[recipe.escape](text, false),
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

function ended(text: string, end: Recipe['end']): string {
  const ends: Record<Recipe['end'], string> = {
    nothing: text,
    'line feed': `${text}\n`,
    'CR LF': `${text}\r\n`,
    ampersand: `${text}&`,
    blank: `${text} `,
    'question mark': `?${text}`,
    BOM: `\ufeff${text}`,
  };
  return ends[end];
}
