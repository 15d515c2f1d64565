import type { HttpClient } from '../http-client.ts';
import type { Gateway } from './gateway.ts';

/** The number of unanswered creates of each JazzCash server. They share one pool of connections. */
const unanswered = new WeakMap<HttpClient, Map<string, number>>();

/**
 * JazzCash answers a create only after the payer has confirmed, so each create occupies a connection for long. This takes
 * one of the limited slots for such creates. Returns the function that frees the slot, to be called once; null if all
 * slots are in use. All channels of a process that use the same server share its slots.
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
