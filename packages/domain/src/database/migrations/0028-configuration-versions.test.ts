import { createTestDatabase } from '@tidegate/sandbox/testing';
import { expect, onTestFinished, test } from 'vitest';
import { aMerchant, openTestDomain } from '../../testing/open-test-domain.ts';
import { anOperator, request } from '../../testing/operators.ts';
import { migrateDatabase } from '../migrate-database.ts';

const name = '0028-configuration-versions';
const undo = `drop trigger configuration_versioned on audit_record; drop function number_configuration_change;
  drop table configuration_version; delete from migration where name = '${name}'`;

/** A database of the version before, with changes of two merchants. */
async function databaseOfBefore() {
  const { url } = await createTestDatabase();
  const { domain, close } = await openTestDomain(url);
  onTestFinished(close);
  const { pool } = domain.database;
  await pool.query(undo);
  const merchants: string[] = [];
  for (let i = 0; i < 2; i += 1) merchants.push((await aMerchant(domain, 'IN')).merchantId);
  const who = await anOperator(domain, ['admin', 'finance']);
  const change = async (merchantId: string, burst: number) => {
    expect(await request(domain, who, 'setMerchant', { merchantId, requestBurst: burst })).toBe('executed');
    const booking = { merchantId, amount: '1', bookingNo: `B-${burst}`, remark: 'r' };
    expect(await request(domain, who, 'topUpWallet', booking)).toBe('executed');
  };
  for (const merchantId of merchants) for (const burst of [1, 2, 3]) await change(merchantId, burst);
  const numbers = async () => {
    const text = `select array_agg(version_no || ' ' || audit_no order by version_no) as all from configuration_version where merchant_id = $1`;
    return Promise.all(merchants.map(async (id) => (await pool.query(text, [id])).rows[0].all));
  };
  return { url, pool, merchants, change, numbers };
}

test('older changes are numbered in the order of their records, and the next change gets the next number', async () => {
  const { url, merchants, change, numbers } = await databaseOfBefore();
  expect(await migrateDatabase(url)).toEqual([name]);
  expect(await numbers()).toEqual([
    ['1 1', '2 3', '3 5'],
    ['1 1', '2 3', '3 5'],
  ]);
  await change(merchants[0] ?? '', 4);
  expect(await numbers()).toEqual([
    ['1 1', '2 3', '3 5', '4 7'],
    ['1 1', '2 3', '3 5'],
  ]);
});

test('a change during the migration first numbers the older changes, and then the migration continues', async () => {
  const { url, pool, merchants, change, numbers } = await databaseOfBefore();
  await migrateDatabase(url);
  // Simulates a migration that stopped before its last statement.
  await pool.query(`alter table configuration_version disable trigger user; delete from configuration_version;
    alter table configuration_version enable trigger user; delete from migration where name = '${name}'`);
  await change(merchants[0] ?? '', 4);
  expect(await numbers()).toEqual([['1 1', '2 3', '3 5', '4 7'], null]);
  expect(await migrateDatabase(url)).toEqual([name]);
  expect(await numbers()).toEqual([
    ['1 1', '2 3', '3 5', '4 7'],
    ['1 1', '2 3', '3 5'],
  ]);
  await expect(pool.query('update configuration_version set audit_no = 1')).rejects.toThrow();
});
