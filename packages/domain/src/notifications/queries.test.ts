import { createTestDatabase } from '@tidegate/sandbox/testing';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { begin } from '../database/begin.ts';
import type { Statement } from '../database/columns.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aBacklogOf, aNotification } from '../testing/notifications.ts';
import { claimByKey, claimNextParked, deliverySettings, parkAtHost, recordAttempts, releaseNewer } from './queries.ts';

// Plans that were made while next to nothing was there have to be right when there is much.

let fixture: TestDomain;
let client: PoolClient;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  const ref = await aNotification(fixture.domain, (await aMerchant(fixture.domain, 'CN')).merchantId);
  await aBacklogOf(fixture.domain, ref, 20);
  client = await fixture.domain.database.pool.connect();
});
afterAll(async () => {
  client.release(true);
  await fixture.close();
});

const record = `'[{"merchantId":"M","orderNo":"O","status":"S","attempt":1,"state":"delivered"}]'`;
test.each<[name: string, statement: Statement, types: string, values: string, index: string]>([
  [
    'claim',
    claimByKey,
    'text[], text[], text[], boolean[], float8',
    `'{M}', '{O}', '{S}', '{f}', 25000`,
    'notification_pkey',
  ],
  [
    ...(['claim next', claimNextParked, 'text[], text[], boolean[], integer[], float8'] as const),
    ...([`'{H}', '{M}', '{f}', '{1}', 25000`, 'notification_in_line'] as const),
  ],
  ['wait', parkAtHost, 'text[], text[], text[]', `'{M}', '{O}', '{S}'`, 'notification_pkey'],
  ['release newer', releaseNewer, 'text[], text[]', `'{M}', '{O}'`, 'notification_pkey'],
  ['record', recordAttempts, 'json', record, 'notification_pkey'],
])('%s finds its rows by the whole key', async (_name, statement, types, values, index) => {
  await client.query([begin, ...deliverySettings.map((one) => `set local ${one}`)].join('; '));
  await client.query('set local plan_cache_mode = force_generic_plan');
  await client.query(`prepare it(${types}) as ${statement.text}`);
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute it(${values})`);
  await client.query('rollback');
  await client.query('deallocate it');
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).not.toMatch(/Seq Scan|Hash Join|Sort {2}\(/);
  const used = [...plan.matchAll(/Scan using (notification_\w+)/g)].map(([, name]) => name?.replace(/_p\d+$/, ''));
  expect(used, plan).toContain(index);
  // The claimed rows are then found by their key.
  expect(
    used.filter((name) => name !== index && name !== 'notification_pkey'),
    plan,
  ).toEqual([]);
  if (used.includes('notification_pkey')) expect(plan).toMatch(/Index Cond: .*merchant_id = .*order_no = .*status = /);
});
