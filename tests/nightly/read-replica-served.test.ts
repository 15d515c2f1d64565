import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import {
  migratedDatabase,
  type OwnPostgres,
  type OwnServers,
  openOwnServers,
  queryDatabase,
} from '../../tools/sandbox/test/own-postgres.ts';
import { type Fleet, startFleet } from '../fleet.ts';
import type { Member } from '../fleet-member.ts';
import { payoutRequest } from '../payout-requests.ts';

// Two REST adapters and an API on a primary and its replica: what merchants and operators read, and from where.

let servers: OwnServers;
let replica: OwnPostgres;
let fleet: Fleet;
let adapters: Member[];
let api: Member;
let adminToken: string;
beforeAll(async () => {
  servers = await openOwnServers();
  const primary = await servers.start('primary');
  const databaseUrl = await migratedDatabase(primary);
  replica = await servers.startReplica('replica', primary);
  fleet = await startFleet({ scale: 0.1, databaseUrl });
  adminToken = fleet.adminToken;
  const reads = { DATABASE_READ_URL: replica.databaseUrl('tidegate') };
  adapters = [await fleet.start('rest', [], reads), await fleet.start('rest', [], reads)];
  api = await fleet.start('api', [], reads);
  const isRead = async (): Promise<boolean> => {
    for (const adapter of adapters) await merchantOf(adapter).get('/wallet', {});
    await operatorSees('none');
    return (await Promise.all(adapters.map(readsFromReplica))).every((reads) => reads > 0);
  };
  await waitUntil('the replica is read by all', isRead, { timeoutMs: 30_000 });
}, 300_000);
afterAll(async () => {
  await fleet?.stop();
  await servers?.remove();
}, 60_000);

const merchantNo = 'IN10001';

function merchantOf({ url }: Member) {
  const merchant = fleet.merchants.find((one) => one.merchantNo === merchantNo);
  return merchantClient(url, merchantNo, merchant?.privateKeyPem ?? '');
}

async function readsFromReplica({ url }: Member): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^tidegate_reads_total\{from="replica"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

async function operatorSees(merchantOrderNo: string): Promise<string[]> {
  const query = `query ($no: String!) { orders(first: 5, filter: { merchantIds: ["${merchantNo}"], merchantOrderNo: $no }) { edges { node { merchantOrderNo } } } }`;
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ query, variables: { no: merchantOrderNo } }),
  });
  const answer = await response.json();
  expect(answer.errors).toBeUndefined();
  return answer.data.orders.edges.map((edge: { node: { merchantOrderNo: string } }) => edge.node.merchantOrderNo);
}

let count = 0;

/** Created through one adapter, read through the other one and by an operator, at once. */
async function createAndRead(): Promise<void> {
  const [first, second] = adapters.map(merchantOf);
  const merchantOrderNo = `R-${++count}`;
  const body = payoutRequest.IN?.(merchantOrderNo, '20.00', `${fleet.receiverUrl}/notify/${merchantNo}`) ?? {};
  const created = await first?.post('/payout/create', body);
  expect(created).toMatchObject({ code: 0 });
  const read = await Promise.all([
    second?.get('/payout/query', { merchantOrderNo }),
    second?.get('/wallet/transactions', { pageSize: '1' }),
    operatorSees(merchantOrderNo),
  ]);
  expect(read).toMatchObject([
    { code: 0, data: { merchantOrderNo } },
    { code: 0, data: { list: [{ merchantOrderNo, type: 'PAYOUT_FREEZE' }] } },
    [merchantOrderNo],
  ]);
}

test('every process reads a new order from the replica at once', { timeout: 60_000 }, async () => {
  const before = await readsFromReplica(adapters[1] as Member);
  for (let i = 0; i < 20; i++) await createAndRead();
  expect((await readsFromReplica(adapters[1] as Member)) - before).toBeGreaterThan(10);
  const connections = await queryDatabase<{ connections: number }>(
    replica.url,
    "select count(*)::integer as connections from pg_stat_activity where application_name = 'tidegate' and datname = 'tidegate'",
  );
  // Each adapter, and the API.
  expect(connections[0]?.connections).toBeGreaterThanOrEqual(3);
});

test('a new order is read at once while the replica lags, and after the replica has stopped', {
  timeout: 60_000,
}, async () => {
  await queryDatabase(replica.url, 'select pg_wal_replay_pause()');
  for (let i = 0; i < 10; i++) await createAndRead();
  await replica.stop();
  for (let i = 0; i < 10; i++) await createAndRead();
});
