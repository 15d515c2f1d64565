import { createTestDatabase } from '@tidegate/sandbox/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LedgerUnavailable } from '../database/connection-loss.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/open-test-domain.ts';
import { openDirectory } from './directory.ts';

let real: TestDomain;
beforeAll(async () => {
  real = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => real.close());

/** A directory, and the statements that it sends for single merchants. */
function aDirectory(before: () => Promise<void> = async () => undefined) {
  const { pool } = real.domain.database;
  const figures = { statements: 0, atOnce: 0, maxAtOnce: 0 };
  const counting = {
    query: async (query: pg.QueryConfig) => {
      if (query.name !== 'merchant-profiles') return pool.query(query);
      figures.statements += 1;
      figures.atOnce += 1;
      figures.maxAtOnce = Math.max(figures.maxAtOnce, figures.atOnce);
      try {
        await before();
        return await pool.query(query);
      } finally {
        figures.atOnce -= 1;
      }
    },
  };
  const directory = openDirectory(counting as unknown as pg.Pool, { onError: () => undefined });
  return { directory, figures };
}

const madeUp = (count: number): string[] => Array.from({ length: count }, (_, i) => `UNKNOWN-${i}-${Math.random()}`);

test('a flood of unknown merchant numbers causes one statement at a time, and displaces no cached merchant', async () => {
  // Made first: a directory that is open reads a merchant again when it learns that it was made.
  const { merchantId } = await aMerchant(real.domain, 'IN');
  const { directory, figures } = aDirectory();
  expect(await directory.merchant(merchantId)).toMatchObject({ merchantId, country: 'IN' });
  for (let wave = 0; wave < 6; wave += 1) {
    const found = await Promise.all(madeUp(4_000).map((number) => directory.merchant(number)));
    expect(found.every((profile) => profile === null)).toBe(true);
  }
  console.info(`24,000 made-up merchant numbers: ${figures.statements} statements, ${figures.maxAtOnce} at a time`);
  expect(figures.maxAtOnce).toBe(1);
  expect(figures.statements).toBeLessThanOrEqual(1 + 6 * 22);
  const before = figures.statements;
  expect(await directory.merchant(merchantId)).toMatchObject({ merchantId });
  expect(figures.statements).toBe(before);
  await directory.close();
});

test('a merchant is found among concurrent look-ups, also if it was created meanwhile', async () => {
  const { directory, figures } = aDirectory();
  const { merchantId } = await aMerchant(real.domain, 'PK');
  const merchantIds = [...madeUp(300), ...Array.from({ length: 300 }, () => merchantId), ...madeUp(300)];
  const found = await Promise.all(merchantIds.map((number) => directory.merchant(number)));
  expect(found.filter((profile) => profile?.merchantId === merchantId)).toHaveLength(300);
  expect(figures.statements).toBeLessThanOrEqual(4 + 1);
  const late = `LATE-${Math.random().toString(36).slice(2, 10).toUpperCase()}`;
  expect(await directory.merchant(late)).toBeNull();
  await real.domain.database.pool.query(
    `insert into merchant select (json_populate_record(m, json_build_object('merchant_id', $2::text))).* from merchant m where merchant_id = $1`,
    [merchantId, late],
  );
  expect(await directory.merchant(late)).toMatchObject({ merchantId: late, country: 'PK' });
  await directory.close();
});

test('while the database hangs look-ups wait for the current statement only, and more than 5,000 are refused', async () => {
  const { promise: hanging, reject: giveUp } = Promise.withResolvers<void>();
  const { directory, figures } = aDirectory(() => hanging);
  const each = madeUp(5_000).map((number) => directory.merchant(number));
  const lookups = Promise.allSettled(each);
  await expect(directory.merchant('ONE-MORE')).rejects.toBeInstanceOf(LedgerUnavailable);
  await expect.poll(() => figures.statements).toBe(1);
  // A busy process needs a while to refuse all requests. Even then it sends no statement for any of them.
  const busy = each[0]?.catch(() => {
    const until = performance.now() + 100;
    while (performance.now() < until);
  });
  giveUp(new Error('Query read timeout'));
  await busy;
  for (const answer of await lookups) {
    expect(answer).toMatchObject({ status: 'rejected', reason: { message: 'Query read timeout' } });
  }
  expect(figures.statements).toBe(1);
  await directory.close();
});
