/** Bytes of one row of a file that is kept in chunks. */
const chunkSize = 256 * 1024;

/** Cuts a stream of bytes into chunks of 256 KiB; the last one is shorter. Files are kept as rows of such chunks. */
export async function* inChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + chunkSize - length);
      held.push(part);
      length += part.length;
      at += part.length;
      if (length < chunkSize) continue;
      yield Buffer.concat(held);
      held = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(held);
}
