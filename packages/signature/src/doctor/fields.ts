import { JsonNumber, type JsonObject, type JsonValue, readBody, readQuery } from '../content.ts';

/** A value without members and elements. */
export interface Leaf {
  kind: 'text' | 'number' | 'boolean' | 'null' | 'empty text' | 'empty object' | 'empty array';
  /** The text that is signed; for a number, as it is written in the request. */
  text: string;
}

/** A value of a request. Absent values are included, although they are not signed. */
export type Value =
  | Leaf
  | { kind: 'object'; members: readonly Member[] }
  | { kind: 'array'; elements: readonly Value[] };
export type Member = readonly [name: string, value: Value];

/** A leaf of a request and its path. */
export interface Entry extends Leaf {
  path: readonly (string | number)[];
}

/** A parsed request, with all that is needed to try other ways to sign it. */
export interface RequestFields {
  /** The content to sign. */
  content(timestamp: string, nonce: string): string;
  /** The leaves in the order of the body or query. */
  entries: readonly Entry[];
  /** The top-level fields, in the order of the body or query. */
  members: readonly Member[];
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
  const members = membersOf(parsed, value);
  const entries = members.flatMap(([name, member]) => [...leavesOf(member, [name])]);
  return { content, entries, members, raw, encoded: new Map() };
}

/** @throws MalformedRequest */
export function fieldsOfQuery(query: string): RequestFields {
  const { value, content } = readQuery(query);
  const encoded = new Map(query.split('&').flatMap((pair) => (pair.includes('=') ? [splitPair(pair)] : [])));
  const members = [...encoded.keys()].map((name): [string, Leaf] => {
    const text = value[name];
    return [name, typeof text === 'string' ? { kind: 'text', text } : { kind: 'empty text', text: '' }];
  });
  const entries = members.map(([name, leaf]): Entry => ({ path: [name], ...leaf }));
  return { content, entries, members, raw: query, encoded };
}

function splitPair(pair: string): [string, string] {
  const equals = pair.indexOf('=');
  return [decodeURIComponent(pair.slice(0, equals).replaceAll('+', ' ')), pair.slice(equals + 1)];
}

/** `signed` is the same value as parsed for signing: it has the original texts of numbers. */
function readValue(parsed: unknown, signed: JsonValue | undefined): Value {
  if (Array.isArray(parsed)) {
    if (parsed.length === 0) return { kind: 'empty array', text: '' };
    const elements = Array.isArray(signed) ? signed : [];
    return { kind: 'array', elements: parsed.map((element, at) => readValue(element, elements[at])) };
  }
  if (typeof parsed === 'object' && parsed !== null) {
    const members = membersOf(parsed, signed);
    return members.length === 0 ? { kind: 'empty object', text: '' } : { kind: 'object', members };
  }
  if (parsed === null) return { kind: 'null', text: '' };
  if (typeof parsed === 'boolean') return { kind: 'boolean', text: String(parsed) };
  if (typeof parsed === 'number')
    return { kind: 'number', text: signed instanceof JsonNumber ? signed.text : String(parsed) };
  return { kind: parsed === '' ? 'empty text' : 'text', text: String(parsed) };
}

function membersOf(parsed: object, signed: JsonValue | undefined): Member[] {
  const object: JsonObject = isObject(signed) ? signed : {};
  return Object.entries(parsed).map(([name, member]) => [name, readValue(member, object[name])]);
}

function* leavesOf(value: Value, path: Entry['path']): Generator<Entry> {
  if (value.kind === 'object') for (const [name, member] of value.members) yield* leavesOf(member, [...path, name]);
  else if (value.kind === 'array')
    for (const [at, element] of value.elements.entries()) yield* leavesOf(element, [...path, at]);
  else yield { path, ...value };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof JsonNumber);
}
