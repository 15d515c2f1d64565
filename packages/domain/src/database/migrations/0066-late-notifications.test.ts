import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '../../core/order.ts';
import { noon } from '../../testing/on-paper.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../../testing/open-test-domain.ts';
import { type Searchable, writeSearchables } from '../../testing/searchable-orders.ts';
import { aWrittenOrder } from '../../testing/written-orders.ts';
import { migrateDatabase } from '../migrate-database.ts';
import { partitionTables } from '../partition-tables.ts';

let fixture: TestDomain;
let url: string;
beforeAll(async () => {
  ({ url } = await createTestDatabase());
  fixture = await openTestDomain(url);
  const { merchantId } = await aMerchant(fixture.domain, 'IN');
  const searchables = Array.from({ length: 60 }, (_, n): Searchable => {
    const ended: Partial<Order> =
      n % 2 === 0 ? { status: 'completed', completedAt: noon + n + 1 } : { status: 'failed', failureReason: 'no' };
    const order = aWrittenOrder(
      { merchantId, country: 'IN' },
      { createdAt: noon + n, amount: `${n + 100}.00`, ...ended },
    );
    return { order, reference: null, notification: (['pending', 'exhausted', 'delivered'] as const)[n % 3] ?? null };
  });
  await writeSearchables(fixture.domain, searchables);
});
afterAll(() => fixture.close());

const name = '0066-late-notifications';
const query = async <Row extends object>(text: string): Promise<Row[]> =>
  (await fixture.domain.database.pool.query<Row>(text)).rows;

const beforeIt = `drop trigger order_of_late on notification; drop trigger completed_late on orders;
  alter table notification drop column order_created_at, drop column order_amount, drop column order_completed_at`;

/** Late notifications by whether they have what their order is sorted by, and how many others have it. */
const kept = async () =>
  (
    await query<{ late: number; kept: number; others: number }>(
      `select count(*) filter (where is_late)::integer as late,
         count(*) filter (where is_late and (n.order_created_at, n.order_amount) = (o.created_at, o.amount)
           and n.order_completed_at is not distinct from o.completed_at)::integer as kept,
         count(*) filter (where not is_late and n.order_created_at is not null)::integer as others
       from (select *, state = 'exhausted' or state = 'pending' and (held_by is not null or attempt > 1) as is_late from notification) n
       join orders o using (merchant_id, order_no)`,
    )
  )[0];

const isEachIndexValid = async () =>
  (
    await query<{ valid: boolean; count: number }>(
      `select bool_and(indisvalid) as valid, count(*)::integer as count from pg_index
       where indexrelid::regclass::text ~ '^notification_(late_by_(creation|amount|completion)|in_time|retried)$'`,
    )
  )[0];

test('the migration fills late notifications, and can be interrupted and run again, also on partitioned tables', async () => {
  const expected = await kept();
  expect(expected?.late).toBeGreaterThanOrEqual(20);
  expect(expected).toEqual({ late: expected?.late, kept: expected?.late, others: 0 });
  const isPartitioned = (await query(`select from pg_class where relname = 'orders' and relkind = 'p'`)).length > 0;
  for (const step of ['whole', 'partitioned']) {
    if (step === 'partitioned' && !isPartitioned) await partitionTables(url, 2);
    for (const before of [beforeIt, `drop index notification_late_by_amount`]) {
      await query(`${before}; delete from migration where name = '${name}'`);
      expect(await migrateDatabase(url)).toEqual([name]);
      expect(await kept()).toEqual(expected);
      expect(await isEachIndexValid()).toEqual({ valid: true, count: 5 });
    }
  }
});
