import { Agent, request } from 'undici';
import { CALLBACK_TARGET, signedHeaders } from '../sandbox/signing.ts';
import type { WireCallback } from '../sandbox/wire.ts';
import type { CallbackSender, ServerContext } from './context.ts';
import type { BookEntry } from './order-book.ts';
import { viewOf } from './order-view.ts';
import { historyOf, type OrderEvent, PENDING, type StoredOrder } from './state.ts';

/** Waits after the first, second, … failed delivery. After the last one it is given up until the next start. */
const RETRY_WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000];
const MAX_IN_FLIGHT = 64;
const TIMEOUT_MS = 5_000;

/**
 * Reports the events of an order to its callback URL: signed, one after another per order, with a few retries. The
 * callbacks are derived from the order. Only acknowledged ones are recorded, so a restart sends the rest.
 */
export function startCallbacks(context: ServerContext): CallbackSender {
  const agent = new Agent({ connections: MAX_IN_FLIGHT, connect: { timeout: 2_000 }, allowH2: false });
  const closing = new AbortController();
  const timers = new Map<string, NodeJS.Timeout>();
  const failures = new Map<string, { count: number; retryAtMs: number }>();
  const waiting = new Set<string>();
  const inFlight = new Map<string, Promise<void>>();

  const poke = (orderNo: string): void => {
    clearTimeout(timers.get(orderNo));
    timers.delete(orderNo);
    const entry = context.book.get(orderNo);
    if (!entry || inFlight.has(orderNo) || closing.signal.aborted) return;
    const next = nextCallback(entry);
    if (!next) return;
    const waitMs = Math.max(next.dueAtMs, failures.get(next.body.callbackId)?.retryAtMs ?? 0) - Date.now();
    if (waitMs > 0) timers.set(orderNo, setTimeout(poke, waitMs, orderNo));
    else if (inFlight.size >= MAX_IN_FLIGHT) waiting.add(orderNo);
    else inFlight.set(orderNo, deliver(orderNo, next));
  };

  const nextCallback = (entry: BookEntry): DueCallback | undefined => {
    if (!entry.order) return undefined;
    return callbacksOf(entry.order, context).find(({ body: { callbackId } }) => {
      return !entry.reported.has(callbackId) && (failures.get(callbackId)?.count ?? 0) <= RETRY_WAITS_MS.length;
    });
  };

  const deliver = async (orderNo: string, { url, body }: DueCallback): Promise<void> => {
    const { callbackId } = body;
    if (await post(url, body, context.secret, agent, closing.signal)) {
      context.book.recordCallback(orderNo, callbackId);
      failures.delete(callbackId);
    } else {
      const count = (failures.get(callbackId)?.count ?? 0) + 1;
      const waitMs = (RETRY_WAITS_MS[count - 1] ?? 0) * context.timeFactor;
      failures.set(callbackId, { count, retryAtMs: Date.now() + waitMs });
    }
    inFlight.delete(orderNo);
    poke(orderNo);
    for (const other of waiting) {
      if (inFlight.size >= MAX_IN_FLIGHT) break;
      waiting.delete(other);
      poke(other);
    }
  };

  return {
    poke,
    async close() {
      closing.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(inFlight.values());
      await agent.destroy();
    },
  };
}

/** True if it was acknowledged with 200. */
async function post(
  url: string,
  callback: WireCallback,
  secret: string,
  agent: Agent,
  closing: AbortSignal,
): Promise<boolean> {
  const body = JSON.stringify(callback);
  const signed = signedHeaders(secret, CALLBACK_TARGET, body, Date.now());
  try {
    const reply = await request(url, {
      dispatcher: agent,
      signal: AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS)]),
      method: 'POST',
      headers: { ...signed, 'content-type': 'application/json' },
      body,
    });
    await reply.body.dump();
    return reply.statusCode === 200;
  } catch {
    return false;
  }
}

interface DueCallback {
  dueAtMs: number;
  url: string;
  body: WireCallback;
}

/** Every callback of an order, in the order of sending. */
function callbacksOf(order: StoredOrder, { timeFactor, publicUrl }: ServerContext): DueCallback[] {
  const callback = (event: OrderEvent, id = event.id, shown = event): DueCallback => ({
    dueAtMs: event.atMs,
    url: order.callbackUrl,
    body: {
      callbackId: `${order.upstreamId}.${id}`,
      occurredAt: new Date(shown.atMs).toISOString(),
      order: viewOf(order, shown.state, publicUrl()),
    },
  });
  return historyOf(order, timeFactor).flatMap((event) => {
    switch (event.report) {
      case 'polling_only':
        return [];
      case 'callback':
        return [callback(event)];
      case 'thrice_then_older': {
        const older = { ...event, state: PENDING, atMs: order.takenAtMs };
        const thrice = [1, 2, 3].map((time) => callback(event, `${event.id}.${time}`));
        return [...thrice, callback(event, `${event.id}.older`, older)];
      }
      default:
        return event.report satisfies never;
    }
  });
}
