import { createTestDatabase } from '@tidegate/sandbox/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { waitFor } from '../testing/wait-for.ts';
import { openChannelMemory } from './channel-memory.ts';
import { setChannel } from './set-channel.ts';

let url: string;
let fixture: TestDomain;
beforeAll(async () => {
  ({ url } = await createTestDatabase());
  // The time limit of a REST adapter.
  fixture = await openTestDomain(url, { timeoutMs: 1_000 });
  await setChannel(fixture.domain, { channelId: 'second', adapter: 'fake', baseUrl: '', credentials: {} });
});
afterAll(() => fixture.close());

test('the first stored value stays, also when many write at the same time, and each channel has its own values', async () => {
  const { database } = fixture.domain;
  const [first, second] = [openChannelMemory(database, 'fake'), openChannelMemory(database, 'second')];
  expect(await first.read('contact:1')).toBeNull();
  const stored = await Promise.all(['a', 'b', 'c', 'd'].map((value) => first.remember('contact:1', value)));
  expect(new Set(stored)).toHaveLength(1);
  expect(await first.read('contact:1')).toBe(stored[0]);
  expect(await second.remember('contact:1', 'z')).toBe('z');
});

test('a value is stored and read although another session holds the table for longer than a statement may wait', async () => {
  const memory = openChannelMemory(fixture.domain.database, 'fake');
  const [holder, observer] = [await openSession(), await openSession()];
  await holder.query('begin; lock table channel_memory');
  const both = Promise.all([memory.remember('attempt:1', 'mine', 'order'), memory.read('attempt:2')]);
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%channel_memory%'`;
  const count = async (): Promise<number> => (await observer.query(waiting)).rows[0].count;
  const release = async (): Promise<void> => {
    await waitFor('two statements that wait', async () => (await count()) === 2);
    await waitFor('a statement that has waited for too long', async () => (await count()) < 2);
    await holder.query('rollback');
  };
  const [results] = await Promise.all([both, release()]);
  expect(results).toEqual(['mine', null]);
  expect(await memory.remember('attempt:1', 'another', 'order')).toBe('mine');
});

async function openSession(): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  onTestFinished(() => session.end());
  return session;
}
