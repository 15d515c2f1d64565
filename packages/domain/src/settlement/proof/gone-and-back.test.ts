import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unrestricted } from '../../lists/scope.ts';
import { resolveBreak } from '../../reconciliation/breaks/resolve-break.ts';
import type { StatementLine } from '../../reconciliation/statement.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { creditLine, debitLine, openPayingBank, provingDay } from '../../testing/paying-bank.ts';
import { by } from '../../testing/payouts.ts';
import { anAccount, anApprovedSettlement } from '../../testing/settlements.ts';
import { anImport, lineOfVersion, noSummary, violationsOfMoved } from '../../testing/statements.ts';
import { loadSettlementProofs } from '../list-proofs.ts';

// Lines about settlements that one version of a statement leaves out, and a later one shows again.

let fixture: TestDomain;
let bank: Awaited<ReturnType<typeof openPayingBank>>;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  bank = await openPayingBank(fixture);
});
afterAll(async () => {
  expect(await violationsOfMoved(fixture.domain)).toEqual([]);
  await fixture.close();
});

let version = 0;
const kept: StatementLine[] = [];
/** Imports a version of the day with these lines, and those of the tests before. Resolves to the open breaks about them. */
async function shows(...lines: StatementLine[]): Promise<{ kind: string; amount: string; no: number }[]> {
  version += 1;
  const { domain } = fixture;
  const marks = [version - 1, version].map((no) =>
    lineOfVersion({ currency: 'THB', bookedOn: provingDay }, 'bank', no),
  );
  const all = [...marks, ...kept, ...lines];
  const closing = all.reduce((sum, { direction, net }) => sum + Number(net) * (direction === 'in' ? 1 : -1), 0);
  const summary = {
    account: anAccount.number,
    from: provingDay,
    to: provingDay,
    opening: '0.00',
    closing: closing.toFixed(2),
  };
  await anImport(domain, 'TH', [...all, { ...noSummary, ...summary }], 'bank');
  await bank.proveAll();
  const { rows } = await domain.database.pool.query<{ kind: string; amount: string; no: number }>(
    "select kind, amount::text as amount, break_no::integer as no from reconciliation_break where state = 'open' and abs(amount) <> 1 order by 3",
  );
  return rows;
}
async function post(...breaks: { no: number }[]): Promise<void> {
  for (const { no } of breaks) {
    const request = { merchantId: 'PLATFORM-TH', breakNo: no, outcome: 'posted', otherBreakNo: null } as const;
    expect(await resolveBreak(fixture.domain, request, by('ann', 'bob'))).toMatchObject({ ok: true });
  }
  await bank.proveAll();
}
/** What the bank paid beyond what came back, and the cases of the platform. */
async function recorded() {
  const { rows } = await fixture.domain.database.pool.query<{ paid: string; cases: string }>(
    `select (select sum(case debit when 'external' then amount else -amount end) from transfer where 'channel:bank' in (debit, credit) and 'external' in (debit, credit))::text as paid,
       (select count(*) from money_case where merchant_id = 'PLATFORM-TH')::text as cases`,
  );
  return rows[0];
}
const paidSoFar = async (): Promise<number> => Number((await recorded())?.paid ?? 0);

test('a payment that is gone and back ends its break, opens none, and is what the settlement shows', async () => {
  const start = await paidSoFar();
  const ref = await anApprovedSettlement(fixture.domain, 'TH', '50.00');
  const line = debitLine(ref.settlementNo, '50.00', { bankRef: 'BANKREF-1' });
  expect(await shows(line)).toEqual([]);
  expect(await bank.found(ref)).toMatchObject({ state: 'confirmed' });
  expect(await shows()).toMatchObject([{ kind: 'missing_at_channel', amount: '50.00' }]);
  expect(await loadSettlementProofs(fixture.domain, unrestricted, [ref], 'debit')).toEqual([[]]);
  expect(await shows(line)).toEqual([]);
  expect(await loadSettlementProofs(fixture.domain, unrestricted, [ref], 'debit')).toMatchObject([
    [{ gross: '50.00', bankRef: 'BANKREF-1' }],
  ]);
  kept.push(line);
  expect(await recorded()).toEqual({ paid: (start + 50).toFixed(2), cases: '0' });
});

test('a return that is gone and back is no second return', async () => {
  const start = await paidSoFar();
  const ref = await anApprovedSettlement(fixture.domain, 'TH', '60.00');
  const debit = debitLine(ref.settlementNo, '60.00', { bankRef: 'BANKREF-2' });
  const credit = creditLine(ref.settlementNo, '60.00', { bankRef: 'BANKREF-2R' });
  await shows(debit);
  await shows(debit, credit);
  expect(await bank.found(ref)).toMatchObject({ state: 'failed' });
  await post(...(await shows(debit)));
  const again = await shows(debit, credit);
  expect(again).toMatchObject([{ kind: 'late_reversal', amount: '60.00' }]);
  await post(...again);
  kept.push(debit, credit);
  expect(await bank.availableOf(ref.merchantId)).toBe('60.00');
  expect(await recorded()).toEqual({ paid: start.toFixed(2), cases: '0' });
});

test('the bank shows a payment in parts, in one line instead, under another reference, and in parts again', async () => {
  const start = await paidSoFar();
  const ref = await anApprovedSettlement(fixture.domain, 'TH', '70.00');
  const line = (amount: string) => debitLine(ref.settlementNo, amount, { bankRef: `BANKREF-${amount}` });
  expect(await shows(line('30.00'), line('40.00'))).toEqual([]);
  expect(await shows(line('70.00'))).toEqual([]);
  expect(await shows(line('30.00'), line('40.00'))).toEqual([]);
  expect(await shows(line('30.00'))).toMatchObject([{ kind: 'missing_at_channel', amount: '40.00' }]);
  expect(await shows(line('30.00'), debitLine(ref.settlementNo, '40.00', { bankRef: 'BANKREF-OTHER' }))).toEqual([]);
  kept.push(line('30.00'), debitLine(ref.settlementNo, '40.00', { bankRef: 'BANKREF-OTHER' }));
  expect(await recorded()).toEqual({ paid: (start + 70).toFixed(2), cases: '0' });
});

test('a payment of which only a part is back, and then the rest, is no second payment, and a second one is a case', async () => {
  const start = await paidSoFar();
  const ref = await anApprovedSettlement(fixture.domain, 'TH', '80.00');
  const line = (amount: string, bankRef: string) => debitLine(ref.settlementNo, amount, { bankRef });
  await shows(line('80.00', 'BANKREF-3'));
  const part = line('30.00', 'BANKREF-4');
  await post(...(await shows(part)));
  expect(await recorded()).toEqual({ paid: (start + 30).toFixed(2), cases: '0' });
  const rest = line('50.00', 'BANKREF-5');
  await post(...(await shows(part, rest)));
  expect(await recorded()).toEqual({ paid: (start + 80).toFixed(2), cases: '0' });
  await post(...(await shows(part, rest, line('80.00', 'BANKREF-6'))));
  kept.push(part, rest, line('80.00', 'BANKREF-6'));
  expect(await recorded()).toEqual({ paid: (start + 80).toFixed(2), cases: '1' });
});
