import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { openChannelMemory } from './channel-memory.ts';
import { setChannel } from './set-channel.ts';

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  await setChannel(fixture.domain, { channelId: 'second', adapter: 'fake', baseUrl: '', credentials: {} });
});
afterAll(() => fixture.close());

test('the first stored value stays, also when many write at the same time, and each channel has its own values', async () => {
  const { pool } = fixture.domain.database;
  const [first, second] = [openChannelMemory(pool, 'fake'), openChannelMemory(pool, 'second')];
  expect(await first.read('contact:1')).toBeNull();
  const stored = await Promise.all(['a', 'b', 'c', 'd'].map((value) => first.remember('contact:1', value)));
  expect(new Set(stored)).toHaveLength(1);
  expect(await first.read('contact:1')).toBe(stored[0]);
  expect(await second.remember('contact:1', 'z')).toBe('z');
});
