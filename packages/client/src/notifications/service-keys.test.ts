import { createPublicKey } from 'node:crypto';
import { keyId } from '@tidegate/signature';
import { expect, test } from 'vitest';
import { jwksServer, newKey } from '../../test/service-side.ts';
import { fixedKeys, serviceKeys } from './service-keys.ts';

const [old, young, invented] = [newKey(), newKey(), newKey()];

async function ground(options: object = {}) {
  const published = { keys: [old], down: false };
  const server = await jwksServer(published);
  const time = { ms: 1_000_000 };
  const keys = serviceKeys({
    baseUrl: server.baseUrl,
    clock: () => time.ms,
    maxAgeMs: 60_000,
    cooldownMs: 5_000,
    maxStaleMs: 100_000,
    ...options,
  });
  return { published, server, time, keys };
}

test('keys are fetched once, also for many who ask at the same time', async () => {
  const { keys, server } = await ground();
  const found = await Promise.all(Array.from({ length: 20 }, () => keys.find(keyId(old))));
  expect(found.map((list) => list.length)).toEqual(Array(20).fill(1));
  await keys.find(keyId(old));
  expect(server.asked()).toBe(1);
});

test('a rotation: the new key is fetched when it first signs, the old one counts until the service takes it back', async () => {
  const { keys, server, published, time } = await ground();
  await keys.find(keyId(old));
  published.keys = [old, young];
  time.ms += 5_000;
  expect(await keys.find(keyId(young))).toHaveLength(1);
  expect(await keys.find(keyId(old))).toHaveLength(1);
  expect(server.asked()).toBe(2);
  published.keys = [young];
  time.ms += 60_001;
  expect(await keys.find(keyId(old))).toHaveLength(0);
});

test('invented key ids do not make it fetch all the time', async () => {
  const { keys, server, time } = await ground();
  await keys.find(keyId(old));
  for (let i = 0; i < 50; i += 1) expect(await keys.find(keyId(invented))).toEqual([]);
  expect(server.asked()).toBe(1);
  time.ms += 5_000;
  await keys.find(keyId(invented));
  await keys.find(keyId(invented));
  expect(server.asked()).toBe(2);
});

test('while the service is away the known keys count, but not for ever', async () => {
  const { keys, published, time } = await ground();
  await keys.find(keyId(old));
  published.down = true;
  time.ms += 100_000;
  expect(await keys.find(keyId(old))).toHaveLength(1);
  time.ms += 100_000;
  await expect(keys.find(keyId(old))).rejects.toMatchObject({
    name: 'ConnectionError',
    message: expect.stringContaining('/.well-known/jwks.json'),
  });
  published.down = false;
  time.ms += 5_000;
  expect(await keys.find(keyId(old))).toHaveLength(1);
});

test('a notification that names no key is tried with all', async () => {
  const { keys, published } = await ground();
  published.keys = [old, young];
  expect(await keys.find(undefined)).toHaveLength(2);
});

test('keys that were given', async () => {
  const pem = createPublicKey(old).export({ type: 'spki', format: 'pem' }).toString();
  const keys = fixedKeys(pem);
  expect(
    [await keys.find(keyId(old)), await keys.find(keyId(young)), await keys.find(undefined)].map((list) => list.length),
  ).toEqual([1, 0, 1]);
  expect(() => fixedKeys('x')).toThrow('not a public key');
});
