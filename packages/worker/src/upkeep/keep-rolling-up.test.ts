import type { Log } from '@tidegate/domain';
import { aFundedMerchant, openTestDomain, type TestDomain } from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepRollingUp } from './keep-rolling-up.ts';

let fixture: TestDomain;
const warnings: string[] = [];
const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (_, message) => warnings.push(message),
  error: () => undefined,
};
beforeEach(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  warnings.length = 0;
});
afterEach(() => fixture.close());

const queryDatabase = async (sql: string): Promise<unknown> =>
  (await fixture.domain.database.pool.query(sql)).rows[0]?.value;

test('new rows are rolled up a moment later, and only once by two workers', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, 'IN');
  const workers = [keepRollingUp(domain, log, 20), keepRollingUp(domain, log, 20)];
  try {
    await vi.waitFor(
      async () => {
        expect(
          await queryDatabase(`select credited - debited as value from account_total where account = 'external'`),
        ).toBe('-10000.00');
        expect(
          await queryDatabase(`select until > now() - interval '5 seconds' as value from order_figures_progress`),
        ).toBe(true);
      },
      { timeout: 20_000 },
    );
    expect(await queryDatabase('select sum(transfers)::integer as value from account_total')).toBe(1);
    expect(merchantId).toBe(await queryDatabase('select merchant_id as value from account_total'));
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  expect(warnings).toEqual([]);
});

test('a failed run is reported, and the next run is tried', async () => {
  const { domain } = fixture;
  await domain.database.pool.query('alter table order_figures_progress rename to away');
  const worker = keepRollingUp(domain, log, 20);
  try {
    await vi.waitFor(() => expect(warnings.length).toBeGreaterThan(1), { timeout: 20_000 });
    expect(warnings[0]).toContain('cannot be rolled up');
    await domain.database.pool.query('alter table away rename to order_figures_progress');
    await vi.waitFor(
      async () =>
        expect(await queryDatabase(`select until > '-infinity' as value from order_figures_progress`)).toBe(true),
      { timeout: 20_000 },
    );
  } finally {
    await worker.stop();
  }
});
