import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `ask` until it returns a value, for at most 10 s. */
export async function waitFor<T>(what: string, ask: () => Promise<T | null | undefined | false>): Promise<T> {
  const until = performance.now() + 10_000;
  while (performance.now() < until) {
    const answer = await ask();
    if (answer) return answer;
    await sleep(10);
  }
  throw new Error(`still waiting for ${what}`);
}
