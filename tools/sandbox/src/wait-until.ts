import { setTimeout as delay } from 'node:timers/promises';

interface WaitOptions {
  readonly timeoutMs: number;
  /** Milliseconds between two checks; default 50. */
  readonly everyMs?: number;
  /** Called before each check. A returned text is the reason to give up. */
  readonly givenUp?: () => string | undefined;
  /** What the last check saw, for the error after the time-out. */
  readonly lastSeen?: () => string;
}

/**
 * Waits until `look` resolves to true. Throws an error that names `what` after the time-out, or with the reason of
 * `givenUp`.
 */
export async function waitUntil(what: string, look: () => Promise<boolean>, options: WaitOptions): Promise<void> {
  const deadline = performance.now() + options.timeoutMs;
  for (;;) {
    const reason = options.givenUp?.();
    if (reason !== undefined) throw new Error(`${what}: ${reason}`);
    if (await look()) return;
    if (performance.now() >= deadline) {
      const seen = options.lastSeen ? ` (${options.lastSeen()})` : '';
      throw new Error(`${what}: not after ${options.timeoutMs / 1000} s${seen}`);
    }
    await delay(options.everyMs ?? 50);
  }
}
