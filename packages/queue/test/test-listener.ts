import type { Change, Log } from '@tidegate/domain';
import { expect, vi } from 'vitest';
import { openAnnouncer, type RunningAnnouncer } from '../src/changes.ts';
import { listenToChanges, type RunningListener } from '../src/listen-to-changes.ts';

export const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const open: { close(): unknown }[] = [];

/** Closes everything that the test opened. For `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const one of open.splice(0)) await one.close();
}

/** Registers a function that `closeAll` calls. */
export function closeAfterTest(close: () => unknown): void {
  open.push({ close });
}

/** The change of an order that was completed. */
export const completedOrder = (orderNo: string): Change => ({
  type: 'order',
  merchantId: 'M1',
  orderNo,
  status: 'completed',
});

export function announcer(redisUrl: string): RunningAnnouncer {
  const opened = openAnnouncer({ redisUrl, log: silent });
  open.push(opened);
  return opened;
}

export interface TestListener extends RunningListener {
  received: string[];
  lost: number;
}

/** Starts a listener, and waits until it receives. */
export async function openTestListener(redisUrl: string, beatMs?: number): Promise<TestListener> {
  const received: string[] = [];
  let lost = 0;
  const listener = listenToChanges({
    redisUrl,
    log: silent,
    ...(beatMs !== undefined && { beatMs }),
    receive: (changes) => void received.push(...changes.map((one) => (one.type === 'order' ? one.orderNo : ''))),
    lost: () => {
      lost += 1;
    },
  });
  open.push(listener);
  await vi.waitFor(() => expect(listener.isListening()).toBe(true), { timeout: 10_000 });
  return {
    ...listener,
    received,
    get lost() {
      return lost;
    },
  };
}

/** Publishes until every listener has received a message. The first ones may be sent before the connection is ready. */
export async function untilReceived(
  { announce }: RunningAnnouncer,
  listeners: TestListener[],
  name: string,
): Promise<void> {
  let n = 0;
  await vi.waitFor(
    () => {
      announce([completedOrder(`${name}-${++n}`)]);
      for (const { received } of listeners) expect(received.some((one) => one.startsWith(name))).toBe(true);
    },
    { timeout: 20_000, interval: 50 },
  );
}
