import { createTestDatabase } from '@tidegate/sandbox/testing';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { readServerState } from './server-state.ts';

test('a test server is a primary on its first timeline, and its commits wait for no other server', async () => {
  const database = await openDatabase((await createTestDatabase()).url);
  expect(await readServerState(database.pool)).toMatchObject({
    timeline: 1,
    acceptsWrites: true,
    isSynchronous: false,
    standbys: '',
    tls: null,
    cluster: expect.stringMatching(/^\d+$/),
    version: expect.stringMatching(/^\d+/),
  });
  await database.close();
});
