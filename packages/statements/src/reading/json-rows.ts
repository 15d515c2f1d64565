import type { StatementRow } from '@tidegate/domain/reconciliation';
import type { z } from 'zod';
import { BadRow, rowsOrUnparsed } from './bad-row.ts';
import { boundedBytes } from './bytes.ts';
import { jsonItems } from './json-items.ts';
import type { Limits } from './limits.ts';

export interface JsonReader<Item> {
  /** The name of the list of rows in each document. */
  list: string;
  schema: z.ZodType<Item>;
  limits: Limits;
  readItem(item: Item, lineNo: number): StatementRow[];
  /** Reads the rest of a document without its list, after its rows. */
  readDocument?(document: Readonly<Record<string, unknown>>): void;
}

/** The rows of JSON documents. An item that does not match the schema is set aside. Returns the number of rows. */
export async function* jsonRows<Item>(
  bytes: AsyncIterable<Uint8Array>,
  reader: JsonReader<Item>,
): AsyncGenerator<StatementRow, number> {
  const { limits, list, schema } = reader;
  let rows = 0;
  for await (const piece of jsonItems(boundedBytes(bytes, limits.bytes), list, limits)) {
    if (piece.kind === 'document') {
      reader.readDocument?.(piece.value);
      continue;
    }
    rows += 1;
    yield* rowsOrUnparsed(piece.lineNo, () => reader.readItem(readItem(piece.text, schema), piece.lineNo));
  }
  return rows;
}

function readItem<Item>(text: string, schema: z.ZodType<Item>): Item {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new BadRow('not JSON');
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new BadRow(path === '' ? 'not an object' : `${path} is missing or has another type`);
}
