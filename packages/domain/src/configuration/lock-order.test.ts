import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMerchantKey, setFeeRule, setRoute } from '../entries/admin.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { takeKeyPair } from '../testing/key-pool.ts';
import { ensureServiceKey } from './make-service-key.ts';

// A merchant's service key is made outside of changes of the configuration, for example at its first notification.

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

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
    await database.pool.query('delete from merchant_service_key where merchant_id = $1', [merchantId]);
    const other = await database.pool.connect();
    await other.query('begin');
    await other.query("select from configuration_change where kind = 'merchant' and id = $1 for update", [merchantId]);
    const added = add(merchantId);
    await expect.poll(waiting).toBe(1);
    const made = ensureServiceKey(database.pool, vault, merchantId);
    await expect.poll(waiting).toBe(2);
    await other.query('commit');
    other.release();
    await expect(Promise.all([added, made])).resolves.toBeDefined();
  },
);
