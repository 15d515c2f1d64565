import { setTimeout as delay } from 'node:timers/promises';

interface WaitOptions {
  readonly timeoutMs: number;
  /** The pause between two checks; default 50 ms. */
  readonly everyMs?: number;
  /** Returns a reason to give up, or undefined. Called before each check. */
  readonly givenUp?: () => string | undefined;
}

/** Checks until `look` returns true. Throws with `what` after the time-out, or when `givenUp` returns a reason. */
export async function waitUntil(what: string, look: () => Promise<boolean>, options: WaitOptions): Promise<void> {
  const deadline = performance.now() + options.timeoutMs;
  for (;;) {
    const reason = options.givenUp?.();
    if (reason !== undefined) throw new Error(`${what}: ${reason}`);
    if (await look()) return;
    if (performance.now() >= deadline) throw new Error(`${what}: not after ${options.timeoutMs / 1000} s`);
    await delay(options.everyMs ?? 50);
  }
}
