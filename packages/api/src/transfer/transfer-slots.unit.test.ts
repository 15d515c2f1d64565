import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { leastRate, openDownloadSlots } from './transfer-slots.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A response with much to send, whose client reads so many bytes a second. */
async function aDownload(bytesPerSecond: number, waiting = 1_000_000) {
  const socket = { bytesWritten: 1_000_000_000, writableLength: waiting };
  const response = Object.assign(new EventEmitter(), {
    socket,
    destroyed: false,
    writableLength: waiting,
    destroy: (): void => {
      response.destroyed = true;
      response.emit('close');
    },
  });
  expect(await openDownloadSlots().take('ann', response)).toBe(true);
  for (let second = 0; second < 100; second++) {
    await vi.advanceTimersByTimeAsync(1_000);
    socket.bytesWritten += bytesPerSecond;
  }
  const { destroyed } = response;
  response.emit('close');
  return destroyed;
}

test('a client that reads more slowly than the least rate loses its slot, and one that is faster keeps it', async () => {
  expect(await aDownload(leastRate.bytesPerSecond / 2)).toBe(true);
  expect(await aDownload(1)).toBe(true);
  expect(await aDownload(leastRate.bytesPerSecond * 2)).toBe(false);
});

test('a client for whom nothing waits is not slow', async () => {
  expect(await aDownload(0, 0)).toBe(false);
});
