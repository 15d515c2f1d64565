import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workOnTask } from '../market/work-on-task.ts';
import { cancelOrder } from '../orders/cancel-order.ts';
import { resolvePayout } from '../orders/resolve-payout.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { aTopUp } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout } from '../testing/payouts.ts';
import { audit } from './audit.ts';

// Every decision is in its merchant's ledger chain; who writes past the triggers is found.

let fixture: TestDomain;
let merchantId: string;
const query = (text: string, values: unknown[] = []) => fixture.domain.database.pool.query(text, values);

beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url, { batchSize: 5 });
  const { domain } = fixture;
  merchantId = (await aFundedMerchant(domain, 'PK', '1000.00', 'market')).merchantId;
  const upstream = await placePayout(domain, merchantId, 'PK');
  const task = await placePayout(domain, merchantId, 'PK', { mode: 'market' });
  const unsent = await placePayout(domain, merchantId, 'PK');
  // Many at once, so that they ride in few batches.
  await Promise.all([
    resolvePayout(domain, upstream, { outcome: 'paid', evidence: 'statement "7"; ünïcode 😀' }, by('ann', 'bob')),
    workOnTask(domain, task, { type: 'claimTask' }, by('ann')),
    workOnTask(domain, task, { type: 'claimTask' }, by('bob')),
    cancelOrder(domain, unsent, by('bob')),
    domain.commit({ ...aTopUp(merchantId, 'B-1'), by: by('bob') }),
  ]);
  await aFundedMerchant(domain, 'IN');
});
afterAll(() => fixture.close());

test('decisions of operators are recorded in order, and refused operations are not recorded', async () => {
  const { rows } = await query(
    'select audit_no::integer as no, action from audit_record where merchant_id = $1 order by 1',
    [merchantId],
  );
  expect(rows).toEqual(
    ['bookWallet', 'resolvePayout', 'claimTask', 'cancelOrder', 'bookWallet'].map((action, i) => ({
      no: i + 1,
      action,
    })),
  );
  expect((await audit(fixture.domain)).violations).toEqual([]);
});

const changed = 'ledger batches match their hashes';
const gaps = 'decisions are numbered without gaps';

// biome-ignore format: a table is read by its columns
test.each<[string, string, string, string[]]>([
  ['another reason', 'audit_record', "update audit_record set reason = 'x' where audit_no = 2", [changed]],
  ['another actor', 'audit_record', "update audit_record set actor = 'eve' where audit_no = 3", [changed]],
  ['no second operator', 'audit_record', 'update audit_record set approver = null where audit_no = 2', [changed]],
  ['another time', 'audit_record', "update audit_record set at = at + interval '1 ms' where audit_no = 4", [changed]],
  ['another detail', 'audit_record', "update audit_record set detail = replace(detail, 'paid', 'failed') where audit_no = 2", [changed]],
  ['a missing record in the middle', 'audit_record', 'delete from audit_record where audit_no = 3', [gaps, changed]],
  ['a missing last record', 'audit_record', 'delete from audit_record where audit_no = 5', [gaps, changed]],
  ['a missing first record', 'audit_record', "delete from audit_record where audit_no = 1 and merchant_id like 'PK%'", [gaps, changed]],
  ['another subject', 'audit_record', "update audit_record set subject = 'PO1' where audit_no = 3", [changed]],
  ['the wallet row counts no records', 'wallet', "update wallet set last_audit_no = 0 where merchant_id like 'PK-%'", [gaps]],
])('the audit finds a decision record that was changed by hand: %s', async (_, table, sql, rules) => {
  const client = await fixture.domain.database.pool.connect();
  try {
    await expect(table === 'audit_record' ? client.query(sql) : Promise.reject(new Error('append-only'))).rejects.toThrow(/append-only/);
    await client.query("set session_replication_role = 'replica'");
    const { rows: kept } = await client.query(`select json_agg(t)::text as all from ${table} t`);
    expect((await client.query(sql)).rowCount).toBeGreaterThan(0);
    const { violations } = await audit(fixture.domain);
    expect([...new Set(violations.map(({ rule }) => rule))].toSorted()).toEqual(rules.toSorted());
    expect(violations.every((one) => one.merchantId === merchantId && one.detail !== '')).toBe(true);
    await client.query(`delete from ${table}`);
    await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [kept[0].all]);
  } finally {
    await client.query('reset session_replication_role');
    client.release();
  }
  expect((await audit(fixture.domain)).violations).toEqual([]);
});
