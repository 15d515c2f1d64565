import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { openDocumentCache } from './document-cache.ts';

const mebibyte = 1024 * 1024;
const documentOf = (name: string, fields: number): string => `{ ${`${name} `.repeat(fields)}}`;

test('cached documents never take more than 16 MiB, and the least recently used one is dropped first', () => {
  const cache = openDocumentCache();
  const texts = Array.from({ length: 50 }, (_, i) => documentOf(`field${i}`, 1_000));
  for (const text of texts) {
    cache.set(text, parse(text));
    cache.get(texts[0] ?? '');
    expect(cache.calculatedSize).toBeLessThanOrEqual(16 * mebibyte);
  }
  expect(cache.size).toBeLessThan(50);
  expect([texts[0], texts[1], texts[49]].map((text = '') => cache.has(text))).toEqual([true, false, true]);
});

test('a document of more than one MiB is not cached, and a deleted document frees its bytes', () => {
  const cache = openDocumentCache();
  const [large, small] = [documentOf('a', 2_700), documentOf('a', 100)];
  cache.set(large, parse(large));
  expect([cache.has(large), cache.calculatedSize]).toEqual([false, 0]);
  cache.set(small, parse(small));
  cache.set(small, parse(small));
  expect(cache.calculatedSize).toBeGreaterThan(100 * 400);
  expect(cache.calculatedSize).toBeLessThan(110 * 400);
  cache.delete(small);
  expect(cache.calculatedSize).toBe(0);
});
