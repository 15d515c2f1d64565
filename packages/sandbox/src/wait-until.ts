import { setTimeout as delay } from 'node:timers/promises';

interface WaitOptions {
  readonly timeoutMs: number;
  /** Pause between two looks; default 50 ms. */
  readonly everyMs?: number;
  /** A reason why waiting longer is in vain, asked before each look. */
  readonly givenUp?: () => string | undefined;
}

/** Looks until `look` says true. Throws, naming `what`, after the time-out or once `givenUp` gives a reason. */
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
