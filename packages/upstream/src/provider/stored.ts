import type { ChannelMemory } from '@tidegate/domain/channels';
import { boundedText } from '@tidegate/settings/bounded-text';
import type * as z from 'zod';

/** The longest value that the memory of a channel keeps. */
export const storedText = boundedText(1_000);

/** What the memory of a channel has under a key. Nothing is decided by what its schema cannot read. */
export type Stored<T> = { kind: 'none' } | { kind: 'unreadable' } | { kind: 'value'; value: T };

/** Reads what the memory of a channel has under a key, by its schema. */
export async function readStored<T>(
  memory: ChannelMemory,
  key: string,
  schema: z.ZodType<T, string>,
): Promise<Stored<T>> {
  const text = await memory.read(key);
  return text === null ? { kind: 'none' } : parseStored(text, schema);
}

/** The same of a text that `remember` returned. */
export function parseStored<T>(text: string, schema: z.ZodType<T, string>): Exclude<Stored<T>, { kind: 'none' }> {
  const parsed = schema.safeParse(text);
  return parsed.success ? { kind: 'value', value: parsed.data } : { kind: 'unreadable' };
}

/** A time in Unix milliseconds that was stored as text. One that has not come yet, by more than a minute, is none. */
export const storedTime = storedText
  .regex(/^[0-9]{13}$/)
  .transform(Number)
  .refine((at) => at <= Date.now() + 60_000);
