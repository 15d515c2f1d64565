import { createTestDatabase } from '@tidegate/sandbox/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LedgerUnavailable } from '../database/connection-loss.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/open-test-domain.ts';
import { waitFor } from '../testing/wait-for.ts';
import { type DirectoryOptions, openDirectory } from './directory.ts';

// The age of the configuration that decides a request.

let real: TestDomain;
beforeAll(async () => {
  real = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => real.close());

const sql = (text: string, values: unknown[] = []) => real.domain.database.pool.query(text, values);
const disable = "update merchant set status = 'disabled' where merchant_id = $1";
const never = 600_000;

/** A directory whose statements can be delayed or fail, by their names. */
function aDirectory(options: Partial<DirectoryOptions> = {}) {
  const hooks: Record<string, (answer: () => Promise<unknown>) => Promise<unknown>> = {};
  const pool = {
    query: (query: pg.QueryConfig) => {
      const answer = () => real.domain.database.pool.query(query);
      return hooks[query.name ?? '']?.(answer) ?? answer();
    },
  };
  const directory = openDirectory(pool as unknown as pg.Pool, { onError: () => undefined, ...options });
  return { directory, hooks };
}

/** Simulates a stopped process: none of its code runs, and arriving data waits in its sockets. */
function stopFor(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('a change that became visible ten seconds later is seen', async () => {
  const { merchantId } = await aMerchant(real.domain, 'IN');
  const { directory } = real.domain;
  expect(await directory.merchant(merchantId)).toMatchObject({ status: 'active' });
  await sql("update merchant set name = 'Seen' where merchant_id = $1", [merchantId]);
  await waitFor('what was changed before', async () => (await directory.merchant(merchantId))?.name === 'Seen');
  const client = await real.domain.database.pool.connect();
  try {
    await client.query('begin');
    await client.query('alter table merchant disable trigger stamp_change');
    await client.query(
      "update merchant set status = 'disabled', changed_at = clock_timestamp() - interval '11 s' where merchant_id = $1",
      [merchantId],
    );
    await client.query('set constraints all immediate; alter table merchant enable trigger stamp_change');
    await client.query('commit');
  } finally {
    client.release();
  }
  await waitFor('the merchant to be disabled', async () => {
    return (await directory.merchant(merchantId))?.status === 'disabled';
  });
});

test('the first request after a pause of the process sees changes that were made meanwhile', async () => {
  const { directory } = aDirectory({ everyMs: never, maxAgeMs: 150 });
  const { merchantId } = await aMerchant(real.domain, 'IN');
  expect(await directory.merchant(merchantId)).toMatchObject({ status: 'active' });
  await sql(disable, [merchantId]);
  await sql('delete from merchant_key where merchant_id = $1', [merchantId]);
  stopFor(200);
  expect(await directory.merchant(merchantId)).toMatchObject({ status: 'disabled', keys: [] });
  await directory.close();
});

test('a poll that was answered before a pause of the process does not count after the pause', async () => {
  const { directory, hooks } = aDirectory({ everyMs: never, maxAgeMs: 150 });
  const { merchantId } = await aMerchant(real.domain, 'IN');
  await directory.merchant(merchantId);
  stopFor(200);
  hooks['configuration-changes'] = async (answer) => {
    delete hooks['configuration-changes'];
    const answered = await answer();
    await sql(disable, [merchantId]);
    stopFor(200);
    return answered;
  };
  expect(await directory.merchant(merchantId)).toMatchObject({ status: 'disabled' });
  await directory.close();
});

test('a merchant that was read before a pause of the process is read again', async () => {
  const { directory, hooks } = aDirectory({ everyMs: never, maxAgeMs: 150 });
  const { merchantId } = await aMerchant(real.domain, 'IN');
  hooks['merchant-profiles'] = async (answer) => {
    delete hooks['merchant-profiles'];
    const answered = await answer();
    await sql(disable, [merchantId]);
    stopFor(200);
    return answered;
  };
  expect(await directory.merchant(merchantId)).toMatchObject({ status: 'disabled' });
  await directory.close();
});

test('without the database cached values are used up to their maximum age, then requests are refused, and no change is lost', async () => {
  const { directory, hooks } = aDirectory({ everyMs: 20, maxAgeMs: 1_500, waitMs: 500 });
  const { merchantId } = await aMerchant(real.domain, 'IN');
  await directory.merchant(merchantId);
  hooks['configuration-changes'] = () => Promise.reject(new Error('Connection terminated'));
  const since = performance.now();
  await sql(disable, [merchantId]);
  expect(await directory.merchant(merchantId)).not.toBeNull();
  await waitFor('old configuration to be refused', () =>
    directory.merchant(merchantId).then(
      () => false,
      (error) => error instanceof LedgerUnavailable,
    ),
  );
  expect(performance.now() - since).toBeGreaterThan(500);
  const { promise: hanging, reject: giveUp } = Promise.withResolvers<never>();
  hooks['configuration-changes'] = () => hanging;
  await expect(directory.merchant(merchantId)).rejects.toBeInstanceOf(LedgerUnavailable);
  giveUp(new Error('Query read timeout'));
  delete hooks['configuration-changes'];
  await waitFor('the merchant to be disabled', async () => {
    return (await directory.merchant(merchantId).catch(() => null))?.status === 'disabled';
  });
  await directory.close();
});

test('a merchant that was not reported as changed is read again after a while', async () => {
  const { directory } = aDirectory({ everyMs: 20, reloadAfterMs: 100 });
  const { merchantId } = await aMerchant(real.domain, 'IN');
  expect(await directory.merchant(merchantId)).toMatchObject({ status: 'active' });
  const client = await real.domain.database.pool.connect();
  try {
    await client.query('begin');
    await client.query('alter table merchant disable trigger all');
    await client.query(disable, [merchantId]);
    await client.query('set constraints all immediate; alter table merchant enable trigger all');
    await client.query('commit');
  } finally {
    client.release();
  }
  await waitFor('the merchant to be read again', async () => {
    return (await directory.merchant(merchantId))?.status === 'disabled';
  });
  await directory.close();
});

test('10,000 merchants are read again in seconds when everything may have changed', async () => {
  await sql(
    `insert into merchant (merchant_id, name, country, currency, tag)
     select 'MANY-' || i, 'Many', 'CN', 'CNY', 'MANY' from generate_series(1, 10000) i`,
  );
  // In parts, so that no statement reaches its time limit on a busy machine.
  for (const digit of '0123456789')
    await sql(`insert into route (merchant_id, route_no, kind, channel_id)
      select merchant_id, 1, 'payin', 'fake' from merchant where tag = 'MANY' and merchant_id like '%${digit}'`);
  // A busy machine may take longer for them than a request may wait.
  const { directory, hooks } = aDirectory({ everyMs: 20, maxAgeMs: 60_000, waitMs: 60_000 });
  const all = async (): Promise<void> => {
    for (let from = 1; from <= 10_000; from += 2_500)
      await Promise.all(Array.from({ length: 2_500 }, (_, i) => directory.merchant(`MANY-${from + i}`)));
  };
  await all();
  let statements = 0;
  hooks['merchant-profiles'] = (answer) => {
    statements += 1;
    return answer();
  };
  await all();
  expect(statements).toBe(0);
  await sql("update channel set enabled = false where channel_id = 'fake'");
  await waitFor('a merchant without its route', async () => (await directory.merchant('MANY-1'))?.routes.length === 0);
  const since = performance.now();
  await all();
  const ms = performance.now() - since;
  console.info(`10,000 merchants were read again with ${statements} statements in ${Math.round(ms)} ms`);
  expect(statements).toBeLessThan(120);
  await sql("update channel set enabled = true where channel_id = 'fake'");
  await directory.close();
});
