import { expect, test } from 'vitest';
import { boundedCache } from './bounded-cache.ts';

test('a cache never holds more bytes than its limit, and drops what was used least recently', () => {
  const cache = boundedCache<string>(1_600, (_key, value) => value.length);
  for (let i = 0; i < 16; i += 1) cache.set(`k${i}`, 'x'.repeat(100));
  expect(cache.bytes()).toBe(1_600);
  expect(cache.get('k0')).toBeDefined();
  cache.set('new', 'x'.repeat(50));
  expect(cache.bytes()).toBe(1_550);
  expect([cache.get('k0'), cache.get('k1'), cache.get('k2')].map((value) => value?.length)).toEqual([
    100,
    undefined,
    100,
  ]);
});

test('an entry that would push out many others is not kept, and replacing or deleting frees its bytes', () => {
  const cache = boundedCache<string>(1_600, (_key, value) => value.length);
  cache.set('large', 'x'.repeat(101));
  expect(cache.get('large')).toBeUndefined();
  cache.set('a', 'x'.repeat(80));
  cache.set('a', 'x'.repeat(10));
  expect(cache.bytes()).toBe(10);
  cache.delete('a');
  cache.delete('a');
  expect(cache.bytes()).toBe(0);
});
