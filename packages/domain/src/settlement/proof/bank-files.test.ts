import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unrestricted } from '../../lists/scope.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { creditLine, debitLine, openPayingBank } from '../../testing/paying-bank.ts';
import { by } from '../../testing/payouts.ts';
import { anAccount, anApprovedSettlement } from '../../testing/settlements.ts';
import { createSettlementFile } from '../bank-file/create-settlement-file.ts';
import { paySettlement } from '../change-settlement.ts';
import { loadSettlementProofs } from '../list-proofs.ts';

// Lines of a bank's statements that name a bank file of settlements, on a real database.

const agreed = by('ann', 'bob');
let fixture: TestDomain;
let bank: Awaited<ReturnType<typeof openPayingBank>>;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  bank = await openPayingBank(fixture);
});
afterAll(() => fixture.close());

const anApproved = (amount?: string) => anApprovedSettlement(fixture.domain, 'TH', amount);

/** A bank file of new settlements over these amounts. */
async function aFile(...amounts: string[]) {
  const refs = [];
  for (const amount of amounts) refs.push(await anApproved(amount));
  const created = await createSettlementFile(fixture.domain, { country: 'TH', account: anAccount }, agreed);
  if (!created.ok) throw new Error(created.rejection);
  return { refs, file: created.value };
}

/** Settlements that other tests have left would be in the next file. */
const claimOthers = async () => {
  const { rows } = await fixture.domain.database.pool.query<{ merchantId: string; settlementNo: string }>(
    `select merchant_id as "merchantId", settlement_no as "settlementNo" from settlement where state = 'approved'`,
  );
  for (const ref of rows) await paySettlement(fixture.domain, ref, 'by hand', by('ann'));
};

test('one debit with the sum of a bank file confirms all of its settlements in one transaction', async () => {
  await claimOthers();
  const { refs, file } = await aFile('1.00', '2.50', '3.25');
  const wrong = await bank.shows(debitLine(file.fileNo, '6.74'));
  expect(await bank.breaksOf(wrong)).toMatchObject([
    { state: 'open', reason: `it names ${file.fileNo}, but its amount is 6.75` },
  ]);
  const fileNo = await bank.shows(debitLine(file.fileNo, '6.75'));
  for (const ref of refs) expect(await bank.found(ref)).toMatchObject({ state: 'confirmed', debitLine: null });
  expect(await bank.breaksOf(fileNo)).toMatchObject([{ state: 'posted' }]);
  expect((await bank.postedFor(fileNo)).sort()).toEqual([
    'external > channel:bank 1.00',
    'external > channel:bank 2.50',
    'external > channel:bank 3.25',
  ]);
  const lines = (await loadSettlementProofs(fixture.domain, unrestricted, refs, 'debit')).flat();
  expect(lines.map((line) => line?.gross)).toEqual(['6.75', '6.75', '6.75']);
  // A line of its own comes too late, and the return of one payment is that of one settlement.
  const [, second] = refs;
  const late = await bank.shows(
    debitLine(second?.settlementNo ?? '', '2.50'),
    creditLine(second?.settlementNo ?? '', '2.50'),
  );
  expect((await bank.breaksOf(late)).map(({ state }) => state).sort()).toEqual(['open', 'posted']);
  expect(second && (await bank.found(second))).toMatchObject({ state: 'failed' });
  expect(await bank.violationsAt(...refs)).toEqual([]);
});

test('debits that show the sum of a bank file together confirm all of its settlements', async () => {
  await claimOthers();
  const { refs, file } = await aFile('1.00', '2.50', '3.25');
  const first = await bank.shows(debitLine(file.fileNo, '6.00'));
  for (const ref of refs) expect(await bank.found(ref)).toMatchObject({ state: 'paid' });
  const second = await bank.shows(debitLine(file.fileNo, '0.75'));
  for (const ref of refs) expect(await bank.found(ref)).toMatchObject({ state: 'confirmed', debitLine: null });
  expect((await bank.postedFor(first)).sort()).toEqual([
    'external > channel:bank 0.75',
    'external > channel:bank 6.00',
  ]);
  expect(await bank.breaksOf(second)).toMatchObject([{ state: 'posted' }]);
  expect(await bank.violationsAt(...refs)).toEqual([]);
});

test('a line with the sum of a bank file waits two seconds for all wallets together', async () => {
  await claimOthers();
  const { refs, file } = await aFile(...Array.from({ length: 8 }, () => '1.00'));
  const merchants = refs.map(({ merchantId }) => merchantId).sort();
  const { pool } = fixture.domain.database;
  const clients = await Promise.all(merchants.map(() => pool.connect()));
  for (const [at, client] of clients.entries())
    await client.query(
      `begin; set local idle_in_transaction_session_timeout = 0; select from wallet where merchant_id = '${merchants[at]}' for update`,
    );
  let isOver = false;
  const waits = async (): Promise<boolean> =>
    (await pool.query("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
      .rows.length > 0;
  // Each is released within the time that one lock may take. All eight would take three seconds.
  const released = (async () => {
    for (const client of clients) {
      while (!isOver && !(await waits())) await delay(20);
      if (!isOver) await delay(375);
      await client.query('rollback');
      client.release();
    }
  })();
  await bank.shows(debitLine(file.fileNo, '8.00'));
  isOver = true;
  for (const ref of refs) expect(await bank.found(ref)).toMatchObject({ state: 'paid' });
  await released;
  await bank.proveAll();
  for (const ref of refs) expect(await bank.found(ref)).toMatchObject({ state: 'confirmed' });
});

test('a bank file with a payment that has its own line is not confirmed as a whole', async () => {
  await claimOthers();
  const { refs, file } = await aFile('4.00', '5.00');
  const [first, second] = refs;
  await bank.shows(debitLine(first?.settlementNo ?? '', '4.00'));
  const fileNo = await bank.shows(debitLine(file.fileNo, '9.00'));
  expect(await bank.breaksOf(fileNo)).toMatchObject([{ state: 'open' }]);
  expect(second && (await bank.found(second))).toMatchObject({ state: 'paid' });
  expect(await bank.postedFor(fileNo)).toEqual([]);
});
