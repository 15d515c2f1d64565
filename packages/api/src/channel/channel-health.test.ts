import { setRoute } from '@tidegate/domain/admin';
import type { RoutingHealth } from '@tidegate/domain/channels';
import { aMerchant } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';
import { silentLive } from '../../test/silent-live.ts';

let api: ApiFixture;
let url: string;
beforeAll(async () => {
  api = await openApiFixture();
  const live = silentLive(api.domain);
  const marks = async () => ({ fullChannels: new Set(['fake']), openBreakers: new Set<string>() });
  url = await api.serve({ live: { ...live, queues: { ...live.queues, marks } } });
  const { pool } = api.domain.database;
  await pool.query(
    `insert into channel_health (channel_id, grain, starts_at, operation, calls, answered, refused, buckets, counts, last_error, last_error_at)
     select 'fake', g.grain, p.until - g.age, o.operation, o.calls, o.answered, 1, '{20,40}', array[o.calls - 1, 1], 'no account of Asha Rao', p.until - g.age
     from log_progress p, (values ('minute', interval '1 minute'), ('hour', interval '3 hours'), ('hour', interval '2 hours')) as g(grain, age),
       (values ('create', 12, 3), ('callback', 5, 5)) as o(operation, calls, answered) where p.log = 'channel_call'`,
  );
});
afterAll(() => api.close());

const query = `{ channels { edges { node { channelId health { condition isFull calls answered refused callbacks answerRate
  lastError { message } history { calls answerRate } } } } } }`;
const healthOf = async (token: string, at = url) => {
  const { data, errors } = await ask(at, query, { token });
  expect(errors).toEqual([]);
  const { channels } = data as { channels: { edges: { node: { channelId: string; health: object } }[] } };
  return channels.edges.find(({ node }) => node.channelId === 'fake')?.node.health;
};

test('a channel shows its current health, and its health in each hour of its history', async () => {
  expect(await healthOf(await api.letIn('support'))).toEqual({
    condition: 'FAILING',
    isFull: true,
    calls: 12,
    answered: 3,
    refused: 1,
    callbacks: 5,
    answerRate: 0.25,
    lastError: { message: 'no account of Asha Rao' },
    history: [
      { calls: 12, answerRate: 0.25 },
      { calls: 12, answerRate: 0.25 },
    ],
  });
});

test('a channel shows its routing health: null while Redis is unavailable, and as configured if it had no recent creates', async () => {
  const document = '{ channels { edges { node { channelId routing { successRate breaker } } } } }';
  const token = await api.letIn('viewer');
  const routingAt = async (at: string) => {
    const { data, errors } = await ask(at, document, { token });
    expect(errors).toEqual([]);
    return (data as { channels: { edges: { node: object }[] } }).channels.edges.map(({ node }) => node);
  };
  const serveWith = (known: ReadonlyMap<string, RoutingHealth>) =>
    api.serve({
      domain: { ...api.domain, channelRouting: { ...api.domain.channelRouting, health: async () => known } },
    });
  const open: RoutingHealth = { successRate: 0.125, breaker: 'half_open' };
  expect(await routingAt(await serveWith(new Map([['fake', open]])))).toEqual([
    { channelId: 'fake', routing: { successRate: 0.125, breaker: 'HALF_OPEN' } },
  ]);
  expect(await routingAt(await serveWith(new Map()))).toEqual([
    { channelId: 'fake', routing: { successRate: null, breaker: 'CLOSED' } },
  ]);
  expect(await routingAt(api.url)).toEqual([{ channelId: 'fake', routing: null }]);
});

test('a viewer does not see messages of the channel, and without Redis isFull is null', async () => {
  const health = await healthOf(await api.letIn('viewer'), api.url);
  expect(health).toMatchObject({ isFull: null, lastError: { message: null }, calls: 12 });
});

test('a restricted operator sees the answer rate of a channel, but no numbers of calls of all merchants', async () => {
  const { merchantId } = await aMerchant(api.domain, 'CN');
  await setRoute(api.domain, merchantId, 5, { kind: 'payin', channelId: 'fake', mode: 'upstream' });
  expect(await healthOf(await api.letInRestricted({ merchantIds: [merchantId] }))).toMatchObject({
    condition: 'FAILING',
    calls: null,
    answered: null,
    refused: null,
    callbacks: null,
    answerRate: 0.25,
    lastError: { message: null },
    history: [{ calls: null }, { calls: null }],
  });
});
