import { chmodSync, existsSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sweepMovedFolders } from './moved-folder.ts';
import { type PostgresOptions, type RunningPostgres, startPostgres } from './postgres.ts';
import { findPostgresPlace } from './postgres-place.ts';
import { isAlive, type ProcessIdentity } from './process-identity.ts';
import { makeRunFolder } from './run-folder.ts';

/** A folder whose parent has this mode. Everything in it is ended and removed after the test, or with `atEnd`. */
async function folderIn(parentMode: number, atEnd: (remove: () => Promise<void>) => void = onTestFinished) {
  const { dir: parent, record, remove } = await makeRunFolder();
  chmodSync(parent, parentMode);
  atEnd(remove);
  return {
    dir: join(parent, 'postgres'),
    logFile: join(parent, 'postgres.log'),
    onSpawn: (identity: ProcessIdentity) => record.add('postgres', identity),
  };
}

async function start(options: PostgresOptions) {
  const postgres = await startPostgres(options);
  onTestFinished(() => postgres.stop());
  return postgres;
}

/** For tests that only send statements. */
let shared: RunningPostgres;
let sharedFolder: Awaited<ReturnType<typeof folderIn>>;
const removing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  sharedFolder = await folderIn(0o711, (remove) => void removing.push(remove));
  shared = await startPostgres(sharedFolder);
});
afterAll(async () => {
  await shared?.stop();
  for (const remove of removing) await remove();
});

async function queryDatabase(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test.each([0o711, 0o700])(
  'in a folder with mode %o data survives kill -9 of the server and of its supervisor',
  async (mode) => {
    const folder = await folderIn(mode);
    const first = await start(folder);
    const url = await first.createDatabase('shop "1"');
    await queryDatabase(url, "CREATE TABLE kept AS SELECT 'here' AS text");
    const holding = new pg.Client({ connectionString: url });
    holding.on('error', () => {});
    await holding.connect();
    process.kill(first.identity.pid, 'SIGKILL');
    await first.ended;

    const second = await start(folder);
    expect(await queryDatabase(second.databaseUrl('shop "1"'), 'SELECT text FROM kept')).toEqual([{ text: 'here' }]);

    // The second server still runs, as after kill -9 of its supervisor. The next start ends it.
    const third = await start({ ...folder, port: second.port });
    expect(isAlive(second.identity)).toBe(false);
    expect(await queryDatabase(third.databaseUrl('shop "1"'), 'SELECT text FROM kept')).toEqual([{ text: 'here' }]);
  },
);

test('PostgreSQL uses UTF-8 sorted by code point, and listens on loopback only, with a password', async () => {
  const settings = `SELECT current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS listens,
    current_setting('server_version_num')::int / 10000 AS version, 'Z' < 'a' AND 'z' < 'ä' AS sorted, upper('ä') AS upper`;
  expect(await queryDatabase(shared.url, settings)).toEqual([
    { encoding: 'UTF8', listens: '127.0.0.1', version: 18, sorted: true, upper: 'Ä' },
  ]);
  const wrong = new URL(shared.url);
  wrong.password = 'wrong';
  await expect(queryDatabase(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  expect(statSync(join(sharedFolder.dir, 'password')).mode & 0o777).toBe(0o600);
});

test('a copy of a template database has its tables, and a database is dropped although it has connections', async () => {
  await queryDatabase(await shared.createDatabase('template'), 'CREATE TABLE made (n int)');
  const copy = await shared.createDatabase('copy', 'template');
  expect(await queryDatabase(copy, 'SELECT * FROM made')).toEqual([]);
  const connected = new pg.Client({ connectionString: copy });
  connected.on('error', () => {});
  await connected.connect();
  await shared.dropDatabase('copy');
  await expect(queryDatabase(copy, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
});

test.runIf(process.getuid?.() === 0)(
  'a replacement folder below /var/tmp is removed when its original no longer exists',
  async () => {
    const folder = await folderIn(0o700);
    const messages: string[] = [];
    const place = findPostgresPlace(folder.dir, (line) => messages.push(line));
    expect(place.moved).toBe(true);
    expect(messages).toEqual([expect.stringContaining(dirname(place.cluster))]);
    const leftRunning = await start(folder);
    rmSync(folder.dir, { recursive: true });
    await sweepMovedFolders();
    expect(existsSync(dirname(place.cluster))).toBe(false);
    expect(isAlive(leftRunning.identity)).toBe(false);
  },
);

test('a port in use is recognised in the log of PostgreSQL', async () => {
  await expect(startPostgres({ ...(await folderIn(0o711)), port: shared.port })).rejects.toThrow(
    'Address already in use',
  );
});
