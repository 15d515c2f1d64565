import { JsonNumber, type JsonObject, type JsonValue, readBody, readQuery } from '../content.ts';

/** A leaf of a request. Absent values are included, although they are not signed. */
export interface Entry {
  path: readonly (string | number)[];
  kind: 'text' | 'number' | 'boolean' | 'null' | 'empty text' | 'empty object' | 'empty array';
  /** The text that is signed; for a number, as it is written in the request. */
  text: string;
}

/** A parsed request, with all that is needed to try other ways to sign it. */
export interface RequestFields {
  /** The content to sign. */
  content(timestamp: string, nonce: string): string;
  /** The leaves in the order of the body or query. */
  entries: readonly Entry[];
  /** The top-level fields that are objects or arrays, parsed as JSON. */
  nested: ReadonlyMap<string, unknown>;
  /** The body or query as received. */
  raw: string;
  /** The values of a query, still percent-encoded. */
  encoded: ReadonlyMap<string, string>;
}

/** @throws MalformedRequest */
export function fieldsOfBody(body: Uint8Array): RequestFields {
  const { value, content } = readBody(body);
  const raw = new TextDecoder().decode(body);
  const parsed: { [key: string]: unknown } = JSON.parse(raw);
  const nested = Object.entries(parsed).filter(([, field]) => typeof field === 'object' && field !== null);
  return { content, entries: [...walk(parsed, value, [])], nested: new Map(nested), raw, encoded: new Map() };
}

/** @throws MalformedRequest */
export function fieldsOfQuery(query: string): RequestFields {
  const { value, content } = readQuery(query);
  const encoded = new Map(query.split('&').flatMap((pair) => (pair.includes('=') ? [splitPair(pair)] : [])));
  const entries = [...encoded.keys()].map((name): Entry => {
    const text = value[name];
    return {
      path: [name],
      kind: text === undefined ? 'empty text' : 'text',
      text: typeof text === 'string' ? text : '',
    };
  });
  return { content, entries, nested: new Map(), raw: query, encoded };
}

function splitPair(pair: string): [string, string] {
  const equals = pair.indexOf('=');
  return [decodeURIComponent(pair.slice(0, equals).replaceAll('+', ' ')), pair.slice(equals + 1)];
}

/**
 * Walks the leaves of `parsed`. `signed` is the same value as parsed for signing: it has the original texts of numbers.
 */
function* walk(parsed: unknown, signed: JsonValue | undefined, path: readonly (string | number)[]): Generator<Entry> {
  if (Array.isArray(parsed)) {
    if (parsed.length === 0) yield { path, kind: 'empty array', text: '' };
    const elements = Array.isArray(signed) ? signed : [];
    for (const [at, element] of parsed.entries()) yield* walk(element, elements[at], [...path, at]);
  } else if (typeof parsed === 'object' && parsed !== null) {
    const members = Object.entries(parsed);
    if (members.length === 0 && path.length > 0) yield { path, kind: 'empty object', text: '' };
    const object: JsonObject = isObject(signed) ? signed : {};
    for (const [key, member] of members) yield* walk(member, object[key], [...path, key]);
  } else if (parsed === null) yield { path, kind: 'null', text: '' };
  else if (typeof parsed === 'boolean') yield { path, kind: 'boolean', text: String(parsed) };
  else if (typeof parsed === 'number')
    yield { path, kind: 'number', text: signed instanceof JsonNumber ? signed.text : String(parsed) };
  else yield { path, kind: parsed === '' ? 'empty text' : 'text', text: String(parsed) };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof JsonNumber);
}
