import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { migrateDatabase } from '@tidegate/domain/admin';
import { testKeysOf } from '@tidegate/domain/testing';
import { compileCache, createTestRedis, scriptOf } from '@tidegate/sandbox/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { roleName } from '../../../domain/src/database/role-grants.ts';
import { openSealedLedger } from '../../../domain/test/sealed-ledger.ts';
import { createServiceRoles, urlOf } from '../../../domain/test/service-roles.ts';

let child: ChildProcess | null = null;
afterEach(() => {
  child?.kill('SIGKILL');
});

test('a worker reads the rows of seals in threads, with the role of the audit', { timeout: 120_000 }, async () => {
  const ledger = await openSealedLedger();
  await ledger.seal();
  await ledger.makeDue();
  await createServiceRoles(ledger.domain.database.pool);
  await migrateDatabase(ledger.url);
  const env = {
    PORT: '0',
    TIDEGATE_KEYS: testKeysOf('worker'),
    TIDEGATE_ENV: 'sandbox',
    PUBLIC_BASE_URL: 'http://pay.test',
    TIDEGATE_SCHEDULE_SCALE: '0.05',
    DATABASE_URL: ledger.url,
    DATABASE_AUDIT_URL: urlOf(ledger.url, 'audit'),
    REDIS_URL: (await createTestRedis()).url,
    ...compileCache,
  };
  child = spawn(process.execPath, [scriptOf('packages/worker/src/main.ts'), '--queues', 'audit'], {
    env,
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const users = () =>
    ledger.query(`select distinct usename as name from pg_stat_activity
      where datname = current_database() and application_name = 'tidegate seals'`);
  await vi.waitFor(async () => expect(await users()).toEqual([{ name: roleName('audit') }]), {
    timeout: 90_000,
    interval: 50,
  });
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await ledger.found()).toEqual([]);
  await ledger.close();
});
