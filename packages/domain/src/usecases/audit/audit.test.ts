import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '../../core/order.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../../testing/index.ts';
import { aNewOrder } from '../../testing/on-paper.ts';
import { aReport, aTopUp, paid, placePayin } from '../../testing/payins.ts';
import { audit } from './audit.ts';
import { auditRules } from './rules.ts';

// Somebody who can write to the database by hand, past its triggers, is found.

let ground: TestDomain;
let th: string;
let india: string;
const orders: Record<string, Order> = {};

beforeAll(async () => {
  ground = await openTestDomain((await createTestDatabase()).url);
  const { domain } = ground;
  th = (await aMerchant(domain, 'TH')).merchantId;
  india = (await aMerchant(domain, 'IN')).merchantId;
  for (const name of ['paid', 'again', 'open', 'part', 'late', 'timeout'])
    orders[name] = await placePayin(domain, th, 'TH', { merchantOrderNo: name });
  const tell = (name: string, answer: Parameters<typeof aReport>[1]) => domain.commit(aReport(of(name), answer));
  await tell('paid', paid());
  await tell('again', { outcome: 'part_paid', payments: [{ reference: 'P1', amount: '40.00' }] });
  await tell('again', { outcome: 'paid', payments: [{ reference: 'P2', amount: '60.00' }] });
  await tell('part', { outcome: 'part_paid', payments: [{ reference: 'P1', amount: '40.00' }] });
  await tell('timeout', { outcome: 'timed_out', reason: 'late', payments: [{ reference: 'P1', amount: '10.00' }] });
  await tell('late', { outcome: 'failed', reason: 'no' });
  await tell('late', paid());
  await domain.commit(aTopUp(india, 'B-1', '1000.00'));
  for (const name of ['held', 'settled', 'released']) {
    const order = aNewOrder('IN', 'payout', {
      merchantId: india,
      orderNo: `PO${name.toUpperCase()}`,
      merchantOrderNo: name,
    });
    const placed = await domain.commit({ type: 'createPayout', order });
    if (!placed.ok || !placed.order) throw new Error('not placed');
    orders[name] = placed.order;
  }
  await tell('settled', paid());
  await tell('released', { outcome: 'failed', reason: 'no' });
});
afterAll(() => ground.close());

function of(name: string): Order {
  const order = orders[name];
  if (!order) throw new Error(`no order ${name}`);
  return order;
}

/** Does `sql` ($name stands for that order's number) with all triggers off, asks the audit, and puts everything back. */
async function tampered(table: string, sql: string): Promise<string[]> {
  const client = await ground.domain.database.pool.connect();
  try {
    await client.query("set session_replication_role = 'replica'");
    const { rows } = await client.query<{ all: string }>(`select json_agg(t)::text as all from ${table} t`);
    const text = sql.replace(/\$([a-z]+)/g, (_, name: string) => `'${of(name).orderNo}'`);
    const { rowCount } = await client.query(text);
    expect(rowCount).toBe(1);
    const found = await audit(ground.domain);
    await client.query(`delete from ${table}`);
    await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [
      rows[0]?.all,
    ]);
    expect(found.violations.every(({ merchantId, detail }) => [th, india].includes(merchantId) && detail !== '')).toBe(
      true,
    );
    return [...new Set(found.violations.map(({ rule }) => rule))];
  } finally {
    await client.query('reset session_replication_role');
    client.release();
  }
}

const notifications = 'an ended order has exactly its notifications';
const hashes = 'entries match their hashes';
const sums = 'a balance is the sum of its transfers';
const last = 'a balance is what the last entry left';
const chain = 'entries are numbered without gaps and chain';
const entryCount = 'the wallet knows how many entries it has';
const transferCount = 'transfers are numbered without gaps';
const brought = 'a payin moves exactly what its payments brought';
const credited = 'a completed payin is credited once, and no other';
const fee = 'a completed order paid its fee once, and no other';
const suspense = 'suspense holds what open cases and open parts are about';
const payout = 'a payout is frozen once, and settled or released once when it ends';
const held = 'frozen is what open payouts hold';
const history = 'the last transition of an order is its status';

const tamperings: [what: string, table: string, sql: string, rules: string[]][] = [
  [
    'more available',
    'wallet',
    "update wallet set available = available + 1 where merchant_id like 'TH%'",
    [sums, last],
  ],
  ['more frozen', 'wallet', "update wallet set frozen = frozen + 1 where merchant_id like 'IN%'", [sums, last, held]],
  [
    'another last hash',
    'wallet',
    "update wallet set last_entry_hash = repeat('1', 64) where merchant_id like 'IN%'",
    [last],
  ],
  [
    ...(['a larger credit', 'wallet_entry'] as const),
    'update wallet_entry set available_change = available_change + 1, available_after = available_after + 1 where order_no = $again',
    [hashes, credited, last],
  ],
  ['a changed remark', 'wallet_entry', "update wallet_entry set remark = 'x' where order_no = $paid", [hashes]],
  [
    'another time',
    'wallet_entry',
    "update wallet_entry set created_at = created_at + interval '1 ms' where order_no = $paid",
    [hashes],
  ],
  [
    'an entry deleted in the middle',
    'wallet_entry',
    'delete from wallet_entry where order_no = $paid',
    [chain, entryCount, credited, hashes],
  ],
  [
    'the last entry deleted',
    'wallet_entry',
    'delete from wallet_entry where order_no = $again',
    [entryCount, last, credited],
  ],
  ['a freeze deleted', 'wallet_entry', 'delete from wallet_entry where order_no = $held', [payout, chain]],
  [
    ...(['a settlement turned into a release', 'wallet_entry'] as const),
    "update wallet_entry set type = 'PAYOUT_RELEASE', available_change = -frozen_change, available_after = available_before - frozen_change where order_no = $settled and type = 'PAYOUT'",
    [payout, hashes, chain],
  ],
  [
    'a larger transfer',
    'transfer',
    "update transfer set amount = amount + 1 where order_no = $paid and cause = 'payin'",
    [sums, brought],
  ],
  [
    'a transfer deleted',
    'transfer',
    "delete from transfer where order_no = $paid and cause = 'payin_fee'",
    [transferCount, fee, brought],
  ],
  [
    'a fee led elsewhere',
    'transfer',
    "update transfer set credit = 'external' where order_no = $paid and cause = 'payin_fee'",
    [fee],
  ],
  [
    'a part taken out of suspense',
    'transfer',
    "update transfer set credit = 'external' where order_no = $part",
    [suspense],
  ],
  ['a payment deleted', 'payment', 'delete from payment where order_no = $paid', [brought]],
  ['a larger payment', 'payment', 'update payment set amount = amount + 1 where order_no = $late', [brought]],
  ['a case deleted', 'money_case', 'delete from money_case where order_no = $late', [suspense]],
  ['a smaller case', 'money_case', 'update money_case set amount = amount - 1 where order_no = $timeout', [suspense]],
  [
    ...(['a case closed by hand', 'money_case'] as const),
    ...(["update money_case set state = 'returned', closed_at = now() where order_no = $late", [suspense]] as [
      string,
      string[],
    ]),
  ],
  [
    'an order completed by hand',
    'orders',
    "update orders set status = 'completed', completed_at = now() where order_no = $open",
    [credited, history, fee],
  ],
  [
    'a completed order failed by hand',
    'orders',
    "update orders set status = 'failed', completed_at = null where order_no = $paid",
    [credited, history],
  ],
  [
    'a payout failed by hand',
    'orders',
    "update orders set status = 'failed' where order_no = $held",
    [held, payout, history],
  ],
  [
    'a smaller order',
    'orders',
    'update orders set amount = amount - 1, net_amount = net_amount - 1, paid_amount = paid_amount - 1 where order_no = $paid',
    [credited],
  ],
  ['a part forgotten', 'orders', 'update orders set paid_amount = 0 where order_no = $part', [suspense]],
  [
    'an order deleted from history',
    'order_transition',
    'delete from order_transition where order_no = $late and "to" = \'failed\'',
    [history, notifications],
  ],
  ['a notification missing', 'notification', 'delete from notification where order_no = $paid', [notifications]],
  [
    'a notification of another status',
    'notification',
    "update notification set status = 'failed' where order_no = $paid",
    [notifications],
  ],
];

test('all is well at first, and after every tampering put right', async () => {
  const report = await audit(ground.domain);
  expect(report.violations).toEqual([]);
  expect(report.checked).toMatchObject({ orders: 9, entries: 8, notifications: 6 });
});

test.each(tamperings)('%s is found', async (_, table, sql, rules) => {
  expect(await tampered(table, sql)).toEqual(expect.arrayContaining(rules));
});

test('a balance below zero is found, should the CHECK ever go', async () => {
  await ground.domain.database.pool.query('alter table wallet drop constraint wallet_available_check');
  const found = await tampered('wallet', "update wallet set available = -1 where merchant_id like 'TH%'");
  expect(found).toContain('balances are not negative');
});

test('every rule has its tampering here', async () => {
  const found = new Set(tamperings.flatMap(([, , , rules]) => rules));
  expect(Object.keys(auditRules).filter((rule) => !found.has(rule))).toEqual(['balances are not negative']);
  expect((await audit(ground.domain)).violations).toEqual([]);
});
