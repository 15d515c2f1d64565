import { StatementUnreadable } from '@tidegate/domain/reconciliation';

/** Passes the bytes on, at most `most`. Throws StatementUnreadable for more bytes, and for an empty file. */
export async function* boundedBytes(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > most) throw new StatementUnreadable('too_large', `the file has more than ${most} bytes`);
    yield chunk;
  }
  if (length === 0) throw new StatementUnreadable('other_format', 'the file is empty');
}

/** Returns the first `count` bytes, and a stream of all bytes. A short file has fewer than `count`. */
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
