import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { boundedText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';

/** Documents by the SHA-256 of their text, in hexadecimal. */
export type PersistedOperations = ReadonlyMap<string, string>;

const fileSchema = z.record(boundedText(256), boundedText(100_000));

/**
 * Reads the persisted operations of a file: a JSON object of documents by their SHA-256. Throws, with the reason, if
 * the file cannot be read or a document does not match its key.
 */
export function readPersistedOperations(file: string): PersistedOperations {
  const operations = new Map(Object.entries(parse(file, readJson(file))));
  for (const [hash, document] of operations) {
    const actual = createHash('sha256').update(document).digest('hex');
    if (actual !== hash) throw new Error(`${file}: the document under ${hash} has the SHA-256 ${actual}`);
  }
  return operations;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function parse(file: string, content: unknown): Record<string, string> {
  const result = fileSchema.safeParse(content);
  if (!result.success)
    throw new Error(
      `${file} must be an object of documents by their SHA-256: ${z.prettifyError(result.error).replaceAll('\n', ' ')}`,
    );
  return result.data;
}
