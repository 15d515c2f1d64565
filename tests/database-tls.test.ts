import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startOf } from '../packages/domain/src/audit/position.ts';
import { openSealedRowsThreads } from '../packages/domain/src/audit/seals/read-in-threads.ts';
import { emptyTree } from '../packages/domain/src/core/merkle.ts';
import { isConnectionLoss } from '../packages/domain/src/database/connection-loss.ts';
import { openDatabase } from '../packages/domain/src/database/database.ts';
import { readReplica } from '../packages/domain/src/database/replica.ts';
import { migrateDatabase } from '../packages/domain/src/entries/admin.ts';
import { makeAuthority } from '../packages/worker/test/certificate.ts';
import { createTestDatabase } from '../tools/sandbox/src/testing.ts';
import {
  type OwnPostgres,
  type OwnServers,
  openOwnServers,
  queryDatabase,
  writeOwned,
} from '../tools/sandbox/test/own-postgres.ts';

// Encrypted connections to a real PostgreSQL server with TLS.

const authority = makeAuthority();
let servers: OwnServers;
let server: OwnPostgres;
let plainUrl: string;

beforeAll(async () => {
  servers = await openOwnServers();
  server = await servers.start('encrypted');
  plainUrl = await server.createDatabase('tidegate');
  await serve({ names: ['127.0.0.1'] });
}, 60_000);
afterAll(() => servers?.remove(), 60_000);

/** Gives the server another certificate of our authority. It serves it to new connections. */
async function serve(fields: { names: string[]; toDay?: number }): Promise<void> {
  const { key, cert } = authority.issue({ fromDay: -2, ...fields });
  writeOwned(server.cluster, 'server.key', key);
  writeOwned(server.cluster, 'server.crt', cert);
  const loadedAt = async () =>
    (await queryDatabase<{ at: string }>(plainUrl, 'select pg_conf_load_time()::text as at'))[0]?.at;
  const before = await loadedAt();
  await queryDatabase(plainUrl, 'alter system set ssl = on');
  await queryDatabase(plainUrl, 'select pg_reload_conf()');
  await vi.waitFor(async () => expect(await loadedAt()).not.toBe(before), 30_000);
}

/** The URL for TLS. The server's certificate must be of this authority. */
function encrypted(url: string, trusted = authority.pem): string {
  const file = join(servers.dir, `authority-${trusted === authority.pem ? 'known' : 'other'}.pem`);
  writeFileSync(file, trusted);
  return `${url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`;
}

/** The error of a query; null if it succeeds. */
async function errorOf(url: string): Promise<unknown> {
  const database = await openDatabase(url, { connections: 1 }).catch((error: unknown) => ({ error }));
  if ('error' in database) return database.error;
  try {
    return await database.pool.query('select 1').then(
      () => null,
      (error: unknown) => error,
    );
  } finally {
    await database.close();
  }
}

const encryption = 'select ssl, version from pg_stat_ssl where pid = pg_backend_pid()';
const yes = [{ ssl: true, version: 'TLSv1.3' }];

test('migrations, services, read replicas and threads encrypt their connections', { timeout: 120_000 }, async () => {
  const url = encrypted(plainUrl);
  await migrateDatabase(url);
  const database = await openDatabase(url, { connections: 1 });
  expect((await database.pool.query(encryption)).rows).toEqual(yes);

  const sessions = (name: string) =>
    queryDatabase(
      plainUrl,
      `select ssl from pg_stat_activity join pg_stat_ssl using (pid)
        where application_name = $1 and datname = current_database()`,
      [name],
    );
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const reading = readReplica(database.pool, { url, connections: 1, timeoutMs: 5_000, log });
  await reading.query('select 1');
  await vi.waitFor(async () => expect(await sessions('tidegate')).toEqual([{ ssl: true }, { ssl: true }]), 30_000);
  await reading.close();

  const threads = openSealedRowsThreads({ database }, url);
  await threads.read([{ from: startOf('UNKNOWN'), tree: emptyTree }]);
  expect(await sessions('tidegate seals')).toEqual([{ ssl: true }]);
  await threads.close();
  await database.close();
});

test('an expired certificate, or one for another name, is not accepted until a valid one replaces it', async () => {
  const url = encrypted(plainUrl);
  await serve({ names: ['127.0.0.1'], toDay: -1 });
  expect(await errorOf(url)).toMatchObject({ code: 'CERT_HAS_EXPIRED' });
  await serve({ names: ['db.example.com', '127.0.0.2', 'localhost'] });
  expect(await errorOf(url)).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  await serve({ names: ['127.0.0.1'] });
  expect(await errorOf(url)).toBeNull();
});

test('a certificate of an unknown authority is not accepted', async () => {
  const error = await errorOf(encrypted(plainUrl, makeAuthority().pem));
  expect(isConnectionLoss(error), String(error)).toBe(true);
  expect(await errorOf(`${plainUrl}?sslmode=verify-full`)).toMatchObject({
    code: expect.stringMatching(/^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/),
  });
});

test('certificates are checked even if Node was asked not to check them', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  try {
    const error = await errorOf(encrypted(plainUrl, makeAuthority().pem));
    expect(isConnectionLoss(error), String(error)).toBe(true);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('a file without a certificate is refused, because Node would then trust all public authorities', async () => {
  for (const content of ['', 'no certificate'])
    expect(String(await errorOf(encrypted(plainUrl, content)))).toContain('has no certificate');
});

test('a server without TLS gets nothing, not even the password', async () => {
  const { url } = await createTestDatabase();
  const error = await errorOf(encrypted(url));
  expect(error).toMatchObject({ message: 'The server does not support SSL connections' });
  expect(isConnectionLoss(error)).toBe(true);
});

test('a missing file of authorities, and an unsafe mode, are refused without the password', async () => {
  const secret = plainUrl.replace(/:[^:@]*@/, ':hush@');
  const missing = await errorOf(`${secret}?sslmode=verify-full&sslrootcert=/missing.pem`);
  expect(String(missing)).toContain('/missing.pem');
  const unsafe = await errorOf(`${secret}?sslmode=require`);
  expect(String(unsafe)).toContain('unsafe sslmode');
  expect(`${missing}${unsafe}`).not.toContain('hush');
});
