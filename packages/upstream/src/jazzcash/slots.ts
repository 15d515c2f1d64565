import type { HttpClient } from '../http-client.ts';
import type { Gateway } from './gateway.ts';

/** The creates that each JazzCash server has not answered yet. They share one pool of connections. */
const unanswered = new WeakMap<HttpClient, Map<string, number>>();

/**
 * Takes one of the connections for payers who confirm. Returns the function that frees it, to be called once; null if
 * all are in use. All channels of a process at one server share them.
 */
export function takeSlot({ tools, baseUrl, maxConfirming }: Gateway): (() => void) | null {
  const counts = unanswered.get(tools.http) ?? new Map<string, number>();
  unanswered.set(tools.http, counts);
  const { origin } = new URL(baseUrl);
  const count = counts.get(origin) ?? 0;
  if (count >= maxConfirming) return null;
  counts.set(origin, count + 1);
  return () => {
    counts.set(origin, (counts.get(origin) ?? 1) - 1);
  };
}
