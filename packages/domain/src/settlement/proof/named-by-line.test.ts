import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { creditLine, debitLine, openPayingBank } from '../../testing/paying-bank.ts';
import { by } from '../../testing/payouts.ts';
import { anApprovedSettlement } from '../../testing/settlements.ts';
import { paySettlement } from '../change-settlement.ts';

// A line proves what its own texts name, whatever its break says.

let fixture: TestDomain;
let bank: Awaited<ReturnType<typeof openPayingBank>>;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  bank = await openPayingBank(fixture);
});
afterAll(() => fixture.close());

async function letBreakName(settlementNo: string, fileNo: number): Promise<void> {
  const { rowCount } = await fixture.domain.database.pool.query(
    "update reconciliation_break set names = $1 where file_no = $2 and state = 'open'",
    [settlementNo, fileNo],
  );
  expect(rowCount).toBe(1);
}

test('a line about something else confirms no settlement that only its break names', async () => {
  const ref = await anApprovedSettlement(fixture.domain, 'TH', '80.00');
  await letBreakName(ref.settlementNo, await bank.shows(debitLine('salary', '80.00')));
  await bank.proveAll();
  expect(await bank.found(ref)).toMatchObject({ state: 'approved', debitLine: null });
});

test('a credit about something else brings no settlement back that only its break names', async () => {
  const ref = await anApprovedSettlement(fixture.domain, 'TH', '90.00');
  await paySettlement(fixture.domain, ref, 'R-1', by('ann'));
  await bank.shows(debitLine(ref.settlementNo, '90.00'));
  expect(await bank.found(ref)).toMatchObject({ state: 'confirmed' });
  await letBreakName(ref.settlementNo, await bank.shows(creditLine('returned salary', '90.00')));
  await bank.proveAll();
  expect(await bank.availableOf(ref.merchantId)).toBe('0.00');
});
