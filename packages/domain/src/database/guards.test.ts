import { createHash } from 'node:crypto';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setMerchantStatus } from '../configuration/index.ts';
import type { Order } from '../core/order.ts';
import { changeConfiguration } from '../ledger/index.ts';
import { resendNotification } from '../ledger/resend-notifications.ts';
import { claimNotification, recordAttempt } from '../notifications/deliver-notification.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aReport, aTopUp, paid, placePayin } from '../testing/payins.ts';
import { by } from '../testing/payouts.ts';
import { waitFor } from '../testing/wait-for.ts';

// What the database refuses for every role.

const logs = ['notification_attempt', 'channel_call'];
const appendOnly = [
  ...logs,
  'notification_resend',
  'order_transition',
  'wallet_entry',
  'transfer',
  'payment',
  'audit_record',
  'configuration_version',
  'ledger_batch',
  'note',
  'statement_line',
  'statement_unparsed',
  'statement_expectation',
  'matched_line',
  'superseded_line',
  'matched_expectation',
];
/** Files and their contents are not changed. No process deletes them. */
const neverUpdated = ['attached_file', 'file_content'];

let fixture: TestDomain;
let order: Order;
let open: Order;
const sql = async (text: string, values: unknown[] = []): Promise<number> =>
  (await fixture.domain.database.pool.query(text, values)).rowCount ?? 0;

beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'TH');
  order = await placePayin(domain, merchantId, 'TH');
  open = await placePayin(domain, merchantId, 'TH');
  await domain.commit(aReport(order, paid()));
  await domain.commit(aTopUp(merchantId, 'B-1'));
  const claimed = await claimNotification(domain, { ...order, status: 'completed' });
  if (!claimed || claimed === 'paused') throw new Error('nothing to deliver');
  const nothing = { address: null, httpStatus: null, reply: null, error: 'refused', acknowledged: false };
  await recordAttempt(domain, claimed, { startedAt: Date.now(), durationMs: 1, ...nothing });
  const { orderNo } = order;
  const request = { merchantId, requestKey: 'R-1' };
  await resendNotification(domain, request, { orderNo, status: null }, by('tester'));
  const change = { tenant: merchantId, change: 'setMerchantStatus' };
  await changeConfiguration(domain, change, by('tester'), async (within) => {
    const entity = (await setMerchantStatus(within, merchantId, 'active')) ?? {};
    return { ok: true, value: { subject: merchantId, entity, value: null } };
  });
  await sql("insert into note (merchant_id, subject, note_no, author, text) values ($1, $1, 1, 'ann', 'a note')", [
    merchantId,
  ]);
  await sql(
    `insert into statement_line (merchant_id, file_no, line_no, part, channel_id, day, format_version, type, direction, gross, fee, tax, net, currency)
      values ($1, 1, 1, 0, 'fake', '2026-01-02', 1, 'fee', 'out', 1, 0, 0, 1, 'THB')`,
    [merchantId],
  );
  await sql("insert into statement_unparsed values ($1, 1, 2, 'no row')", [merchantId]);
  await sql(
    `insert into statement_expectation (merchant_id, transfer_no, tenant, channel_id, day, cause, direction, amount, posted_at)
      values ($1, 1, 'PLATFORM-TH', 'fake', '2026-01-02', 'payin', 'in', 1, now())`,
    [merchantId],
  );
  await sql("insert into matched_line values ($1, 1, 1, 0, 1, 'linked')", [merchantId]);
  await sql('insert into superseded_line values ($1, 1, 1, 0, 2)', [merchantId]);
  await sql("insert into matched_expectation values ($1, 1, 'PLATFORM-TH', 1)", [merchantId]);
  const content = { merchantId, sha256: createHash('sha256').update('x').digest('hex') };
  await sql("insert into file_content values ($1, $2, 'x')", Object.values(content));
  await sql(
    "insert into attached_file values ($1, 'case 1', 1, $2, 'a', 'image/png', 1, 'ann', now())",
    Object.values(content),
  );
  const call = {
    merchantId,
    orderNo,
    channelId: 'fake',
    operation: 'query',
    outcome: 'accepted',
    detail: null,
    isSent: true,
    isAnswer: true,
  } as const;
  domain.callLog.add({ ...call, startedAt: Date.now(), durationMs: 5 });
  await waitFor('the call log', () => sql('select from channel_call'));
});
afterAll(() => fixture.close());

test.each(appendOnly)('%s refuses updates, deletes and truncation', async (table) => {
  expect(await sql(`select from ${table} where merchant_id = $1`, [order.merchantId])).toBeGreaterThan(0);
  const refused = (what: string): RegExp => new RegExp(`${table} is append-only: ${what} refused`);
  await expect(sql(`update ${table} set merchant_id = merchant_id`)).rejects.toThrow(refused('UPDATE'));
  await expect(sql(`delete from ${table}`)).rejects.toThrow(refused('DELETE'));
  await expect(sql(`truncate ${table} cascade`)).rejects.toThrow(refused('TRUNCATE'));
});

test.each(neverUpdated)('%s refuses updates', async (table) => {
  await expect(sql(`update ${table} set merchant_id = merchant_id`)).rejects.toThrow(/append-only: UPDATE refused/);
});

test.each(['orders', 'wallet'])('%s refuses deletes', async (table) => {
  await expect(sql(`delete from ${table} where merchant_id = $1`, [order.merchantId])).rejects.toThrow(
    /append-only|refused/,
  );
  await expect(sql(`truncate ${table} cascade`)).rejects.toThrow(/refused/);
});

test('the tables of this test are all tables whose rows never change', async () => {
  const { rows } = await fixture.domain.database.pool.query<{ name: string }>(
    `select tgrelid::regclass::text as name from pg_trigger where tgname = 'append_only'`,
  );
  // These have tests of their own (guards-of-evidence.test.ts, channels/environment.test.ts, worker/src/jobs/csv-profiles.test.ts).
  expect(rows.map((row) => row.name).sort()).toEqual(
    [...appendOnly, ...neverUpdated, 'csv_profile', 'environment', 'exclusive_work'].sort(),
  );
});

const change = (set: string, which: () => Order): Promise<number> =>
  sql(`update orders set ${set} where merchant_id = $1 and order_no = $2`, [which().merchantId, which().orderNo]);

test.each([
  ["status = 'created', completed_at = null", 'completed to created'],
  ["status = 'failed', completed_at = null", 'completed to failed'],
  ["status = 'processing', completed_at = null", 'completed to processing'],
])('a completed order cannot be set to %s', async (set, message) => {
  await expect(change(set, () => order)).rejects.toThrow(new RegExp(`${message} is impossible`));
});

test('an order refuses statuses of other countries', async () => {
  await expect(change("status = 'market_available'", () => open)).rejects.toThrow(/is impossible|violates check/);
  await expect(change("status = 'nonsense'", () => open)).rejects.toThrow(/is impossible|violates check/);
  await expect(change("status = 'completed'", () => open)).rejects.toThrow(/violates check/);
  expect(await change("status = 'processing'", () => open)).toBe(1);
});

test.each([
  'amount = amount + 1, net_amount = net_amount + 1',
  'fee_amount = fee_amount + 1, net_amount = net_amount - 1',
  "merchant_order_no = 'other'",
  "kind = 'payout'",
  "country = 'IN', currency = 'INR'",
  `fee_terms = '{"percent":"0"}'`,
  "created_at = created_at - interval '1 day'",
])('a column of an order that never changes: %s', async (set) => {
  await expect(change(set, () => open)).rejects.toThrow(/never changes|violates check/);
});

test.each([
  ['wallet', 'available = -0.01'],
  ['wallet', 'frozen = -0.01'],
  ['orders', 'paid_amount = 100.01'],
  ['orders', 'paid_amount = -0.01'],
  ['orders', "next_action = 'poll', next_action_at = null"],
  ['orders', "next_action = 'dance', next_action_at = now()"],
  ['notification', "state = 'delivered'"],
  ['notification', 'next_attempt_at = null'],
  ['notification', "held_by = 'nobody'"],
  ['notification', 'earlier_attempts = attempt + 1'],
  ['notification', "state = 'exhausted', next_attempt_at = null, held_by = 'host'"],
])('an update of %s with %s is refused', async (table, set) => {
  await expect(sql(`update ${table} set ${set} where merchant_id = $1`, [order.merchantId])).rejects.toThrow(
    /violates check/,
  );
});

/** Inserts a copy of a row with some columns changed. */
const copy = (table: string, changes: Record<string, string>, where = 'true'): Promise<number> =>
  sql(
    `insert into ${table} select (jsonb_populate_record(t, $1::jsonb)).* from ${table} t where merchant_id = $2 and ${where} limit 1`,
    [JSON.stringify(changes), order.merchantId],
  );

test.each<[string, Record<string, string>, RegExp]>([
  ['wallet_entry', { entry_no: '99', order_no: 'PI9', available_after: '98.00' }, /violates check/],
  ['wallet_entry', { entry_no: '99', order_no: 'PI9', frozen_change: '1', frozen_after: '1' }, /violates check/],
  ['wallet_entry', { entry_no: '99', order_no: 'PI9', type: 'GIFT' }, /violates check/],
  ['wallet_entry', { entry_no: '99', order_no: 'PI9', type: 'TOP_UP' }, /violates check/],
  ['wallet_entry', { entry_no: '99' }, /wallet_entry_once/],
  ['wallet_entry', { order_no: 'PI9' }, /wallet_entry_pkey/],
  ['transfer', { transfer_no: '99', amount: '0' }, /violates check/],
  ['transfer', { transfer_no: '99', amount: '-1' }, /violates check/],
  ['transfer', { transfer_no: '99', debit: 'available', credit: 'available' }, /violates check/],
  ['payment', { amount: '0', reference: 'P9' }, /violates check/],
  ['payment', { reference: '' }, /violates check/],
  ['payment', {}, /payment_pkey/],
  ['payment', { seq: '9' }, /payment_reported_once/],
  ['payment', { seq: '9', direction: 'back' }, /payment_direction_of_use/],
  ['payment', { seq: '9', use: 'evidence' }, /payment_reference_of_use/],
  [
    'orders',
    { order_no: 'PI9', merchant_order_no: 'n', status: 'completed', completed_at: '2026-11-20T00:00:00Z' },
    /no payin of TH begins as completed/,
  ],
  ['orders', { order_no: 'PI9' }, /merchant_order_no_key/],
  ['orders', { order_no: 'XX9', merchant_order_no: 'n' }, /violates check/],
  ['orders', { order_no: 'PI9', merchant_order_no: 'n', net_amount: '97.00' }, /violates check/],
  [
    'orders',
    { order_no: 'PI9', merchant_order_no: 'n', amount: '0', fee_amount: '0', net_amount: '0' },
    /violates check/,
  ],
  ['orders', { order_no: 'PI9', merchant_order_no: 'n', currency: 'INR' }, /TH with INR is no country/],
  [
    'orders',
    { order_no: 'PO9', merchant_order_no: 'n', kind: 'payout', net_amount: '102.50' },
    /no payout of TH begins as/,
  ],
  ['notification', { order_no: 'PI9' }, /violates foreign key/],
])('%s refuses a row with %j', async (table, changes, message) => {
  const where =
    table === 'orders' ? `order_no = '${open.orderNo}'` : table === 'wallet_entry' ? 'order_no is not null' : 'true';
  await expect(copy(table, changes, where)).rejects.toThrow(message);
});

test('a valid copy of a row is accepted, so the refusals above are meaningful', async () => {
  expect(await copy('orders', { order_no: 'PI9', merchant_order_no: 'fresh' }, `order_no = '${open.orderNo}'`)).toBe(1);
  // The last check is made when the transaction ends: no wallet counts them (`forged-ledger.test.ts`).
  await expect(copy('transfer', { transfer_no: '99' })).rejects.toThrow('its wallet does not count it');
  await expect(copy('wallet_entry', { entry_no: '99', order_no: 'PI9' }, 'order_no is not null')).rejects.toThrow(
    'its wallet does not count it',
  );
});
