import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMerchant } from '../../packages/domain/src/configuration/create-merchant.ts';
import { audit } from '../../packages/domain/src/entries/admin.ts';
import { LedgerUnavailable } from '../../packages/domain/src/index.ts';
import { openTestDomain, type TestDomain, takeKeyPair } from '../../packages/domain/src/testing/index.ts';
import { aTopUp } from '../../packages/domain/src/testing/payins.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import {
  migratedDatabase,
  type OwnPostgres,
  type OwnServers,
  openOwnServers,
  queryDatabase,
} from '../../tools/sandbox/test/own-postgres.ts';

// A synchronous standby applies slowly, or not at all. Then a commit that is durable here stays unanswered, so no caller learns of it.
// Nothing is booked twice, and the service continues when the standby does.

let servers: OwnServers;
let primary: OwnPostgres;
let standby: OwnPostgres;
let databaseUrl: string;
let one: TestDomain;
let two: TestDomain;
const merchants = Array.from({ length: 6 }, (_, i) => `STANDBY-${i}`);

beforeAll(async () => {
  servers = await openOwnServers();
  primary = await servers.start('primary');
  databaseUrl = await migratedDatabase(primary);
  standby = await servers.startReplica('standby', primary);
  one = await openTestDomain(databaseUrl, { timeoutMs: 1_000 });
  two = await openTestDomain(databaseUrl, { timeoutMs: 1_000 });
  for (const merchantId of merchants)
    await createMerchant(one.domain, { merchantId, name: 'Shop', country: 'IN' }, takeKeyPair());
  await queryDatabase(primary.url, "alter system set synchronous_standby_names = '*'");
  await queryDatabase(primary.url, "alter system set synchronous_commit = 'remote_apply'");
  await queryDatabase(primary.url, 'select pg_reload_conf()');
  const isSynchronous = async () =>
    (await queryDatabase<{ sync: string }>(primary.url, 'select sync_state as sync from pg_stat_replication'))[0]
      ?.sync === 'sync';
  await waitUntil('the standby is synchronous', isSynchronous, { timeoutMs: 20_000 });
}, 120_000);
afterAll(async () => {
  await queryDatabase(standby.url, 'select pg_wal_replay_resume()').catch(() => undefined);
  await Promise.all([one?.close(), two?.close()]);
  await servers?.remove();
}, 60_000);

/** Top-ups of every merchant through both processes at once: the result of each, and how long the slowest took. */
async function topUps(name: string): Promise<{ done: number; open: number; others: unknown[]; slowestMs: number }> {
  const began = performance.now();
  const results = await Promise.allSettled(
    merchants.flatMap((merchantId) =>
      [one, two].map(({ domain }, i) => domain.commit(aTopUp(merchantId, `${name}-${i}`, '1.00'))),
    ),
  );
  const slowestMs = performance.now() - began;
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  return {
    done: results.filter((result) => result.status === 'fulfilled' && result.value.ok).length,
    open: reasons.filter((reason) => reason instanceof LedgerUnavailable).length,
    others: reasons.filter((reason) => !(reason instanceof LedgerUnavailable)),
    slowestMs,
  };
}

const balances = async (): Promise<string[]> =>
  (
    await queryDatabase<{ available: string }>(
      databaseUrl,
      "select available from wallet where merchant_id like 'STANDBY-%' order by merchant_id",
    )
  ).map(({ available }) => available);

test('a standby that applies slowly delays commits, and nothing else', { timeout: 30_000 }, async () => {
  await queryDatabase(standby.url, "alter system set recovery_min_apply_delay = '150ms'");
  await queryDatabase(standby.url, 'select pg_reload_conf()');
  const slow = await topUps('SLOW');
  expect(slow).toMatchObject({ done: 12, open: 0, others: [] });
  expect(slow.slowestMs).toBeGreaterThan(150);
  await queryDatabase(standby.url, 'alter system reset recovery_min_apply_delay');
  await queryDatabase(standby.url, 'select pg_reload_conf()');
  expect(await balances()).toEqual(merchants.map(() => '2.00'));
});

test('while the standby applies nothing no commit is confirmed; when it continues, each took effect once', {
  timeout: 60_000,
}, async () => {
  await queryDatabase(standby.url, 'select pg_wal_replay_pause()');
  for (let round = 0; round < 4; round++) {
    const seen = await topUps('PAUSED');
    expect(seen).toMatchObject({ done: 0, open: 12, others: [] });
    expect(seen.slowestMs).toBeLessThan(4_000);
  }
  // Commits that hang hold their merchants' wallets. Later commands give up before they begin another one.
  const [hanging] = await queryDatabase<{ count: number }>(
    primary.url,
    "select count(*)::integer as count from pg_stat_activity where application_name = 'tidegate' and state <> 'idle'",
  );
  expect(hanging?.count).toBeLessThanOrEqual(merchants.length);
  await queryDatabase(standby.url, 'select pg_wal_replay_resume()');
  const isDone = async () => (await topUps('PAUSED')).done === 12;
  await waitUntil('the service answers again', isDone, { timeoutMs: 20_000 });
  expect(await balances()).toEqual(merchants.map(() => '4.00'));
  expect((await audit(one.domain)).violations).toEqual([]);
});
