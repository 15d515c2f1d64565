import { createStore, useStore } from './store.ts';

/** After this time in ms people are told that a request takes longer than usual. */
const SLOW_MS = 2_000;

/** How many requests take longer than usual now. */
const slow = createStore(0);

/** What people are told meanwhile. */
export const SLOW_TEXT = 'The service is busy, so this takes longer than usual. Nothing is sent twice.';

/** Counts a request as slow from two seconds on until it is answered or fails. Resolves as the request does. */
export async function noteSlow<Answer>(request: Promise<Answer>): Promise<Answer> {
  let isCounted = false;
  const timer = setTimeout(() => {
    isCounted = true;
    slow.set(slow.get() + 1);
  }, SLOW_MS);
  try {
    return await request;
  } finally {
    clearTimeout(timer);
    if (isCounted) slow.set(slow.get() - 1);
  }
}

/** Whether a request takes longer than usual. */
export function useSlow(): boolean {
  return useStore(slow) > 0;
}
