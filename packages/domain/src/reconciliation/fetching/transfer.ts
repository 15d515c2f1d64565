/** The transfer failed or was ended, not the database that stores it. */
export class TransferBroken extends Error {
  override readonly name = 'TransferBroken';
}

/**
 * The bytes of a transfer until `signal` ends it, also if the adapter does not: its last read is not waited for. Throws `TransferBroken`.
 * `transferred`: how many bytes came so far.
 */
export function openTransfer(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): { bytes: AsyncGenerator<Uint8Array>; transferred(): number } {
  let count = 0;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const iterator = source[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await nextOf(iterator, signal);
        if (done) return;
        count += value.length;
        yield value;
      }
    } catch (error) {
      throw new TransferBroken(error instanceof Error ? error.message : 'the transfer broke off');
    } finally {
      // `return` waits for the read under way, which may never end. So nothing waits for `return`.
      iterator.return?.()?.catch(() => undefined);
    }
  }
  return { bytes: bytes(), transferred: () => count };
}

/** Each read has its own listener on `signal`. With one promise for the whole transfer, each read would leave a callback behind. */
function nextOf(
  iterator: AsyncIterator<Uint8Array>,
  signal: AbortSignal,
): Promise<IteratorResult<Uint8Array, undefined>> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(new Error('the transfer was ended before its end'));
    if (signal.aborted) return end();
    signal.addEventListener('abort', end, { once: true });
    iterator
      .next()
      .finally(() => signal.removeEventListener('abort', end))
      .then(resolve, reject);
  });
}
