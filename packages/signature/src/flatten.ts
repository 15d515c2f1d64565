import { JsonNumber, type JsonObject, type JsonValue } from './json-value.ts';
import { MalformedRequest } from './malformed-request.ts';

/** One `path=value` pair of the content to sign, not yet escaped. */
export interface Leaf {
  readonly path: string;
  readonly text: string;
}

/**
 * The leaves of a value (decisions 2.2): objects join with `.`, elements are `path[0]`. In no particular order.
 * @throws MalformedRequest if the paths are too long in total
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
 * In characters. A long key around a long array is repeated in every path. Without a limit, a body of 64 KiB could need
 * hundreds of megabytes. Normal bodies of that size stay far below.
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
