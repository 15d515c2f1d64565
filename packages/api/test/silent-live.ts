import type { Domain } from '@tidegate/domain';
import { refusal } from '../src/errors/errors.ts';
import { openChangeFeed } from '../src/live/change-feed.ts';
import type { Live } from '../src/live/open-live.ts';
import { openOrderReader } from '../src/live/read-orders.ts';

/** For an API without Redis: the test sends the changes, and there are no queues. */
export function silentLive(domain: Domain): Live {
  const read = async () => {
    throw refusal('SERVICE_UNAVAILABLE', 'no queues here');
  };
  return {
    feed: openChangeFeed(),
    readOrders: openOrderReader(domain),
    queues: { read, marks: async () => null, begin: () => undefined, stop: () => undefined },
    isListening: () => true,
  };
}
