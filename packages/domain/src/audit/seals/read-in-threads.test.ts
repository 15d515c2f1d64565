import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { minute, month, openSealedLedger, type SealedLedger, sealable } from '../../../test/sealed-ledger.ts';
import { emptyTree } from '../../core/merkle.ts';
import { LedgerUnavailable } from '../../database/connection-loss.ts';
import { auditSeals } from '../audit-seals.ts';
import { ledgerSqlOf } from '../ledger-sql.ts';
import { startOf } from '../position.ts';
import { inSnapshot } from '../snapshot.ts';
import { openSealedRowsThreads, type SealedRowsThreads } from './read-in-threads.ts';
import { readSealedRows, type SealedPart } from './read-sealed-rows.ts';

// Rows of seals that are read in threads, with real threads and connections.

let ledger: SealedLedger;
let threads: SealedRowsThreads;
beforeEach(async () => {
  ledger = await openSealedLedger();
  threads = openSealedRowsThreads(ledger.domain, ledger.url);
});
afterEach(async () => {
  await threads.close();
  await ledger.close();
});

/** All rows of each merchant. */
const parts = (): SealedPart[] =>
  ledger.merchants.map((merchantId) => ({ from: startOf(merchantId), tree: emptyTree }));

const sessions = (): Promise<{ pid: number; waits: boolean }[]> =>
  ledger.query(
    `select pid, wait_event_type = 'Lock' as waits from pg_stat_activity
      where datname = current_database() and application_name = 'tidegate seals'`,
  );

async function verify() {
  await ledger.makeDue();
  const options = { forMs: minute, files: null, readRows: threads.read, now: () => sealable };
  return auditSeals(ledger.domain, options);
}

test('threads compute the same hashes and find the same violations as this thread', async () => {
  await ledger.tamper('transfer', 'update transfer set amount = amount + 1 where order_no = $paid');
  const sql = ledgerSqlOf(ledger.domain.database.orm);
  const here = await inSnapshot(ledger.domain, (read) => readSealedRows(read, sql, parts()));
  expect(await threads.read(parts())).toEqual(here);
  expect(here.flatMap(({ violations }) => violations)).not.toEqual([]);
  expect(here.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(20);
});

test('the daily run with threads finds a changed row of a sealed month', async () => {
  await ledger.seal(sealable, null);
  expect(await verify()).toBe('finished');
  expect(await ledger.found()).toEqual([]);
  await ledger.tamper('wallet_entry', "update wallet_entry set remark = 'x' where order_no = $paid");
  expect(await verify()).toBe('finished');
  expect(await ledger.found()).toContain(`sealed rows are as they were sealed: seal 1 of ${month}`);
});

test('two reads at the same time have two threads', async () => {
  const release = await lockEntries();
  const reads = Promise.all([threads.read(parts()), threads.read(parts())]);
  await vi.waitFor(async () => expect(await sessions()).toHaveLength(2), patiently);
  await release();
  expect(await reads).toHaveLength(2);
});

test('the connections of the threads are counted: those that read, and those that wait for the next step', async () => {
  expect(threads.connections()).toEqual([{ pool: 'seals', used: 0, idle: 0, waiting: 0, limit: 2 }]);
  const release = await lockEntries();
  const reads = [1, 2, 3].map(() => threads.read(parts()));
  await vi.waitFor(async () => expect(await sessions()).toHaveLength(2), patiently);
  expect(threads.connections()).toMatchObject([{ used: 2, idle: 0, waiting: 1 }]);
  await release();
  await Promise.all(reads);
  expect(threads.connections()).toMatchObject([{ used: 0, idle: 2, waiting: 0 }]);
  expect(await sessions()).toHaveLength(2);
});

test('after its idle connection was closed, the next read opens another one', { timeout: 12_000 }, async () => {
  await throughProxy(async ({ read }, proxy) => {
    await read(parts());
    await proxy.endConnections();
    expect(await read(parts())).toHaveLength(ledger.merchants.length);
  });
});

test('a connection that breaks during a read is an unavailable database, and the same thread goes on', async () => {
  await throughProxy(async ({ read }, proxy) => {
    const release = await lockEntries();
    const broken = expect(read(parts())).rejects.toThrow(LedgerUnavailable);
    await vi.waitFor(async () => expect(await sessions()).toMatchObject([{ waits: true }]), patiently);
    proxy.breakConnections();
    await broken;
    await release();
    expect(await read(parts())).toHaveLength(ledger.merchants.length);
  });
});

test('an unavailable database rejects as such', async () => {
  const broken = openSealedRowsThreads(ledger.domain, 'postgres://127.0.0.1:1/none');
  await expect(broken.read(parts())).rejects.toThrow(LedgerUnavailable);
  await broken.close();
});

test('a thread that cannot start rejects its read, and later ones too', async () => {
  const broken = openSealedRowsThreads(ledger.domain, ledger.url, new URL('./missing-thread.ts', import.meta.url));
  const reads = [broken.read(parts()), broken.read(parts())];
  for (const read of reads) await expect(read).rejects.toThrow('missing-thread');
  await expect(broken.read(parts())).rejects.toThrow('missing-thread');
  await broken.close();
});

test('closing ends threads and their connections, and later reads are refused', async () => {
  await threads.read(parts());
  expect(await sessions()).not.toEqual([]);
  await threads.close();
  await vi.waitFor(async () => expect(await sessions()).toEqual([]), patiently);
  await expect(threads.read(parts())).rejects.toThrow('closed');
});

const patiently = { timeout: 30_000, interval: 20 };

/** Locks the wallet entries, so that reads wait. Returns a function that releases them. */
async function lockEntries(): Promise<() => Promise<void>> {
  const client = await ledger.domain.database.pool.connect();
  // Starting two threads may take longer than a session may be idle within a transaction.
  await client.query('begin; set local idle_in_transaction_session_timeout = 0');
  await client.query('lock table wallet_entry in access exclusive mode');
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

/** Opens threads that reach the database through a proxy. */
async function throughProxy(use: (threads: SealedRowsThreads, proxy: Proxy) => Promise<void>): Promise<void> {
  const proxy = await openProxy(ledger.url);
  const threads = openSealedRowsThreads(ledger.domain, proxy.url);
  try {
    await use(threads, proxy);
  } finally {
    await threads.close();
    proxy.close();
  }
}

interface Proxy {
  url: string;
  /** Closes all connections, and waits until the client has closed them too. */
  endConnections(): Promise<void>;
  /** Breaks all connections without a word from the server. */
  breakConnections(): void;
  close(): void;
}

async function openProxy(databaseUrl: string): Promise<Proxy> {
  const url = new URL(databaseUrl);
  const [host, port] = [url.hostname, Number(url.port)];
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, host);
    clients.add(client);
    client.once('close', () => clients.delete(client));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  [url.hostname, url.port] = ['127.0.0.1', String((server.address() as AddressInfo).port)];
  return {
    url: url.href,
    endConnections: async () => {
      await Promise.all([...clients].map((client) => once(client.end(), 'close')));
    },
    breakConnections: () => {
      for (const client of clients) client.resetAndDestroy();
    },
    close: () => server.close(),
  };
}
