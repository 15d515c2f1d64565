import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateDatabase } from '../../packages/domain/src/entries/admin.ts';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { type OwnPgbouncer, startPgbouncer } from '../../tools/sandbox/test/own-pgbouncer.ts';
import {
  type OwnPostgres,
  type OwnServers,
  openOwnServers,
  queryDatabase,
} from '../../tools/sandbox/test/own-postgres.ts';
import { type Fleet, startFleet } from '../fleet.ts';
import { expectAllAnswered, loadFleet } from '../fleet-load.ts';
import type { Member } from '../fleet-member.ts';
import { payoutRequest } from '../payout-requests.ts';

// REST adapters and a worker through a real PgBouncer in transaction mode. PgBouncer has fewer connections to PostgreSQL than the processes have to it.

const poolSize = 6;

let servers: OwnServers;
let postgres: OwnPostgres;
let pgbouncer: OwnPgbouncer;
let fleet: Fleet;
let rests: Member[];
beforeAll(async () => {
  servers = await openOwnServers();
  postgres = await servers.start('postgres');
  const direct = await postgres.createDatabase('tidegate');
  await migrateDatabase(direct);
  pgbouncer = await startPgbouncer(postgres, servers.dir, poolSize);
  fleet = await startFleet({ scale: 0.1, databaseUrl: pgbouncer.url });
  rests = [await fleet.start('rest'), await fleet.start('rest')];
  await fleet.start('worker');
}, 300_000);
afterAll(async () => {
  await fleet?.stop();
  await pgbouncer?.stop();
  await servers?.remove();
}, 60_000);

async function untilAllEnded(): Promise<void> {
  const isOver = async () => {
    const [open] = await fleet.rows<{ orders: number; notDelivered: number }>(`select
      (select count(*)::integer from orders where status not in ('completed', 'failed', 'timeout', 'cancelled')) as orders,
      (select count(*)::integer from notification where state <> 'delivered') as "notDelivered"`);
    return open?.orders === 0 && open.notDelivered === 0;
  };
  await waitUntil('every order ended and notified', isOver, { timeoutMs: 90_000 });
}

/** How many connections PgBouncer has from us, and how many it has to PostgreSQL. */
async function connections(): Promise<{ clients: number; servers: number }> {
  const count = async (what: string) =>
    (await queryDatabase<{ database: string }>(pgbouncer.adminUrl, `show ${what}`)).filter(
      ({ database }) => database === 'tidegate',
    ).length;
  return { clients: await count('clients'), servers: await count('servers') };
}

test('payins and payouts of every country reach their final status through PgBouncer under load', {
  timeout: 180_000,
}, async () => {
  const end = new AbortController();
  const load = loadFleet(fleet, { urls: rests.map(({ url }) => url), clients: 12, signal: end.signal, most: 3_000 });
  const areMany = async () =>
    ((await fleet.rows<{ n: number }>('select count(*)::integer as n from orders'))[0]?.n ?? 0) > 300;
  await waitUntil('more than 300 orders', areMany, { timeoutMs: 120_000 });
  const loaded = await connections();
  end.abort();
  const seen = await load;
  expectAllAnswered(seen, rests);
  expect(seen.orders.size).toBeGreaterThan(200);
  expect(new Set([...seen.orders.values()].map(({ orderNo }) => orderNo.slice(0, 2)))).toEqual(new Set(['PI', 'PO']));
  // More clients than connections: connections are shared, as in transaction mode.
  expect(loaded.servers).toBeLessThanOrEqual(poolSize);
  expect(loaded.clients).toBeGreaterThan(poolSize);
  await untilAllEnded();
  expect(await fleet.violations()).toEqual([]);
});

test('SQL statements are bounded in time, although PgBouncer does not pass the setting on', async () => {
  const settings = await Promise.all(
    ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'].map((name) =>
      fleet.rows(`show ${name}`),
    ),
  );
  expect(settings.flat()).toEqual([
    { statement_timeout: '15s' },
    { lock_timeout: '700ms' },
    { idle_in_transaction_session_timeout: '5s' },
  ]);
});

test('if PgBouncer is killed and started again under load, no order is lost and none is created twice', {
  timeout: 180_000,
}, async () => {
  const [merchant] = fleet.merchants.filter(({ country }) => country === 'IN');
  const numbers = Array.from({ length: 300 }, (_, i) => `K-${i}`);
  const codes = new Set<number>();
  const create = async (no: string, url: string): Promise<void> => {
    const client = merchantClient(url, merchant?.merchantNo ?? '', merchant?.privateKeyPem ?? '');
    const body = payoutRequest.IN?.(no, '5.00', `${fleet.receiverUrl}/notify/${merchant?.merchantNo}`) ?? {};
    for (let tries = 0; tries < 60; tries++) {
      const { code } = await client.post('/payout/create', body);
      codes.add(code);
      // 40901: an earlier try without a known outcome did create it.
      if (code === 0 || (tries > 0 && code === 40901)) return;
      await sleep(100);
    }
    throw new Error(`${no} was never submitted`);
  };
  const waiting = [...numbers];
  const clients = rests.flatMap(({ url }) => [url, url, url, url]);
  const load = Promise.all(
    clients.map(async (url) => {
      for (let no = waiting.shift(); no !== undefined; no = waiting.shift()) await create(no, url);
    }),
  );
  await waitUntil('a third is done', async () => waiting.length < 200, { timeoutMs: 60_000 });
  await pgbouncer.killAndRestart();
  expect(waiting.length).toBeGreaterThan(0);
  await load;
  expect([...codes].filter((code) => ![0, 40901, 50300].includes(code))).toEqual([]);
  const created = await fleet.rows<{ no: string }>(
    "select merchant_order_no as no from orders where merchant_order_no like 'K-%'",
  );
  expect(created.map(({ no }) => no).sort()).toEqual(numbers.sort());
  await untilAllEnded();
  expect(await fleet.violations()).toEqual([]);
});

test('a migration through PgBouncer works, and leaves no process waiting', { timeout: 60_000 }, async () => {
  await Promise.all([migrateDatabase(pgbouncer.url), migrateDatabase(pgbouncer.url)]);
  await migrateDatabase(postgres.databaseUrl('tidegate'));
  // A worker holds such a lock only for moments, so this waits until none is held.
  const locks = () => queryDatabase(postgres.url, "select from pg_locks where locktype = 'advisory'");
  await expect.poll(locks, { timeout: 20_000 }).toEqual([]);
});
