import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { openKeyUses } from './key-uses.ts';

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

async function aKey(): Promise<{ merchantId: string; keyId: string }> {
  const { pool } = fixture.domain.database;
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const { rows } = await pool.query<{ keyId: string }>(
    'select key_id as "keyId" from merchant_key where merchant_id = $1',
    [merchantId],
  );
  return { merchantId, keyId: rows[0]?.keyId ?? '' };
}

async function lastUse({ merchantId }: { merchantId: string }): Promise<number | null> {
  const { rows } = await fixture.domain.database.pool.query<{ at: number | null }>(
    'select extract(epoch from last_used_at)::float8 as at from merchant_key where merchant_id = $1',
    [merchantId],
  );
  return rows[0]?.at ?? null;
}

test('the first use of a key is written at once, and an unused key is not touched', async () => {
  const [used, other] = [await aKey(), await aKey()];
  const uses = openKeyUses(fixture.domain.database.pool);
  uses.used(used.merchantId, used.keyId);
  await uses.write();
  expect(await lastUse(used)).not.toBeNull();
  expect(await lastUse(other)).toBeNull();
});

test('a frequently used key is written once per interval, and at the end', async () => {
  const key = await aKey();
  const { pool } = fixture.domain.database;
  const uses = openKeyUses(pool, 300);
  uses.used(key.merchantId, key.keyId);
  await uses.write();
  const first = await lastUse(key);
  const query = vi.spyOn(pool, 'query');
  for (let again = 0; again < 5; again += 1) {
    uses.used(key.merchantId, key.keyId);
    await uses.write();
  }
  expect(query.mock.calls.length).toBeLessThanOrEqual(1);
  query.mockRestore();
  const written = async () => {
    await uses.write();
    return lastUse(key);
  };
  await expect.poll(written).toBeGreaterThan(first ?? Number.POSITIVE_INFINITY);
});
