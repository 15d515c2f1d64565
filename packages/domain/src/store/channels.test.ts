import { createTestDatabase } from '@tidegate/sandbox/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { openTestDomain } from '../testing/open-test-domain.ts';
import { openChannels } from './channels.ts';

test('a flood of channel names that nobody has is one statement at a time, and does not hide a channel', async () => {
  const { domain, channel, close } = await openTestDomain((await createTestDatabase()).url);
  let [statements, atOnce, mostAtOnce] = [0, 0, 0];
  const counting = {
    query: async (query: pg.QueryConfig) => {
      statements += 1;
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      try {
        return await domain.database.pool.query(query);
      } finally {
        atOnce -= 1;
      }
    },
  };
  const channels = openChannels(counting as unknown as pg.Pool, domain.vault, { fake: () => channel });
  const names = Array.from({ length: 4_000 }, (_, i) => `nobody-${i}`);
  const found = await Promise.all([...names.slice(0, 2_000), 'fake', ...names.slice(2_000)].map(channels));
  expect(found.filter((one) => one !== null)).toMatchObject([{ channelId: 'fake', channel }]);
  expect([mostAtOnce, statements <= 22]).toEqual([1, true]);
  await close();
});
