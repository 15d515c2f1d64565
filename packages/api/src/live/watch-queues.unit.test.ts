import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openChangeFeed } from './change-feed.ts';
import { watchQueues } from './watch-queues.ts';

// In a file of its own: a server in the same process would set fake timers too.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the queues are read once for all subscribers, and not at all without subscribers', async () => {
  const feed = openChangeFeed();
  const read = vi.fn(async () => []);
  const watch = watchQueues(feed, { read });
  const streams = ['ann', 'bob', 'eve'].map((operatorId) => {
    const stream = feed.listen({
      topic: 'queues',
      operatorId,
      toMessages: async (events) => events,
      maySubscribe: async () => true,
    });
    watch.begin();
    return stream;
  });
  for (let looks = 1; looks <= 3; looks += 1) {
    for (const stream of streams) expect((await stream.next()).value).toEqual({ type: 'queues', queues: [] });
    expect(read).toHaveBeenCalledTimes(looks);
    await vi.advanceTimersByTimeAsync(2_000);
  }
  for (const stream of streams) await stream.return?.();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(read).toHaveBeenCalledTimes(4);
  expect(vi.getTimerCount()).toBe(0);
  feed.listen({ topic: 'queues', operatorId: 'ann', toMessages: async () => [], maySubscribe: async () => true });
  watch.begin();
  expect(read).toHaveBeenCalledTimes(5);
  feed.endAll();
  watch.stop();
});
