import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LedgerUnavailable } from '../database/connection-loss.ts';
import { openBriefCache } from './brief-cache.ts';

// A clock of the test's own: a busy machine stops the process too.
let now = 0;
beforeEach(() => {
  now = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

/** As if the process was stopped for so many milliseconds. */
function stopFor(ms: number): void {
  now += ms;
}

test('a key is read once per interval', async () => {
  let calls = 0;
  const cache = openBriefCache({ read: async () => (calls += 1), keepMs: 50, capacity: 10 });
  expect(await Promise.all([cache.get('a'), cache.get('a')])).toEqual([1, 1]);
  stopFor(60);
  expect(await cache.get('a')).toBe(2);
  cache.clear();
  expect(await cache.get('a')).toBe(3);
});

test('a value that arrived while the process was paused is read again, and a value that is always late is refused', async () => {
  let calls = 0;
  let late = 1;
  const read = async (): Promise<number> => {
    calls += 1;
    const mine = calls;
    await new Promise(setImmediate);
    if (mine <= late) stopFor(60);
    return mine;
  };
  const cache = openBriefCache({ read, keepMs: 1_000, capacity: 10, maxAgeMs: 50 });
  expect(await cache.get('a')).toBe(2);
  late = Number.POSITIVE_INFINITY;
  await expect(cache.get('b')).rejects.toBeInstanceOf(LedgerUnavailable);
});

test('failures are not cached, and the oldest key is dropped first', async () => {
  let keys: string[] = [];
  const read = async (key: string): Promise<string> => {
    keys.push(key);
    if (keys.length === 1) throw new Error('unavailable');
    return key;
  };
  const cache = openBriefCache({ read, keepMs: 60_000, capacity: 2 });
  await expect(cache.get('a')).rejects.toThrow('unavailable');
  for (const key of ['a', 'b', 'c']) expect(await cache.get(key)).toBe(key);
  keys = ['', ''];
  for (const key of ['b', 'c', 'a']) await cache.get(key);
  expect(keys).toEqual(['', '', 'a']);
});
