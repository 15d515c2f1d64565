import { StatementUnreadable } from '@tidegate/domain/reconciliation';

/** The same bytes, and no more than `most`. Throws StatementUnreadable for more, and for none at all. */
export async function* boundedBytes(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > most) throw new StatementUnreadable('too_large', `the file has more than ${most} bytes`);
    yield chunk;
  }
  if (length === 0) throw new StatementUnreadable('other_format', 'the file is empty');
}

/** The first bytes, and all of them again. `count` is how many are wanted; a short file has fewer. */
export async function peek(
  bytes: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{ first: Uint8Array; all: AsyncIterable<Uint8Array> }> {
  const iterator = bytes[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let length = 0;
  while (length < count) {
    const { done, value } = await iterator.next();
    if (done) break;
    read.push(value);
    length += value.length;
  }
  const first = Buffer.concat(read);
  return { first, all: again(first, iterator) };
}

async function* again(first: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
