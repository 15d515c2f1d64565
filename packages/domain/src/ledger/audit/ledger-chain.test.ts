import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTamperedLedger, type TamperedLedger } from '../../../test/tampered-ledger.ts';
import { aTopUp, placePayin } from '../../testing/payins.ts';
import { audit } from './audit.ts';
import { auditNew } from './audit-new.ts';
import { auditWhole } from './audit-whole.ts';
import { openFindings } from './open-findings.ts';
import { requireChain } from './require-chain.ts';

// A database that was there before the ledger chain: the version before goes on writing for a while, then everybody chains, and what was there
// before is sealed.

const minute = 60_000;
const outside = 'every row is in the ledger batch that it names';
const sealed = 'rows from before the chain are as they were sealed';
const unchain = ['orders', 'order_transition', 'payment', 'money_case', 'transfer'].map(
  (table) => `update ${table} set batch_no = null`,
);
let ledger: TamperedLedger;
let th: string;

beforeEach(async () => {
  ledger = await openTamperedLedger();
  th = ledger.merchants[0] ?? '';
  await ledger.byHand(
    ...unchain,
    'delete from ledger_batch',
    "update wallet set last_batch_no = 0, last_batch_hash = repeat('0', 64)",
    'update ledger_chain set required_since = null, sealed_at = null',
  );
});
afterEach(() => ledger.close());

async function auditAll(): Promise<string[]> {
  await auditNew(ledger.domain, minute);
  await ledger.byHand("update audit_run set finished_at = null where run = 'whole'");
  expect(await auditWhole(ledger.domain, minute)).toBe('finished');
  return (await openFindings(ledger.domain, 100)).map(({ rule, subject }) => `${rule}: ${subject}`);
}

/** Takes the last link away, as if the version before had written what it covers. */
async function asTheVersionBefore(write: () => Promise<unknown>): Promise<void> {
  await write();
  await ledger.byHand(
    ...unchain.map(
      (update) =>
        `${update} where merchant_id = '${th}' and batch_no = (select last_batch_no from wallet where merchant_id = '${th}')`,
    ),
    `delete from ledger_batch where merchant_id = '${th}' and batch_no = (select last_batch_no from wallet where merchant_id = '${th}')`,
    `update wallet w set last_batch_no = last_batch_no - 1, last_batch_hash = coalesce(
      (select hash from ledger_batch b where b.merchant_id = w.merchant_id and b.batch_no = w.last_batch_no - 1), repeat('0', 64)) where merchant_id = '${th}'`,
  );
}

const bookings = { count: 0 };
const topUp = () => {
  bookings.count += 1;
  return ledger.domain.commit(aTopUp(th, `T-${bookings.count}`, '1.00'));
};

test('while an older version still writes, nothing is reported, and the chain covers the rows of the new version', async () => {
  await topUp();
  await asTheVersionBefore(() => placePayin(ledger.domain, th, 'TH', { merchantOrderNo: 'between' }));
  await topUp();
  await asTheVersionBefore(topUp);
  expect(await auditAll()).toEqual([]);
  expect((await audit(ledger.domain)).violations).toEqual([]);
  await ledger.byHand(
    `update transfer set created_at = created_at + interval '1 ms' where merchant_id = '${th}' and batch_no = 1`,
  );
  expect(await auditAll()).toEqual(['ledger batches match their hashes: batch 1']);
});

test('once the ledger chain is required, rows outside of the chain are found at once', async () => {
  expect(await auditAll()).toEqual([]);
  await topUp();
  expect(await requireChain(ledger.url)).toBeGreaterThan(Date.now() - minute);
  await asTheVersionBefore(() => placePayin(ledger.domain, th, 'TH', { merchantOrderNo: 'after' }));
  await auditNew(ledger.domain, minute);
  const found = await openFindings(ledger.domain, 100);
  expect([...new Set(found.map(({ rule }) => rule))]).toEqual([outside]);
  expect(found).toHaveLength(2);
});

test('requiring the chain again keeps the first time, and the requirement can be lifted', async () => {
  const since = await requireChain(ledger.url);
  expect(await requireChain(ledger.url)).toBe(since);
  expect(await requireChain(ledger.url, { lift: true })).toBeNull();
  await asTheVersionBefore(topUp);
  expect(await auditAll()).toEqual([]);
});

const copied = (table: string, changes: string, where: string): string =>
  `insert into ${table} select (jsonb_populate_record(t, '${changes}')).* from ${table} t where ${where} limit 1`;
// biome-ignore format: a table is read by its columns
const byHand: [what: string, table: string, sql: string][] = [
  ['changed', 'orders', `update orders set details = '{"party": {"account": "1"}}' where order_no = $held`],
  ['missing', 'orders', 'delete from orders where order_no = $open'],
  ['inserted', 'orders', copied('orders', '{"order_no": "PI0NEW", "merchant_order_no": "new"}', 'order_no = $open')],
  ['reordered', 'orders', "update orders t set merchant_order_no = s.merchant_order_no || '2' from orders s where t.order_no in ($held, $settled) and s.order_no in ($held, $settled) and s.order_no <> t.order_no"],
  ['changed', 'order_transition', "update order_transition set actor = 'eve' where order_no = $paid and seq = 1"],
  ['missing', 'order_transition', 'delete from order_transition where order_no = $paid and seq = 1'],
  ['inserted', 'order_transition', copied('order_transition', '{"seq": 99}', 'order_no = $held')],
  ['reordered', 'order_transition', 'update order_transition t set trigger = s.trigger, actor = s.actor from order_transition s where t.order_no = $paid and s.order_no = $paid and t.seq + s.seq = 3'],
  ['changed', 'payment', "update payment set received_at = received_at + interval '1 ms' where order_no = $paid"],
  ['missing', 'payment', 'delete from payment where order_no = $paid'],
  ['inserted', 'payment', copied('payment', '{"order_no": "PI0UNKNOWN"}', 'order_no = $paid')],
  ['reordered', 'payment', 'update payment t set amount = s.amount from payment s where t.order_no = $again and s.order_no = $again and s.reference <> t.reference'],
  ['changed', 'transfer', "update transfer set created_at = created_at + interval '1 ms' where order_no = $held"],
  ['missing', 'transfer', 'delete from transfer where order_no = $held'],
  ['inserted', 'transfer', copied('transfer', '{"transfer_no": 99}', 'order_no = $held')],
  ['reordered', 'transfer', 'update transfer t set debit = s.debit, credit = s.credit, amount = s.amount, cause = s.cause from transfer s where t.order_no = $paid and s.order_no = $paid and s.transfer_no <> t.transfer_no'],
  ['changed', 'money_case', 'update money_case set order_no = $paid where order_no = $late'],
  ['missing', 'money_case', 'delete from money_case where order_no = $late'],
  ['inserted', 'money_case', copied('money_case', '{"case_no": 99}', 'order_no = $late')],
  ['reordered', 'money_case', 'update money_case t set amount = s.amount from money_case s where t.order_no in ($late, $timeout) and s.order_no in ($late, $timeout) and s.case_no <> t.case_no'],
  ['all of a merchant missing', 'payment', 'delete from payment'],
];

test('one whole run adds older rows to the chain, and each later run compares them', async () => {
  await requireChain(ledger.url);
  expect(await auditAll()).toEqual([]);
  await topUp();
  expect(await auditAll()).toEqual([]);
  const { rows } = await ledger.domain.database.pool.query('select table_name from ledger_seal group by 1 order by 1');
  expect(rows.map((row) => row.table_name)).toEqual([
    'money_case',
    'order_transition',
    'orders',
    'payment',
    'transfer',
  ]);
  for (const [what, table, sql] of byHand) {
    const restore = await ledger.tamper(table, sql);
    const found = (await audit(ledger.domain)).violations.filter(({ rule }) => rule === sealed);
    expect(
      found.map(({ subject }) => subject),
      `${table} ${what}`,
    ).toContain(table);
    await restore();
  }
  expect((await audit(ledger.domain)).violations).toEqual([]);
});

test('an order that was inserted by hand is found at a merchant whose rows are in the chain', async () => {
  await requireChain(ledger.url);
  await placePayin(ledger.domain, th, 'TH', { merchantOrderNo: 'real' });
  const restore = await ledger.tamper(
    'orders',
    copied('orders', '{"order_no": "PI0NEW", "merchant_order_no": "new"}', "merchant_order_no = 'real'"),
  );
  expect(await auditAll()).toContain(`${outside}: o:PI0NEW`);
  await restore();
});
