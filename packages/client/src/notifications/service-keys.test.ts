import { createPublicKey } from 'node:crypto';
import { keyId, serviceKeyId } from '@tidegate/signature';
import { expect, test } from 'vitest';
import { keysServer, newKey } from '../../test/service-side.ts';
import { fixedKeys, serviceKeys } from './service-keys.ts';

const [old, young] = [newKey(), newKey()];
const idOf = (key: ReturnType<typeof newKey>) => serviceKeyId('CN10001', key);
const madeUp = (i: number) => `CN10001.${String(i).padStart(22, '0')}`;

async function fixture(options: object = {}) {
  const published: Parameters<typeof keysServer>[0] = { keys: [old], down: false };
  const server = await keysServer(published);
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

test('keys are fetched once for concurrent calls', async () => {
  const { keys, server } = await fixture();
  const found = await Promise.all(Array.from({ length: 20 }, () => keys.find(idOf(old))));
  expect(found.map((list) => list.length)).toEqual(Array(20).fill(1));
  await keys.find(idOf(old));
  expect(server.requestCount()).toBe(1);
});

test('after a rotation the new key is fetched, and the old one works until it is withdrawn', async () => {
  const { keys, server, published, time } = await fixture();
  await keys.find(idOf(old));
  published.keys = [old, young];
  time.ms += 5_000;
  expect(await keys.find(idOf(young))).toHaveLength(1);
  expect(await keys.find(idOf(old))).toHaveLength(1);
  expect(server.requestCount()).toBe(2);
  published.keys = [young];
  time.ms += 60_001;
  expect(await keys.find(idOf(old))).toHaveLength(0);
});

test('invented key ids cause few fetches, and do not displace known keys', async () => {
  const { keys, server, time } = await fixture();
  await keys.find(idOf(old));
  for (let i = 0; i < 19; i += 1) expect(await keys.find(madeUp(i))).toEqual([]);
  for (let i = 0; i < 5; i += 1) expect(await keys.find(madeUp(0))).toEqual([]);
  for (let i = 20; i < 200; i += 1)
    await expect(keys.find(madeUp(i))).rejects.toMatchObject({ name: 'ConnectionError' });
  expect(server.requestCount()).toBe(20);
  expect(await keys.find(idOf(old))).toHaveLength(1);
  for (let round = 1; round <= 10; round += 1) {
    time.ms += 5_000;
    for (let i = 0; i < 20; i += 1) await keys.find(madeUp(1_000 * round + i));
  }
  const requestCount = server.requestCount();
  expect(await keys.find(idOf(old))).toHaveLength(1);
  expect(server.requestCount()).toBe(requestCount);
});

test('invented key ids do not prevent a known key from being fetched again', async () => {
  const { keys, time } = await fixture();
  await keys.find(idOf(old));
  for (let round = 1; round <= 40; round += 1) {
    time.ms += 5_000;
    for (let i = 0; i < 20; i += 1) await keys.find(madeUp(1_000 * round + i));
  }
  expect(await keys.find(idOf(old))).toHaveLength(1);
});

test('while the service is unavailable known keys work, for a limited time', async () => {
  const { keys, published, time } = await fixture();
  await keys.find(idOf(old));
  published.down = true;
  time.ms += 100_000;
  expect(await keys.find(idOf(old))).toHaveLength(1);
  time.ms += 100_000;
  await expect(keys.find(idOf(old))).rejects.toMatchObject({
    name: 'ConnectionError',
    message: expect.stringContaining('/.well-known/keys'),
  });
  published.down = false;
  time.ms += 5_000;
  expect(await keys.find(idOf(old))).toHaveLength(1);
});

test('a fixed key is found by its id only, and a text that is no key is refused', async () => {
  const pem = createPublicKey(old).export({ type: 'spki', format: 'pem' }).toString();
  const keys = fixedKeys(pem);
  const ids = [idOf(old), keyId(old), idOf(young), 'CN10001.', ''];
  expect(await Promise.all(ids.map(async (id) => (await keys.find(id)).length))).toEqual([1, 0, 0, 0, 0]);
  expect(() => fixedKeys('x')).toThrow('not a public key');
});
