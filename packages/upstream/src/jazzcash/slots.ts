import { callContext } from '@tidegate/domain/channels';
import { type FairSlots, openFairSlots } from '@tidegate/domain/sharing';
import type { HttpClient } from '../provider/http-client.ts';
import type { Gateway } from './gateway.ts';

/** The slots for unanswered creates of each JazzCash server. They share one pool of connections. */
const opened = new WeakMap<HttpClient, Map<string, FairSlots>>();

/**
 * JazzCash answers a create only after the payer has confirmed, so each create occupies a connection for long. This takes
 * one of the limited slots for such creates, which merchants share fairly. Returns the function that frees the slot; null
 * if the merchant gets none now. All channels of a process that use the same server share its slots.
 */
export function takeSlot({ tools, baseUrl, maxConfirming }: Gateway): (() => void) | null {
  const ofServers = opened.get(tools.http) ?? new Map<string, FairSlots>();
  opened.set(tools.http, ofServers);
  const { origin } = new URL(baseUrl);
  // All have the same limit, but for those of tests.
  const name = `${origin} ${maxConfirming}`;
  const slots = ofServers.get(name) ?? openFairSlots({ pool: 'payer_confirmations', slots: maxConfirming });
  ofServers.set(name, slots);
  const taken = slots.takeNow(callContext().owner);
  return taken.ok ? taken.release : null;
}
