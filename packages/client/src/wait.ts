import { setTimeout as delay } from 'node:timers/promises';

const FIRST_MS = 200;
const MAX_MS = 30_000;

/**
 * Waits before attempt `next` (2, 3 …): as long as `Retry-After` says, else 200 ms, doubled each time, but at most 30
 * seconds. Up to a quarter is added at random, so that many clients do not return at once. Rejects when the signal is
 * aborted.
 */
export async function waitBefore(next: number, retryAfterSeconds: number | null, signal?: AbortSignal): Promise<void> {
  const base = retryAfterSeconds === null ? FIRST_MS * 2 ** (next - 2) : retryAfterSeconds * 1_000;
  const ms = Math.min(MAX_MS, base) * (1 + Math.random() / 4);
  await delay(ms, undefined, signal ? { signal } : {}).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : error;
  });
}
