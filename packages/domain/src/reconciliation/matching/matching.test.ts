import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { creditCase } from '../../cases/close-case.ts';
import { setChannel } from '../../channels/set-channel.ts';
import { holdWorkSql } from '../../database/run-exclusively.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { paid, placePayin } from '../../testing/payins.ts';
import { aFundedMerchant, by } from '../../testing/payouts.ts';
import { aLine, anImport, backdateLedger, dayAgo, reconcileAll } from '../../testing/statements.ts';
import { closeDay, reopenDay } from '../days/close-day.ts';
import { setReconciliation } from '../days/set-reconciliation.ts';
import { importNextStatement } from '../files/import-next-statement.ts';
import { reconcile } from '../reconcile.ts';

// How lines find what they are about, each test with a channel of its own.

const country = 'PK';
const day = dayAgo(country, 2);
const agreed = by('ann', 'bob');
let fixture: TestDomain;
let merchantId: string;
let channelId: string;
let channels = 0;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ({ merchantId } = await aFundedMerchant(fixture.domain, country));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  channels += 1;
  channelId = `match-${channels}`;
  await setChannel(fixture.domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
});

const line = (changes: Partial<Parameters<typeof aLine>[0]> = {}) =>
  aLine({ currency: 'PKR', bookedOn: day, ...changes });

/** Payins that were paid under these references, two days ago. */
async function paidPayins(...references: string[]) {
  const payins = [];
  for (const reference of references) {
    const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
    const report = { type: 'applyReport', ref: payin, channelId, answer: paid(reference), during: 'query' } as const;
    expect(await fixture.domain.commit(report)).toMatchObject({ ok: true });
    payins.push(payin);
  }
  return payins;
}

async function read(text: string): Promise<unknown[]> {
  return (await fixture.domain.database.pool.query({ text, values: [channelId], rowMode: 'array' })).rows;
}
const openBreaks = () =>
  read("select kind, amount::text from reconciliation_break where channel_id = $1 and state = 'open' order by 1, 2");
const rules = () =>
  read(`select l.line_no, m.rule, m.difference::text from matched_line m join statement_line l using (merchant_id, file_no, line_no, part)
    where l.channel_id = $1 order by 1`);
const variance = () =>
  read(
    "select debit, credit, amount::text from transfer where 'variance:' || $1 in (debit, credit) order by transfer_no",
  );

test('all open lines and movements of one order number match together if both sides have the same sum', async () => {
  const [first, second] = await paidPayins('A-1', 'A-2');
  await backdateLedger(fixture.domain, 2);
  const parts = { orderNo: first?.orderNo ?? '' };
  await anImport(
    fixture.domain,
    country,
    [
      line({ ...parts, gross: '60.00' }),
      line({ ...parts, gross: '40.00' }),
      line({ orderNo: second?.orderNo ?? '', gross: '60.00' }),
    ],
    channelId,
  );
  await reconcileAll(fixture.domain);
  expect(await rules()).toEqual([
    [1, 'order_number', '0.00'],
    [2, 'order_number', '0.00'],
  ]);
  expect(await openBreaks()).toEqual([['amount', '-40.00']]);
});

test('amount and day alone match only if they are unique and no reference belongs to another order', async () => {
  await paidPayins('B-1', 'B-2', 'B-3');
  await backdateLedger(fixture.domain, 2);
  const other = { channelRef: 'someone else' };
  await anImport(fixture.domain, country, [line({ channelRef: 'B-1' }), line(other), line()], channelId);
  await reconcileAll(fixture.domain);
  expect(await rules()).toEqual([[1, 'channel_reference', '0.00']]);
  expect(await openBreaks()).toEqual([
    ['missing_at_channel', '-100.00'],
    ['missing_at_channel', '-100.00'],
    ['missing_in_ledger', '100.00'],
    ['missing_in_ledger', '100.00'],
  ]);
});

test('a line that names a settlement matches no order by its amount and day', async () => {
  await paidPayins('B-4');
  await backdateLedger(fixture.domain, 2);
  await anImport(fixture.domain, country, [line({ settlementRef: 'STAB12000001' })], channelId);
  await reconcileAll(fixture.domain);
  expect(await rules()).toEqual([]);
  expect(await openBreaks()).toEqual([
    ['missing_at_channel', '-100.00'],
    ['missing_in_ledger', '100.00'],
  ]);
});

test('a line whose channel reference is that of another order does not match by our order number', async () => {
  const [first, second] = await paidPayins('X-1', 'X-2');
  await backdateLedger(fixture.domain, 2);
  const lines = [
    line({ channelRef: 'X-1', orderNo: first?.orderNo ?? '' }),
    line({ channelRef: 'X-1', orderNo: second?.orderNo ?? '' }),
    line({ channelRef: 'X-1', orderNo: second?.orderNo ?? '', gross: '70.00', net: '70.00' }),
  ];
  await anImport(fixture.domain, country, lines, channelId);
  await reconcileAll(fixture.domain);
  expect(await rules()).toEqual([[1, 'channel_reference', '0.00']]);
  // Nothing shows that the second order's money came twice: its own payment is not on the statement.
  expect(await openBreaks()).toEqual([
    ['missing_at_channel', '-100.00'],
    ['missing_in_ledger', '100.00'],
    ['missing_in_ledger', '70.00'],
  ]);
  const named = await read('select distinct order_no from reconciliation_break where channel_id = $1');
  expect(named).toEqual([[second?.orderNo]]);
});

test('if one bank reference pays two orders, the line of the order that is not booked is not a repeated line', async () => {
  const [booked] = await paidPayins('BANK-1');
  const unpaid = await placePayin(fixture.domain, merchantId, country, { channelId });
  await backdateLedger(fixture.domain, 2);
  const of = (orderNo: string | null) => line({ channelRef: 'BANK-1', orderNo });
  await anImport(
    fixture.domain,
    country,
    [of(unpaid.orderNo), of(booked?.orderNo ?? ''), of(booked?.orderNo ?? ''), of(null)],
    channelId,
  );
  await reconcileAll(fixture.domain);
  expect(await rules()).toEqual([[2, 'channel_reference', '0.00']]);
  const kinds = await read(
    'select line_no, kind, order_no from reconciliation_break where channel_id = $1 order by line_no',
  );
  expect(kinds).toEqual([
    [1, 'status', unpaid.orderNo],
    [3, 'duplicate', booked?.orderNo],
    [4, 'duplicate', null],
  ]);
});

test('a difference within the tolerance matches, and is posted once when the day is closed', async () => {
  await paidPayins('C-1', 'C-2');
  await backdateLedger(fixture.domain, 2);
  const change = { country, channelId, beginsOn: day, tolerance: '0.05' } as const;
  expect(await setReconciliation(fixture.domain, change, agreed)).toMatchObject({ ok: true });
  const lines = [line({ channelRef: 'C-1', gross: '100.05' }), line({ channelRef: 'C-2', gross: '99.94' })];
  await anImport(fixture.domain, country, lines, channelId);
  await reconcileAll(fixture.domain);
  expect(await rules()).toEqual([[1, 'channel_reference', '0.05']]);
  expect(await openBreaks()).toEqual([['amount', '-0.06']]);
  await setReconciliation(fixture.domain, { country, channelId, tolerance: '0.06' }, agreed);
  await reconcileAll(fixture.domain);
  expect(await openBreaks()).toEqual([]);
  const ref = { country, channelId, day } as const;
  for (let times = 0; times < 2; times += 1) {
    expect(await closeDay(fixture.domain, ref, agreed)).toMatchObject({ ok: true });
    expect(await variance()).toEqual([[`variance:${channelId}`, `channel:${channelId}`, '0.01']]);
    await reopenDay(fixture.domain, ref, by('ann'));
    await reconcileAll(fixture.domain);
  }
});

test('a day that is opened again posts only what its differences within the tolerance have changed by', async () => {
  const change = { country, channelId, beginsOn: day, tolerance: '0.05' } as const;
  expect(await setReconciliation(fixture.domain, change, agreed)).toMatchObject({ ok: true });
  const ref = { country, channelId, day } as const;
  for (const [channelRef, gross] of [
    ['C-1', '100.04'],
    ['C-2', '99.96'],
  ] as const) {
    await paidPayins(channelRef);
    await backdateLedger(fixture.domain, 2, merchantId);
    await anImport(fixture.domain, country, [line({ channelRef, gross })], channelId);
    await reopenDay(fixture.domain, ref, by('ann'));
    await reconcileAll(fixture.domain);
    expect(await closeDay(fixture.domain, ref, agreed)).toMatchObject({ ok: true });
  }
  const accounts = [`channel:${channelId}`, `variance:${channelId}`];
  expect(await variance()).toEqual([
    [...accounts, '0.04'],
    [...accounts.toReversed(), '0.04'],
  ]);
});

test('money from the suspense of the platform to a merchant through the channel account is not expected on a statement', async () => {
  const { domain } = fixture;
  const tenant = 'PLATFORM-PK';
  const unmatched = {
    merchantId: tenant,
    channelId,
    orderNo: 'unknown',
    reference: 'D-1',
    amount: '70.00',
    direction: 'in',
  } as const;
  await domain.commit({ type: 'bookUnmatched', ...unmatched });
  const { rows } = await domain.database.pool.query(
    'select case_no::integer as "caseNo" from money_case where reference = $1',
    ['D-1'],
  );
  const credited = await creditCase(
    domain,
    { merchantId: tenant, caseNo: rows[0]?.caseNo },
    { toMerchantId: merchantId },
    agreed,
  );
  expect(credited).toMatchObject({ ok: true });
  await backdateLedger(domain, 2);
  await anImport(domain, country, [line({ channelRef: 'D-1', gross: '70.00' })], channelId);
  await reconcileAll(domain);
  expect(await rules()).toEqual([[1, 'channel_reference', '0.00']]);
  expect(await openBreaks()).toEqual([]);
});

const theDay = (on = day) =>
  read(`select state, is_due from reconciliation_day where channel_id = $1 and day = '${on}'`);

test('nothing is matched while transfers of the country are not turned into expected movements yet', async () => {
  const { domain } = fixture;
  await paidPayins('B-1');
  await backdateLedger(domain, 2);
  await anImport(domain, country, [line({ channelRef: 'B-1' })], channelId);
  const other = await domain.database.pool.connect();
  try {
    // Another process is at it, as it seems.
    await other.query('begin');
    await other.query(holdWorkSql, ['expectations']);
    await reconcileAll(domain);
    expect(await openBreaks()).toEqual([]);
    expect(await theDay()).toEqual([['open', true]]);
  } finally {
    await other.query('rollback');
    other.release();
  }
  await reconcileAll(domain);
  expect(await rules()).toEqual([[1, 'channel_reference', '0.00']]);
});

test('a day that changes while it is matched is matched again', async () => {
  const { domain } = fixture;
  const { pool } = domain.database;
  await anImport(domain, country, [line({ channelRef: 'W-1' })], channelId);
  expect(await importNextStatement(domain)).toBe('imported');
  const other = await pool.connect();
  try {
    // The matching has read the day, and waits to store its breaks.
    await other.query(
      'begin; set local idle_in_transaction_session_timeout = 0; lock table reconciliation_break in share row exclusive mode',
    );
    const pid = (await other.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
    const running = reconcile(domain);
    const waits = `select from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid)) and ltrim(query, E'\\n ') like 'with booked as%'`;
    await expect.poll(async () => (await pool.query(waits)).rowCount, { timeout: 20_000 }).toBe(1);
    await pool.query('update reconciliation_day set is_due = true where channel_id = $1', [channelId]);
    await other.query('rollback');
    await running;
  } finally {
    await other.query('rollback');
    other.release();
  }
  expect(await theDay()).toEqual([['open', true]]);
  await reconcileAll(domain);
  expect(await theDay()).toEqual([['open', false]]);
});

test('a payment of a day without a statement is matched with a line of a later day, and the day closes', async () => {
  const { domain } = fixture;
  const paidOn = dayAgo(country, 6);
  const ref = { country, channelId, day: paidOn } as const;
  await setReconciliation(domain, { country, channelId, beginsOn: dayAgo(country, 9) }, agreed);
  await paidPayins('U-1');
  await backdateLedger(domain, 6);
  await reconcileAll(domain);
  expect(await closeDay(domain, ref, agreed)).toMatchObject({ detail: 'no statement covers the day' });
  await anImport(domain, country, [line({ channelRef: 'U-1' })], channelId);
  await reconcileAll(domain);
  expect(await rules()).toEqual([[1, 'channel_reference', '0.00']]);
  expect(await openBreaks()).toEqual([]);
  expect(await closeDay(domain, ref, agreed)).toMatchObject({ ok: true });
});

test('a channel whose matching fails does not delay other channels', async () => {
  const { domain } = fixture;
  await anImport(domain, country, [line({ channelRef: 'O-1' })], channelId);
  const failing = `a-${channelId}`;
  await setChannel(domain, { channelId: failing, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  await anImport(domain, country, [line({ channelRef: 'O-2' })], failing);
  const { pool } = domain.database;
  await pool.query(
    `alter table reconciliation_break add constraint fails check (channel_id <> '${failing}') not valid`,
  );
  try {
    await reconcile(domain);
    await reconcile(domain);
    expect(await openBreaks()).toEqual([['missing_in_ledger', '100.00']]);
  } finally {
    await pool.query('alter table reconciliation_break drop constraint fails');
  }
});
