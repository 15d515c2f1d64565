import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Work } from '../core/queued-work.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { placePayin } from '../testing/payins.ts';
import { aFundedMerchant, placePayout } from '../testing/payouts.ts';
import { type DueRotation, dueWork } from './due-work.ts';
import { dueWindow, dueWorkStatement } from './queries.ts';

// One merchant with a long backlog at a channel, and nine with one order each that became due later.

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterEach(() =>
  fixture.domain.database.pool.query(
    "begin; set local session_replication_role = 'replica'; delete from orders; commit",
  ),
);
afterAll(() => fixture.close());

/** A merchant with `count` due orders: the first since `dueAgo` seconds, then one each 10 ms. */
async function aBacklog(count: number, dueAgo: number, kind: 'payin' | 'payout' = 'payin'): Promise<string> {
  const { domain } = fixture;
  const { pool } = domain.database;
  const { merchantId } = kind === 'payin' ? await aMerchant(domain, 'IN') : await aFundedMerchant(domain, 'IN');
  const { orderNo } = await (kind === 'payin' ? placePayin : placePayout)(domain, merchantId, 'IN');
  const client = await pool.connect();
  // Without triggers: many rows are made quickly.
  await client.query("begin; set local session_replication_role = 'replica'");
  await client.query(
    `insert into orders select (jsonb_populate_record(o, jsonb_build_object('order_no', o.order_no || n, 'merchant_order_no', 'B' || n))).*
     from orders o, generate_series(2, $3::integer) n where o.merchant_id = $1 and o.order_no = $2`,
    [merchantId, orderNo, count],
  );
  await client.query(
    `update orders o set next_action = 'submit', next_action_at = now() - make_interval(secs => $2) + (n - 1) * interval '10 milliseconds'
     from (select order_no, row_number() over (order by length(order_no), order_no) as n from orders where merchant_id = $1) s
     where o.merchant_id = $1 and o.order_no = s.order_no`,
    [merchantId, dueAgo],
  );
  await client.query('commit');
  client.release();
  return merchantId;
}

async function nineQuiet(): Promise<Set<string>> {
  const quiet = new Set<string>();
  for (let nth = 0; nth < 9; nth++) quiet.add(await aBacklog(1, 60));
  return quiet;
}

/** The place of the last of these merchants in the answer; -1: one of them is missing. */
function lastPlace(works: readonly Work[], merchants: ReadonlySet<string>): number {
  const places = works.flatMap(({ merchantId }, place) => (merchants.has(merchantId) ? [place + 1] : []));
  return places.length === merchants.size ? Math.max(...places) : -1;
}

test('next to 900 due orders of a merchant, nine quiet ones come as early as alone', async () => {
  const quiet = await nineQuiet();
  expect(lastPlace(await dueWork(fixture.domain, 2_000), quiet)).toBe(9);
  await aBacklog(900, 3_600);
  const due = await dueWork(fixture.domain, 2_000);
  expect(lastPlace(due, quiet)).toBe(10);
  expect(due).toHaveLength(500);
});

test('behind a backlog of more than one window, the next runs with the same rotation reach all merchants', async () => {
  const quiet = await nineQuiet();
  await aBacklog(2.5 * dueWindow, 3_600);
  const rotation: DueRotation = new Map();
  const found: number[] = [];
  for (let run = 0; run < 6; run++) found.push(lastPlace(await dueWork(fixture.domain, 2_000, rotation), quiet));
  // The oldest window; with the second; with the third; then it starts over.
  expect(found).toEqual([-1, -1, 10, -1, -1, 10]);
});

test('stopped payouts at the front hide no others', async () => {
  const { domain } = fixture;
  const quiet = await nineQuiet();
  const held = await aBacklog(dueWindow, 3_600, 'payout');
  await domain.database.pool.query('insert into payout_stop (merchant_id, finding_no) values ($1, 1)', [held]);
  const rotation: DueRotation = new Map();
  expect(await dueWork(domain, 2_000, rotation)).toEqual([]);
  expect(lastPlace(await dueWork(domain, 2_000, rotation), quiet)).toBe(9);
});

test('due rows are found by an index, at most two windows of a channel and action', async () => {
  const { pool } = fixture.domain.database;
  await aBacklog(3 * dueWindow, 3_600);
  await pool.query('analyze orders');
  const client = await pool.connect();
  try {
    const reached = Date.now() - 3_590_000;
    // Of up to nine windows the planner may also read and sort all, which costs little.
    await client.query('set enable_bitmapscan = off');
    await client.query({ ...dueWorkStatement, name: 'due', values: [2_000, ['submit'], ['fake'], [reached]] });
    const { rows } = await client.query(
      `explain (analyze, format json) execute due (2000, '{submit}', '{fake}', '{${reached}}')`,
    );
    const scans = scansOf(rows[0]['QUERY PLAN'][0].Plan).filter((scan) => scan['Relation Name'] === 'orders');
    expect(new Set(scans.map((scan) => scan['Index Name']))).toEqual(new Set(['orders_due_by_channel']));
    for (const scan of scans)
      expect(scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(dueWindow);
  } finally {
    client.release(true);
  }
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

function scansOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(scansOf)];
}
