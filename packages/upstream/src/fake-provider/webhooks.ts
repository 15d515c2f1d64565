import { Agent, request } from 'undici';

export interface Webhook {
  /** What the webhook is about, so that tests find it, for example an order number. */
  about: string;
  url: string;
  /** Called for each delivery, so that the signature has the time of its delivery. */
  write(): { headers: Record<string, string>; body: string };
  /** Default: any HTTP 2xx acknowledges. */
  isAcknowledged?(status: number, body: string): boolean;
}

export interface SentWebhook {
  about: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * - `once`: each webhook once, in order.
 * - `twice`: each one two times.
 * - `held`: none, until `release`, which sends them from the last to the first.
 */
export type Delivery = 'once' | 'twice' | 'held';

export interface Webhooks {
  send(webhook: Webhook): void;
  deliver(how: Delivery): void;
  release(): void;
  /** What was sent so far, acknowledged or not; at most the last 1,000. */
  sent(about: string): SentWebhook[];
  close(): Promise<void>;
}

const retryWaitsMs = [500, 1_000, 2_000, 4_000, 8_000];
const maxKept = 1_000;
const timeoutMs = 5_000;

/** Sends webhooks, each with a few retries whose waits are multiplied by `timeFactor`. */
export function openWebhooks(timeFactor: number): Webhooks {
  const agent = new Agent({ connections: 16, connect: { timeout: 2_000 }, allowH2: false });
  const closing = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const kept: SentWebhook[] = [];
  const underWay = new Set<Promise<void>>();
  let how: Delivery = 'once';
  let held: Webhook[] = [];

  const attempt = async (webhook: Webhook, tried: number): Promise<void> => {
    const { headers, body } = webhook.write();
    kept.push({ about: webhook.about, headers, body });
    if (kept.length > maxKept) kept.shift();
    if (await post(webhook, headers, body)) return;
    const wait = retryWaitsMs[tried];
    if (wait === undefined || closing.signal.aborted) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      start(webhook, tried + 1);
    }, wait * timeFactor);
    timers.add(timer);
  };
  const start = (webhook: Webhook, tried = 0): void => {
    if (closing.signal.aborted) return;
    const running = attempt(webhook, tried).finally(() => underWay.delete(running));
    underWay.add(running);
  };
  const post = async ({ url, isAcknowledged }: Webhook, headers: Record<string, string>, body: string) => {
    try {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
      const reply = await request(url, { dispatcher: agent, signal, method: 'POST', headers, body });
      const text = await reply.body.text();
      return isAcknowledged?.(reply.statusCode, text) ?? (reply.statusCode >= 200 && reply.statusCode < 300);
    } catch {
      return false;
    }
  };

  return {
    send(webhook) {
      if (how === 'held') {
        held.push(webhook);
        return;
      }
      start(webhook);
      if (how === 'twice') start(webhook);
    },
    deliver: (next) => {
      how = next;
    },
    release() {
      how = 'once';
      const waiting = held.toReversed();
      held = [];
      for (const webhook of waiting) start(webhook);
    },
    sent: (about) => kept.filter((one) => one.about === about),
    async close() {
      closing.abort();
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(underWay);
      await agent.destroy();
    },
  };
}
