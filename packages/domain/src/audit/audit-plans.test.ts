import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout } from '../testing/payouts.ts';
import { orderRules } from './order-rules.ts';
import { startOf } from './position.ts';
import { settlementEntryRules } from './settlement-rules.ts';
import { inSnapshot } from './snapshot.ts';
import { transferRules } from './transfer-rules.ts';
import { walletRules } from './wallet-rules.ts';

// The planner knows nothing of these tables yet, or knew them when they were small: every rule still finds its rows by key, and reads
// no merchant's whole history.

let fixture: TestDomain;
let merchantId: string;
const orderNos: string[] = [];
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ({ merchantId } = await aFundedMerchant(fixture.domain, 'IN', '900000.00'));
  const { domain } = fixture;
  for (const table of [
    'orders',
    'order_transition',
    'wallet_entry',
    'transfer',
    'payment',
    'notification',
    'audit_record',
  ])
    await domain.database.pool.query(`alter table ${table} set (autovacuum_enabled = false)`);
  await domain.database.pool.query(`insert into statement_line (merchant_id, file_no, line_no, part, channel_id, day, format_version, type, direction, gross, fee, tax, net, currency)
    select 'PLATFORM-IN', 1, n, 0, 'fake', '2026-11-20', 1, 'payin', 'in', 1, 0, 0, 1, 'INR' from generate_series(1, 5000) n`);
  await domain.database.pool.query(`insert into matched_line (merchant_id, file_no, line_no, part, match_no, rule)
    select merchant_id, file_no, line_no, part, line_no, 'posted' from statement_line`);
  await domain.database.pool.query(`insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount, file_no, line_no, part)
    select merchant_id, line_no, 'fake', day, 'line 1/' || line_no || '/0', 'missing_in_ledger', 1, file_no, line_no, part from statement_line`);
  await domain.database.pool.query('analyze statement_line, matched_line, reconciliation_break');
  for (let i = 0; i < 2; i++) {
    const placed = Array.from({ length: 3_000 }, () => placePayin(domain, merchantId, 'IN'));
    orderNos.push(...(await Promise.all(placed)).map(({ orderNo }) => orderNo));
  }
  await Promise.all(orderNos.slice(0, 50).map((orderNo) => domain.commit(aReport({ merchantId, orderNo }, paid()))));
  await Promise.all(Array.from({ length: 50 }, () => placePayout(domain, merchantId, 'IN')));
  const change = { type: 'recordChange', merchantId, change: 'refreshOrder', subject: 'X', by: by('ann') } as const;
  await Promise.all(Array.from({ length: 1_000 }, () => domain.commit(change)));
});
afterAll(() => fixture.close());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

/** How a statement comes to the rows of its tables: `orders by orders_pkey (merchant_id, order_no)`. */
async function waysOf(sql: string, values: unknown[]): Promise<string[]> {
  const ways = new Set<string>();
  const walk = (plan: Plan): void => {
    const table = plan['Relation Name'];
    const numbers = [
      'order_no',
      'entry_no',
      'transfer_no',
      'audit_no',
      'batch_no',
      'case_no',
      'refund_no',
      'file_no',
      'line_no',
      'match_no',
    ];
    const columns = ['merchant_id', ...numbers, 'subject', 'booking_no', 'settlement_no', 'payment_no'];
    const by = columns.filter((column) => plan['Index Cond']?.includes(`${column} `)).join(', ');
    if (table !== undefined) ways.add(`${table} by ${plan['Index Name'] ?? plan['Node Type']} (${by})`);
    for (const below of plan.Plans ?? []) walk(below);
  };
  const [explained] = await inSnapshot(fixture.domain, (read) =>
    read<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (format json) ${sql} limit 100`, values),
  );
  for (const { Plan } of explained?.['QUERY PLAN'] ?? []) walk(Plan);
  return [...ways].toSorted();
}

const known = [
  'orders by orders_pkey (merchant_id, order_no)',
  'payment by payment_pkey (merchant_id, order_no)',
  'wallet_entry by wallet_entry_once_each (merchant_id, order_no)',
  'transfer by transfer_of_order (merchant_id, order_no)',
  'order_transition by order_transition_pkey (merchant_id, order_no)',
  'notification by notification_pkey (merchant_id, order_no)',
  // Of one merchant what is open, or one row.
  'wallet by wallet_pkey (merchant_id)',
  'orders by orders_held (merchant_id)',
  // Three rows.
  'retention by retention_pkey ()',
  // What is open at all merchants, where that is next to nothing.
  'orders by orders_open_payouts ()',
  'orders by orders_with_parts (merchant_id)',
  'money_case by money_case_open_of_merchant (merchant_id)',
  'money_case by money_case_open_by_amount (merchant_id)',
  'audit_checkpoint by audit_checkpoint_pkey (merchant_id)',
  'audit_record by audit_record_pkey (merchant_id, audit_no)',
  'ledger_batch by ledger_batch_pkey (merchant_id, batch_no)',
  'wallet_entry by wallet_entry_pkey (merchant_id, entry_no)',
  'transfer by transfer_pkey (merchant_id, transfer_no)',
  'money_case by money_case_of_order (merchant_id, order_no)',
  'money_case by money_case_pkey (merchant_id, case_no)',
  'refund by refund_pkey (merchant_id, refund_no)',
  'refund by refund_transfer (merchant_id, transfer_no)',
  'refund by refund_of_case (merchant_id, case_no)',
  'audit_record by audit_record_subject (merchant_id, subject)',
  // At most one a day.
  'settlement by settlement_merchant_id_settlement_no_key (merchant_id)',
  'settlement by settlement_merchant_id_settlement_no_key (merchant_id, settlement_no)',
  'settlement by settlement_payment_once (merchant_id, payment_no)',
  'refund by refund_once (merchant_id, case_no)',
  'wallet_entry by wallet_entry_booking (merchant_id, booking_no, settlement_no)',
  'settlement by settlement_pkey (merchant_id)',
  'wallet_entry by wallet_entry_booking (merchant_id, booking_no)',
  'merchant by merchant_pkey (merchant_id)',
  'withheld_money by withheld_money_pkey (merchant_id)',
  'settlement by settlement_of_file (merchant_id)',
  'settlement_file by settlement_file_pkey (merchant_id, file_no)',
  'statement_line by statement_line_pkey (merchant_id, file_no, line_no)',
  'matched_line by matched_line_pkey (merchant_id, file_no, line_no)',
  'matched_line by matched_line_match (merchant_id, match_no)',
  'reconciliation_break by reconciliation_break_subject (merchant_id, subject)',
];

const some = (count: number): unknown[] => [
  Array.from({ length: count }, () => merchantId),
  orderNos.slice(0, count),
  ['payin IN completed'],
];
const positions = () => JSON.stringify([{ ...startOf(merchantId), entryNo: 7, transferNo: 7 }]);

test.each([
  ...Object.entries(orderRules).flatMap(([rule, sql]) => [1, 1_000].map((n) => [rule, n, sql, () => some(n)] as const)),
  ...Object.entries(walletRules).map(([rule, sql]) => [rule, 1, sql, () => [positions()]] as const),
  ...Object.entries({ ...transferRules, ...settlementEntryRules }).map(
    ([rule, sql]) => [rule, 1, sql, () => [positions(), 2_000]] as const,
  ),
])('the audit rule "%s" reads only by known indexes, for %i rows', async (_rule, _count, sql, values) => {
  const ways = await waysOf(sql, values());
  expect(ways).not.toEqual([]);
  expect(ways.filter((way) => !known.includes(way))).toEqual([]);
});
