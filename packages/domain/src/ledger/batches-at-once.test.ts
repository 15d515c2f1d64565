import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMerchant } from '../configuration/create-merchant.ts';
import { openTestDomain, type TestDomain, takeKeyPair } from '../testing/index.ts';
import { aTopUp } from '../testing/payins.ts';

// How many transactions the ledger writer makes of commands that arrive at once.

let fixture: TestDomain;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  fixture = await openTestDomain(url);
});
afterAll(() => fixture.close());

async function merchants(number: number): Promise<string[]> {
  const ids = Array.from({ length: number }, () => `S-${randomUUID().slice(0, 13).toUpperCase()}`);
  for (const merchantId of ids)
    await createMerchant(fixture.domain, { merchantId, name: 'Batch', country: 'IN' }, takeKeyPair());
  return ids;
}

/** Books `each` top-ups for each of these merchants at once. Resolves to the number of transactions. */
async function transactionsOf(merchantIds: readonly string[], each: number): Promise<number> {
  const { domain } = fixture;
  const commands = merchantIds.flatMap((merchantId) =>
    Array.from({ length: each }, (_, i) => aTopUp(merchantId, `B-${i}`)),
  );
  const results = await Promise.all(commands.map((command) => domain.commit(command)));
  expect(results.every(({ ok }) => ok)).toBe(true);
  const { rows } = await domain.database.pool.query<{ n: number; entries: number }>(
    'select count(distinct xmin::text)::integer as n, count(*)::integer as entries from wallet_entry where merchant_id = any($1)',
    [merchantIds],
  );
  expect(rows[0]?.entries).toBe(commands.length);
  return rows[0]?.n ?? 0;
}

test('commands of many merchants share one transaction', async () => {
  expect(await transactionsOf(await merchants(60), 2)).toBe(1);
});

test('more commands than one batch holds are in two transactions', async () => {
  expect(await transactionsOf(await merchants(70), 3)).toBe(2);
});

test('all commands of one merchant share one transaction', async () => {
  expect(await transactionsOf(await merchants(1), 150)).toBe(1);
});
