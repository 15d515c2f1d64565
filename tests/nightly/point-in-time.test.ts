import { execFile } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit, migrateDatabase } from '../../packages/domain/src/entries/admin.ts';
import { openTestDomain, type TestDomain } from '../../packages/domain/src/testing/index.ts';
import { aFundedMerchant, placePayout } from '../../packages/domain/src/testing/payouts.ts';
import { findPostgresPlace } from '../../tools/sandbox/src/postgres-place.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import {
  type OwnPostgres,
  type OwnServers,
  openOwnServers,
  queryDatabase,
} from '../../tools/sandbox/test/own-postgres.ts';

// ops/postgres: a server with an archived log, a base backup while orders are created, and recovery from both.

let servers: OwnServers;
let primary: OwnPostgres;
let ledger: TestDomain;
let merchantId: string;
/** Copies that the database's user can reach, wherever the repository lies. */
let scripts: string;
let archive: string;
beforeAll(async () => {
  servers = await openOwnServers();
  scripts = join(servers.dir, 'scripts');
  cpSync(fileURLToPath(new URL('../../ops/postgres', import.meta.url)), scripts, { recursive: true });
  archive = ownFolder('wal');
  primary = await servers.start('primary', {
    archive_mode: 'on',
    archive_command: `${join(scripts, 'archive-wal.sh')} %p %f ${archive}`,
  });
  const url = await primary.createDatabase('tidegate');
  await migrateDatabase(url);
  ledger = await openTestDomain(url);
  ({ merchantId } = await aFundedMerchant(ledger.domain, 'IN', '1000000.00'));
}, 120_000);
afterAll(async () => {
  await ledger?.close();
  await servers?.remove();
}, 60_000);

function userOf() {
  return findPostgresPlace(join(servers.dir, 'primary'), () => {}).user;
}

/** A folder that the database's user may write to. */
function ownFolder(name: string): string {
  const dir = join(servers.dir, name);
  mkdirSync(dir);
  const user = userOf();
  if (user) chownSync(dir, user.uid, user.gid);
  return dir;
}

/** Runs a script of ops/postgres as the database's user; its output, or what it complained of. */
async function run(script: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const user = userOf();
  const { stdout } = await promisify(execFile)(join(scripts, script), args, {
    cwd: '/',
    timeout: 60_000,
    env: { PATH: process.env.PATH, ...env },
    ...(user && { uid: user.uid, gid: user.gid }),
  });
  return stdout.trim();
}

const backUp = (folder: string) => run('base-backup.sh', [primary.cluster, folder], { DATABASE_URL: primary.url });

async function place(count: number): Promise<string[]> {
  const placed = await Promise.all(Array.from({ length: count }, () => placePayout(ledger.domain, merchantId, 'IN')));
  return placed.map(({ orderNo }) => orderNo).sort();
}

async function now(): Promise<string> {
  const [row] = await queryDatabase<{ now: string }>(
    primary.url,
    "select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as now",
  );
  return `${row?.now}+00`;
}

/** All that was committed until now lies in the archive. */
async function untilArchived(): Promise<void> {
  const [row] = await queryDatabase<{ wal: string }>(primary.url, 'select pg_walfile_name(pg_switch_wal()) as wal');
  await waitUntil('the log is archived', async () => existsSync(join(archive, row?.wal ?? '')), { timeoutMs: 30_000 });
}

/** A new server out of a backup, as it was at `moment`. */
async function restore(name: string, backup: string, moment?: string): Promise<OwnPostgres> {
  const dir = ownFolder(name);
  cpSync(join(primary.dir, 'password'), join(dir, 'password'));
  const { cluster } = findPostgresPlace(dir, () => {});
  await run('restore.sh', [backup, archive, cluster, ...(moment ? [moment] : [])]);
  const server = await servers.start(name);
  const isOpen = () =>
    queryDatabase<{ yes: boolean }>(server.url, 'select not pg_is_in_recovery() as yes').then(
      ([row]) => row?.yes === true,
      () => false,
    );
  const givenUp = () => (server.ending() === undefined ? undefined : server.report());
  await waitUntil('recovery is over', isOpen, { timeoutMs: 60_000, givenUp });
  return server;
}

async function ledgerOf(server: OwnPostgres): Promise<{ orders: string[]; violations: unknown[]; checked: number }> {
  const restored = await openTestDomain(server.databaseUrl('tidegate'));
  try {
    const { rows } = await restored.domain.database.pool.query<{ no: string }>(
      'select order_no as no from orders order by 1',
    );
    const { violations, checked } = await audit(restored.domain);
    // The recovered server accepts writes.
    await placePayout(restored.domain, merchantId, 'IN');
    return { orders: rows.map(({ no }) => no), violations: [...violations], checked: checked.orders };
  } finally {
    await restored.close();
  }
}

test('a restore to a moment between two orders has exactly the earlier orders, and the audit finds nothing', {
  timeout: 180_000,
}, async () => {
  const backups = ownFolder('base');
  const before = await place(50);
  let isDone = false;
  const meanwhile: string[] = [];
  const load = (async () => {
    for (let i = 0; !isDone && i < 2_000; i++) meanwhile.push(...(await place(5)));
  })();
  const backup = await backUp(backups);
  isDone = true;
  await load;
  expect(meanwhile.length).toBeGreaterThan(0);
  const between = await place(40);
  const moment = await now();
  const after = await place(30);
  await untilArchived();
  expect(readdirSync(backups)).toEqual([backup.split('/').at(-1)]);

  const restored = await ledgerOf(await restore('restored', backup, moment));
  expect(restored.orders).toEqual([...before, ...meanwhile, ...between].sort());
  expect(restored.violations).toEqual([]);
  expect(restored.checked).toBe(restored.orders.length);

  const latest = await ledgerOf(await restore('latest', backup));
  expect(latest.orders).toEqual([...before, ...meanwhile, ...between, ...after].sort());
  expect(latest.violations).toEqual([]);
});

test('a restore to a moment before the backup, or beyond the archive, is refused', {
  timeout: 60_000,
}, async () => {
  const early = await now();
  await place(1);
  const backup = await backUp(ownFolder('base-of-later'));
  await place(1);
  await untilArchived();
  await expect(restore('too-early', backup, early)).rejects.toThrow('take an earlier one');
  await expect(restore('too-late', backup, '2999-01-01 00:00:00+00')).rejects.toThrow('target was reached');
});

test('the archive never overwrites a segment with another one', async () => {
  const dir = ownFolder('other-wal');
  const segment = join(ownFolder('segments'), 'one');
  writeFileSync(segment, 'first');
  await run('archive-wal.sh', [segment, '000000010000000000000001', dir]);
  await run('archive-wal.sh', [segment, '000000010000000000000001', dir]);
  writeFileSync(segment, 'second');
  await expect(run('archive-wal.sh', [segment, '000000010000000000000001', dir])).rejects.toThrow('another server');
  expect(readdirSync(dir)).toEqual(['000000010000000000000001']);
  expect(readFileSync(join(dir, '000000010000000000000001'), 'utf8')).toBe('first');
});

test('wrong arguments are reported before anything is changed', async () => {
  const folder = ownFolder('nothing');
  await expect(run('base-backup.sh', [folder, folder], { DATABASE_URL: primary.url })).rejects.toThrow(
    'no data folder',
  );
  await expect(run('base-backup.sh', [primary.cluster, folder], { DATABASE_URL: `${primary.url}x` })).rejects.toThrow(
    'does not exist',
  );
  const backup = await backUp(ownFolder('some'));
  await expect(run('restore.sh', [folder, archive, join(folder, 'data')])).rejects.toThrow('is not a complete backup');
  await expect(run('restore.sh', [backup, archive, join(folder, 'data'), '2026-11-21 10:00:00'])).rejects.toThrow(
    'offset from UTC',
  );
  await expect(run('restore.sh', [backup, archive, primary.cluster])).rejects.toThrow('not empty');
  expect(readdirSync(folder)).toEqual([]);
  expect(statSync(primary.cluster).isDirectory()).toBe(true);
});
