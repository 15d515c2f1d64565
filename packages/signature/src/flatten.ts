import { JsonNumber, type JsonObject, type JsonValue } from './json-value.ts';
import { MalformedRequest } from './malformed-request.ts';

/** One `path=value` pair of the content to sign, not yet escaped. */
export interface Leaf {
  readonly path: string;
  readonly text: string;
}

/**
 * The leaves of a request (decisions 2.2), in no particular order. Keys are joined with `.`, array elements are
 * `path[0]`.
 * @throws MalformedRequest if all paths and values together are too long
 */
export function flatten(fields: JsonObject): Leaf[] {
  const leaves: Leaf[] = [];
  for (const key in fields) add(leaves, key, fields[key]);
  let length = 0;
  for (const leaf of leaves) length += leaf.path.length + leaf.text.length;
  if (length > MAX_LENGTH) throw new MalformedRequest('the content to sign is too long');
  return leaves;
}

/**
 * Limit of all paths and values together, in characters. Each element of an array repeats the keys around it. So a body
 * of 64 KiB with a long key could otherwise need hundreds of megabytes. Normal bodies stay far below the limit.
 */
const MAX_LENGTH = 1024 * 1024;

function add(leaves: Leaf[], path: string, value: JsonValue | undefined): void {
  if (value === undefined || value === '') return;
  if (typeof value === 'string') leaves.push({ path, text: value });
  else if (typeof value === 'boolean') leaves.push({ path, text: value ? 'true' : 'false' });
  else if (value instanceof JsonNumber) leaves.push({ path, text: value.text });
  else if (Array.isArray(value)) for (let i = 0; i < value.length; i += 1) add(leaves, `${path}[${i}]`, value[i]);
  else for (const key in value) add(leaves, `${path}.${key}`, value[key]);
}
