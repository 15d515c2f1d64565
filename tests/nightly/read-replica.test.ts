import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Domain, findOrder, openDomain, readWallet, readWalletPage } from '../../packages/domain/src/index.ts';
import { openTestDomain, type TestDomain } from '../../packages/domain/src/testing/index.ts';
import { testKeys } from '../../packages/domain/src/testing/keys.ts';
import { aFundedMerchant, placePayout } from '../../packages/domain/src/testing/payouts.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import {
  migratedDatabase,
  type OwnPostgres,
  type OwnServers,
  openOwnServers,
  queryDatabase,
} from '../../tools/sandbox/test/own-postgres.ts';

// Plain reads from a real streaming replica: while it follows, while it lags, while it is unavailable, and if it belongs to another primary.

let servers: OwnServers;
let primary: OwnPostgres;
let replica: OwnPostgres;
let databaseUrl: string;
/** The process that writes, and knows of no replica. */
let writer: TestDomain;
/** Another process, which reads. */
let reader: Domain;
let merchantId: string;
const from: string[] = [];
const warnings: string[] = [];

beforeAll(async () => {
  servers = await openOwnServers();
  primary = await servers.start('primary');
  databaseUrl = await migratedDatabase(primary);
  replica = await servers.startReplica('replica', primary);
  writer = await openTestDomain(databaseUrl);
  ({ merchantId } = await aFundedMerchant(writer.domain, 'IN', '1000000.00'));
  reader = await openReader(replica);
}, 120_000);
afterAll(async () => {
  await writer?.close();
  await reader?.close();
  await servers?.remove();
}, 60_000);
beforeEach(async () => {
  await untilReadFrom(reader, 'replica');
  from.length = 0;
  warnings.length = 0;
});

function openReader(of: OwnPostgres): Promise<Domain> {
  return openDomain({
    databaseUrl,
    databaseReadUrl: of.databaseUrl('tidegate'),
    keys: testKeys,
    adapters: {},
    publicBaseUrl: 'http://pay.test',
    wakeUp: () => undefined,
    connections: 4,
    timeoutMs: 2_000,
    observer: { read: (where) => void from.push(where) },
    log: { debug: () => {}, info: () => {}, warn: (_, text) => void warnings.push(text), error: () => {} },
  });
}

async function whereRead(domain: Domain): Promise<'replica' | 'primary'> {
  const { rows } = await domain.database.reading.query<{ isReplica: boolean }>(
    'select pg_is_in_recovery() as "isReplica"',
  );
  return rows[0]?.isReplica ? 'replica' : 'primary';
}

async function untilReadFrom(domain: Domain, where: 'replica' | 'primary'): Promise<void> {
  await waitUntil(`reads go to the ${where}`, async () => (await whereRead(domain)) === where, { timeoutMs: 30_000 });
}

const find = (orderNo: string) => findOrder(reader, merchantId, 'payout', { orderNo });

/** What the merchant sees of an order that was just made by another process. */
async function expectOwnWrite(): Promise<void> {
  const before = await readWallet(reader, merchantId);
  const order = await placePayout(writer.domain, merchantId, 'IN');
  expect(await find(order.orderNo)).toMatchObject({ orderNo: order.orderNo, status: order.status });
  expect(Number((await readWallet(reader, merchantId)).frozen)).toBe(Number(before.frozen) + Number(order.netAmount));
  const { entries } = await readWalletPage(reader, merchantId, 1, 1);
  expect(entries).toMatchObject([{ type: 'PAYOUT_FREEZE', orderNo: order.orderNo }]);
}

async function withReplayPaused(work: () => Promise<void>): Promise<void> {
  await queryDatabase(replica.url, 'select pg_wal_replay_pause()');
  const isPaused = async () =>
    (await queryDatabase<{ state: string }>(replica.url, 'select pg_get_wal_replay_pause_state() as state'))[0]
      ?.state === 'paused';
  await waitUntil('replay is paused', isPaused, { timeoutMs: 10_000 });
  try {
    await work();
  } finally {
    await queryDatabase(replica.url, 'select pg_wal_replay_resume()');
  }
}

test('unchanged data is read from the replica, by every kind of read', async () => {
  await readWallet(reader, merchantId);
  await readWalletPage(reader, merchantId, 1, 20);
  expect(await find('PO0')).toBeNull();
  expect(
    await reader.database.reading.onConnection(
      async (client) => (await client.query('show transaction_read_only')).rows,
    ),
  ).toEqual([{ transaction_read_only: 'on' }]);
  expect(from).toEqual(Array(4).fill('replica'));
});

test('under steady writes a merchant always reads its own writes, mostly from the replica', {
  timeout: 60_000,
}, async () => {
  let isWriting = true;
  const noise = (async () => {
    for (let i = 0; isWriting && i < 5_000; i++) await placePayout(writer.domain, merchantId, 'IN', { amount: '1.00' });
  })();
  const other = await aFundedMerchant(writer.domain, 'PK', '100000.00');
  for (let i = 0; i < 150; i++) {
    const { orderNo } = await placePayout(writer.domain, other.merchantId, 'PK');
    expect(await findOrder(reader, other.merchantId, 'payout', { orderNo })).toMatchObject({ orderNo });
  }
  isWriting = false;
  await noise;
  expect(from).toHaveLength(150);
  expect(from.filter((where) => where === 'replica').length).toBeGreaterThan(75);
});

test('while replay is paused the primary is read, and the replica is read again when it has caught up', {
  timeout: 60_000,
}, async () => {
  await withReplayPaused(async () => {
    // Nothing was written since, so the replica is complete.
    expect(await whereRead(reader)).toBe('replica');
    await expectOwnWrite();
    expect(from).toContain('behind');
    const stale = await queryDatabase<{ orders: number }>(
      replica.databaseUrl('tidegate'),
      'select count(*)::integer as orders from orders',
    );
    const real = await queryDatabase<{ orders: number }>(databaseUrl, 'select count(*)::integer as orders from orders');
    expect(real[0]?.orders).toBe((stale[0]?.orders ?? 0) + 1);
    // Requests that arrive while the replica is not used do not wait for it.
    const began = performance.now();
    for (let i = 0; i < 20; i++) await expectOwnWrite();
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(await whereRead(reader)).toBe('primary');
  });
  await untilReadFrom(reader, 'replica');
  await expectOwnWrite();
  expect(warnings).toEqual([]);
});

test('many concurrent readers of a lagging replica are served by the primary at once', async () => {
  await withReplayPaused(async () => {
    const { orderNo } = await placePayout(writer.domain, merchantId, 'IN');
    const began = performance.now();
    const found = await Promise.all(Array.from({ length: 200 }, () => find(orderNo)));
    expect(found.every((order) => order?.orderNo === orderNo)).toBe(true);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(from).not.toContain('replica');
    expect(from).not.toContain('away');
  });
});

test('a replica that is unavailable is reported once, and read again when it is back', {
  timeout: 60_000,
}, async () => {
  await replica.stop();
  for (let i = 0; i < 5; i++) await expectOwnWrite();
  expect(await whereRead(reader)).toBe('primary');
  expect(new Set(from)).toEqual(new Set(['away']));
  await sleep(1_100);
  await expectOwnWrite();
  expect(warnings).toEqual(['the read replica is unavailable: the primary is read']);
  const { port } = replica;
  replica = await servers.start('replica', replica.settings, port);
  await untilReadFrom(reader, 'replica');
  await expectOwnWrite();
});

test('a wrong statement fails at once, and a statement that the replica cancels is repeated on the primary', async () => {
  await expect(reader.database.reading.query('select nonsense')).rejects.toThrow('nonsense');
  const cancelled = await reader.database.reading.onConnection(async (client) => {
    if ((await client.query('select pg_is_in_recovery() as yes')).rows[0]?.yes)
      throw Object.assign(new Error('canceling statement due to conflict with recovery'), { code: '40001' });
    return 'asked the primary';
  });
  expect(cancelled).toBe('asked the primary');
  expect(await whereRead(reader)).toBe('replica');
});

test('a server that is not a replica of this primary is never read, whatever its position', {
  timeout: 60_000,
}, async () => {
  const foreignServers: OwnPostgres[] = [primary];
  const foreign = await servers.start('foreign');
  await migratedDatabase(foreign);
  foreignServers.push(await servers.startReplica('replica-of-foreign', foreign));
  const promoted = await servers.startReplica('promoted', primary);
  await queryDatabase(promoted.url, 'select pg_promote()');
  foreignServers.push(promoted, await servers.startReplica('replica-of-promoted', promoted));
  // Both have gone on by themselves, well beyond the primary's position.
  for (const server of [foreign, promoted])
    for (let i = 0; i < 5; i++) {
      await queryDatabase(server.url, "select pg_logical_emit_message(true, 'x', 'y')");
      await queryDatabase(server.url, 'select pg_switch_wal()');
    }
  for (const server of foreignServers) {
    const domain = await openReader(server);
    try {
      for (let i = 0; i < 15; i++) {
        expect(await whereRead(domain)).toBe('primary');
        await sleep(30);
      }
      const isBeyond = await queryDatabase<{ yes: boolean }>(
        server.url,
        'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end >= $1::pg_lsn as yes',
        [(await queryDatabase<{ lsn: string }>(primary.url, 'select pg_current_wal_flush_lsn() as lsn'))[0]?.lsn],
      );
      expect(isBeyond).toEqual([{ yes: true }]);
    } finally {
      await domain.close();
    }
  }
});
