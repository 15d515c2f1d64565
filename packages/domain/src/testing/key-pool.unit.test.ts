import { expect, test } from 'vitest';
import { keepKeyPair, takeKeyPair } from './key-pool.ts';

test('a pair that a fixture keeps is never taken for that of a stranger', () => {
  const { privateKeyPem } = keepKeyPair();
  expect(keepKeyPair().privateKeyPem).not.toBe(privateKeyPem);
  const taken = Array.from({ length: 300 }, () => takeKeyPair().privateKeyPem);
  expect(taken).not.toContain(privateKeyPem);
});
