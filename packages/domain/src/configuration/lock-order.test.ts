import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMerchantKey, setFeeRule, setRoute } from '../entries/admin.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { takeKeyPair } from '../testing/key-pool.ts';
import { rotateServiceKey } from './rotate-service-key.ts';

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

test('in each table the triggers that change the merchant or channel run before those that record the change', async () => {
  const { rows } = await fixture.domain.database.pool.query<{ table: string; order: string[] }>(
    `select t.tgrelid::regclass::text as "table",
        array_agg(case when p.proname like 'touch_%' then 'change' else 'record' end order by t.tgname) as order
      from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where p.proname in ('touch_merchant', 'touch_channel', 'record_configuration_change')
      group by t.tgrelid order by 1`,
  );
  const both = rows.filter(({ order }) => order.includes('change') && order.includes('record'));
  const tables = ['bank_mapping', 'fee_rule', 'merchant_key', 'route', 'scheduled_fee_rule'];
  expect(both.map(({ table }) => table)).toEqual(tables);
  for (const { table, order } of both) expect(order, table).toEqual(order.toSorted());
});

const waitingSql = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;
const waiting = async (): Promise<number | undefined> =>
  (await fixture.domain.database.pool.query<{ count: number }>(waitingSql)).rows[0]?.count;

test.each<[string, (merchantId: string) => Promise<unknown>]>([
  ['a route', (id) => setRoute(fixture.domain, id, 7, { kind: 'payin', channelId: 'fake' })],
  [
    'a fee rule',
    (id) => setFeeRule(fixture.domain, id, { kind: 'payin', percent: '3.0', fixed: '0.00', bankCode: 'B' }),
  ],
  ['a public key', (id) => addMerchantKey(fixture.domain, id, takeKeyPair().publicKeyPem)],
])(
  '%s and a service key of one merchant that are added at the same time do not wait for each other',
  async (_, add) => {
    const { database, vault } = fixture.domain;
    const { merchantId } = await aMerchant(fixture.domain, 'CN');
    const other = await database.pool.connect();
    await other.query('begin');
    await other.query("select from configuration_change where kind = 'merchant' and id = $1 for update", [merchantId]);
    const added = add(merchantId);
    await expect.poll(waiting).toBe(1);
    const made = rotateServiceKey({ database, vault }, merchantId, takeKeyPair(), 0);
    await expect.poll(waiting).toBe(2);
    await other.query('commit');
    other.release();
    await expect(Promise.all([added, made])).resolves.toBeDefined();
  },
);
