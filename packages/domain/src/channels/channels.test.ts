import { createTestDatabase } from '@tidegate/sandbox/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { bareAdapter } from '../testing/bare-adapter.ts';
import { openTestDomain } from '../testing/open-test-domain.ts';
import { waitFor } from '../testing/wait-for.ts';
import { openChannels } from './channels.ts';

const ofSandbox = { environment: 'sandbox', refused: () => undefined } as const;

test('a flood of unknown channel ids causes one statement at a time, and known channels are still found', async () => {
  const { domain, channel, close } = await openTestDomain((await createTestDatabase()).url);
  let [statements, atOnce, maxAtOnce] = [0, 0, 0];
  const counting = {
    query: async (query: pg.QueryConfig) => {
      statements += 1;
      atOnce += 1;
      maxAtOnce = Math.max(maxAtOnce, atOnce);
      try {
        return await domain.database.pool.query(query);
      } finally {
        atOnce -= 1;
      }
    },
  };
  const adapters = { fake: bareAdapter(() => channel) };
  const { channels } = openChannels({
    ...ofSandbox,
    pool: counting as unknown as pg.Pool,
    ledgerPool: domain.database.ledgerPool,
    vault: domain.vault,
    adapters,
  });
  const names = Array.from({ length: 4_000 }, (_, i) => `nobody-${i}`);
  const found = await Promise.all([...names.slice(0, 2_000), 'fake', ...names.slice(2_000)].map(channels));
  expect(found.filter((one) => one !== null)).toMatchObject([{ channelId: 'fake', channel }]);
  expect([maxAtOnce, statements <= 22]).toEqual([1, true]);
  await close();
});

test('an invalid channel id is not looked up, and does not break the other look-ups of its batch', async () => {
  const { domain, close } = await openTestDomain((await createTestDatabase()).url);
  const found = await Promise.all(['\u0000', 'fake', 'Fake', 'f'.repeat(33)].map(domain.channels));
  expect(found.map((one) => one?.channelId ?? null)).toEqual([null, 'fake', null, null]);
  await close();
});

test('if two changes have the same time, the second one takes effect too', async () => {
  const { domain, close } = await openTestDomain((await createTestDatabase()).url);
  const { pool } = domain.database;
  const created: string[] = [];
  const adapters = { fake: bareAdapter(({ baseUrl }) => created.push(baseUrl) as never) };
  const { channels } = openChannels({ ...ofSandbox, pool, ledgerPool: pool, vault: domain.vault, adapters });
  await channels('fake');
  const change = async (baseUrl: string): Promise<void> => {
    await pool.query('alter table channel disable trigger stamp_change');
    await pool.query('update channel set base_url = $1', [baseUrl]);
    await pool.query('alter table channel enable trigger stamp_change');
  };
  await change('http://second.test');
  await waitFor('the second address', async () => (await channels('fake')) !== null && created.length === 2);
  expect(created).toEqual(['http://fake.test', 'http://second.test']);
  await close();
});
