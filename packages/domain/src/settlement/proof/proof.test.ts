import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unrestricted } from '../../lists/scope.ts';
import { resolveBreak } from '../../reconciliation/breaks/resolve-break.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { creditLine, debitLine, openPayingBank, provingDay } from '../../testing/paying-bank.ts';
import { aTopUp } from '../../testing/payins.ts';
import { by } from '../../testing/payouts.ts';
import { anApprovedSettlement } from '../../testing/settlements.ts';
import { confirmSettlement, failSettlement, paySettlement } from '../change-settlement.ts';
import { loadSettlementProofs } from '../list-proofs.ts';

// Lines of a bank's statements that name settlements, on a real database.

const agreed = by('ann', 'bob');
let fixture: TestDomain;
let bank: Awaited<ReturnType<typeof openPayingBank>>;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  bank = await openPayingBank(fixture);
});
afterAll(() => fixture.close());

const anApproved = (amount?: string) => anApprovedSettlement(fixture.domain, 'TH', amount);

test('a debit line confirms the settlement that it names, and its break is resolved by a posting against the bank account', async () => {
  const ref = await anApproved('50.00');
  await paySettlement(fixture.domain, ref, 'R-1', by('ann'));
  const fileNo = await bank.shows(debitLine(`Settlement ${ref.settlementNo}`, '50.00'));
  expect(await bank.found(ref)).toMatchObject({ state: 'confirmed', debitLine: `${fileNo}/1/0`, reference: 'R-1' });
  expect(await bank.breaksOf(fileNo)).toMatchObject([{ state: 'posted', names: ref.settlementNo }]);
  expect(await bank.postedFor(fileNo)).toEqual(['external > channel:bank 50.00']);
  expect(await confirmSettlement(fixture.domain, ref, 'R-2', agreed)).toMatchObject({
    rejection: 'settlement_not_there',
  });
  const [lines] = await loadSettlementProofs(fixture.domain, unrestricted, [ref], 'debit');
  expect(lines).toMatchObject([{ fileNo, lineNo: 1, gross: '50.00' }]);
  expect(await bank.violationsAt(ref)).toEqual([]);
});

test('a returned credit after the debit brings the money back to the wallet with a case, once', async () => {
  const ref = await anApproved('60.00');
  await paySettlement(fixture.domain, ref, 'R-1', by('ann'));
  await bank.shows(debitLine(ref.settlementNo, '60.00'));
  const fileNo = await bank.shows(
    creditLine(ref.settlementNo, '60.00'),
    creditLine(ref.settlementNo, '60.00', { bankRef: 'B-2' }),
  );
  expect(await bank.found(ref)).toMatchObject({ state: 'failed', caseNo: 1 });
  expect(await bank.availableOf(ref.merchantId)).toBe('60.00');
  expect((await bank.breaksOf(fileNo)).map(({ state }) => state).sort()).toEqual(['open', 'posted']);
  expect(await bank.postedFor(fileNo)).toEqual(['channel:bank > external 60.00']);
  expect(await failSettlement(fixture.domain, ref, { detail: 'x' }, agreed)).toMatchObject({
    rejection: 'settlement_not_there',
  });
  expect(await bank.violationsAt(ref)).toEqual([]);
});

test('a line with another amount stays a break, and the break shows the settlement that the line names', async () => {
  const ref = await anApproved('70.00');
  const fileNo = await bank.shows(
    debitLine(ref.settlementNo, '69.99'),
    debitLine(ref.settlementNo, '70.00', { currency: 'USD' }),
  );
  expect(await bank.found(ref)).toMatchObject({ state: 'approved', debitLine: null });
  const reasons = (await bank.breaksOf(fileNo)).map(({ state, reason }) => `${state}: ${reason}`);
  expect(reasons.sort()).toEqual([
    `open: it names ${ref.settlementNo}, but its amount is 70.00`,
    `open: it names ${ref.settlementNo}, but its currency is THB`,
  ]);
  const [one] = await bank.breaksOf(fileNo);
  const ended = {
    merchantId: 'PLATFORM-TH',
    breakNo: one?.no ?? 0,
    outcome: 'written_off',
    otherBreakNo: null,
  } as const;
  expect(await resolveBreak(fixture.domain, ended, agreed)).toMatchObject({ ok: true });
});

test('a payment in parts confirms its settlement when its lines show the whole amount, and not before', async () => {
  const ref = await anApproved('100.00');
  await paySettlement(fixture.domain, ref, 'R-1', by('ann'));
  const first = await bank.shows(debitLine(ref.settlementNo, '60.00'));
  const second = await bank.shows(debitLine(ref.settlementNo, '30.00'));
  expect(await bank.found(ref)).toMatchObject({ state: 'paid', debitLine: null });
  const reason = `it names ${ref.settlementNo}, but its amount is 100.00, and 2 lines show 90.00 together`;
  for (const fileNo of [first, second]) expect(await bank.breaksOf(fileNo)).toMatchObject([{ state: 'open', reason }]);
  const third = await bank.shows(debitLine(ref.settlementNo, '10.00'));
  expect(await bank.found(ref)).toMatchObject({ state: 'confirmed', debitLine: `${first}/1/0` });
  for (const fileNo of [first, second, third])
    expect(await bank.breaksOf(fileNo)).toMatchObject([{ state: 'posted', names: ref.settlementNo }]);
  expect(await loadSettlementProofs(fixture.domain, unrestricted, [ref], 'debit')).toMatchObject([
    [
      { fileNo: first, gross: '60.00' },
      { fileNo: second, gross: '30.00' },
      { fileNo: third, gross: '10.00' },
    ],
  ]);
  expect((await bank.postedFor(first)).sort()).toEqual([
    'external > channel:bank 10.00',
    'external > channel:bank 30.00',
    'external > channel:bank 60.00',
  ]);
  // One more line is one too many. What comes back in parts comes back when all of it does.
  const late = await bank.shows(debitLine(ref.settlementNo, '10.00', { bankRef: 'B-2' }));
  expect(await bank.breaksOf(late)).toMatchObject([{ state: 'open' }]);
  await bank.shows(creditLine(ref.settlementNo, '55.00'));
  expect(await bank.found(ref)).toMatchObject({ state: 'confirmed' });
  await bank.shows(creditLine(ref.settlementNo, '45.00'));
  expect(await bank.found(ref)).toMatchObject({ state: 'failed' });
  expect(await loadSettlementProofs(fixture.domain, unrestricted, [ref], 'return')).toMatchObject([
    [{ gross: '55.00' }, { gross: '45.00' }],
  ]);
  expect(await bank.violationsAt(ref)).toEqual([]);
  await corrupt('update reconciliation_break set names = null where file_no = $1', [second]);
  expect(await bank.violationsAt(ref)).toMatchObject([
    { rule: 'a line of a statement proves a settlement of its amount' },
  ]);
  await corrupt('update reconciliation_break set names = $2 where file_no = $1', [second, ref.settlementNo]);
});

test('lines that show more than the amount prove nothing, and what two operators post of them becomes a case', async () => {
  const ref = await anApproved('100.00');
  const fileNo = await bank.shows(debitLine(ref.settlementNo, '60.00'), debitLine(ref.settlementNo, '50.00'));
  expect(await bank.found(ref)).toMatchObject({ state: 'approved' });
  const reason = `it names ${ref.settlementNo}, but its amount is 100.00, and 2 lines show 110.00 together`;
  const [first, second] = await bank.breaksOf(fileNo);
  expect([first, second]).toMatchObject([{ reason }, { reason }]);
  const post = { merchantId: 'PLATFORM-TH', breakNo: second?.no ?? 0, outcome: 'posted', otherBreakNo: null } as const;
  expect(await resolveBreak(fixture.domain, post, agreed)).toMatchObject({ ok: true });
  await bank.proveAll();
  const { rows } = await fixture.domain.database.pool.query(
    `select kind, amount::text from money_case where merchant_id = 'PLATFORM-TH' and amount in (50.00, 60.00)`,
  );
  expect(rows).toEqual([{ kind: 'payout_paid_again', amount: '50.00' }]);
  const left = (await bank.breaksOf(fileNo)).map(({ state }) => state);
  expect([await bank.found(ref), left]).toMatchObject([{ state: 'approved' }, ['open', 'posted']]);
});

test.each<[string, (no: string) => string]>([
  ['only the tag', (no) => no.slice(2, 6)],
  ['a longer number', (no) => `${no}0`],
  ['a part of a word', (no) => `X${no}`],
  ['no number at all', () => 'salary'],
])('a line of the same amount with %s proves nothing', async (_, textOf) => {
  const ref = await anApproved('80.00');
  const fileNo = await bank.shows(debitLine(textOf(ref.settlementNo), '80.00'));
  expect(await bank.found(ref)).toMatchObject({ state: 'approved' });
  expect(await bank.breaksOf(fileNo)).toMatchObject([{ state: 'open', reason: null }]);
});

test('a line that names two settlements is left to people', async () => {
  const [one, other] = [await anApproved('10.00'), await anApproved('10.00')];
  const fileNo = await bank.shows(debitLine(`${one.settlementNo} ${other.settlementNo}`, '10.00'));
  expect(await bank.breaksOf(fileNo)).toMatchObject([{ state: 'open', names: null }]);
  expect([await bank.found(one), await bank.found(other)]).toMatchObject([
    { state: 'approved' },
    { state: 'approved' },
  ]);
});

test('a number that two merchants have is ambiguous', async () => {
  const [one, other] = [await anApproved('11.00'), await anApproved('12.00')];
  const client = await fixture.domain.database.pool.connect();
  await client.query("begin; set local session_replication_role = 'replica'");
  await client.query('update merchant set tag = substr($2, 3, 4) where merchant_id = $1', [
    other.merchantId,
    one.settlementNo,
  ]);
  await client.query('update settlement set settlement_no = $2 where merchant_id = $1', [
    other.merchantId,
    one.settlementNo,
  ]);
  await client.query('commit');
  client.release();
  const fileNo = await bank.shows(debitLine(one.settlementNo, '11.00'));
  expect(await bank.breaksOf(fileNo)).toMatchObject([
    { state: 'open', reason: `it names ${one.settlementNo}, but several merchants have a settlement of this number` },
  ]);
  expect(await bank.found(one)).toMatchObject({ state: 'approved' });
});

test('a line on a closed day proves nothing until the day is opened again', async () => {
  const ref = await anApproved('90.00');
  const setDay = (state: string) =>
    fixture.domain.database.pool.query(
      `update reconciliation_day set state = $1, closed_at = case $1 when 'closed' then clock_timestamp() end where channel_id = 'bank' and day = $2`,
      [state, provingDay],
    );
  await setDay('closed');
  const fileNo = await bank.shows(debitLine(ref.settlementNo, '90.00'));
  expect(await bank.breaksOf(fileNo)).toMatchObject([
    { state: 'open', reason: `it names ${ref.settlementNo}, but its day is closed` },
  ]);
  await setDay('open');
  await bank.proveAll();
  expect(await bank.breaksOf(fileNo)).toMatchObject([{ state: 'posted' }]);
});

test('a line whose proof the ledger refuses stays a break with the reason', async () => {
  const ref = await anApproved('91.00');
  await paySettlement(fixture.domain, ref, 'R-1', by('ann'));
  await bank.shows(debitLine(ref.settlementNo, '91.00'));
  await fixture.domain.commit(aTopUp(ref.merchantId, `${ref.settlementNo}-returned`, '1.00'));
  const fileNo = await bank.shows(creditLine(ref.settlementNo, '91.00'));
  expect(await bank.breaksOf(fileNo)).toMatchObject([
    { state: 'open', reason: `it names ${ref.settlementNo}, but the ledger refuses it: booking_no_taken` },
  ]);
  expect([await bank.found(ref), await bank.postedFor(fileNo)]).toMatchObject([
    { state: 'confirmed', returnLine: null },
    [],
  ]);
});

test('a merchant with a locked wallet does not delay the lines of other merchants', async () => {
  const [held, free] = [await anApproved('92.00'), await anApproved('93.00')];
  const client = await fixture.domain.database.pool.connect();
  await client.query('begin; set local idle_in_transaction_session_timeout = 0');
  await client.query('select from wallet where merchant_id = $1 for update', [held.merchantId]);
  await bank.shows(debitLine(held.settlementNo, '92.00'), debitLine(free.settlementNo, '93.00'));
  expect([await bank.found(held), await bank.found(free)]).toMatchObject([
    { state: 'approved' },
    { state: 'confirmed' },
  ]);
  await client.query('rollback');
  client.release();
  await bank.proveAll();
  expect(await bank.found(held)).toMatchObject({ state: 'confirmed' });
});

test('the database refuses another line, and the audit finds a line of another amount', async () => {
  const { pool } = fixture.domain.database;
  const ref = await anApproved('33.00');
  const fileNo = await bank.shows(debitLine(ref.settlementNo, '33.00'), debitLine('nothing', '32.00'));
  const change = (column: string, place: string) =>
    pool.query(`update settlement set ${column} = $2 where settlement_no = $1`, [ref.settlementNo, place]);
  await expect(change('debit_line', `${fileNo}/2/0`)).rejects.toThrow('has another line');
  await expect(change('return_line', `${fileNo}/2/0`)).rejects.toThrow('has another line');
  await expect(change('reference', 'changed')).rejects.toThrow('cannot become');
  const violation = { rule: 'a line of a statement proves a settlement of its amount', subject: ref.settlementNo };
  await corrupt('update reconciliation_break set names = null where file_no = $1 and line_no = 1', [fileNo]);
  expect(await bank.violationsAt(ref)).toMatchObject([
    { ...violation, detail: expect.stringContaining('names nothing') },
  ]);
  await corrupt('update reconciliation_break set names = $2 where file_no = $1 and line_no = 1', [
    fileNo,
    ref.settlementNo,
  ]);
  expect(await bank.violationsAt(ref)).toEqual([]);
  await corrupt('update settlement set debit_line = $2 where settlement_no = $1', [ref.settlementNo, `${fileNo}/2/0`]);
  expect(await bank.violationsAt(ref)).toMatchObject([violation]);
});

/** Changes rows that the database guards. */
async function corrupt(text: string, values: unknown[]): Promise<void> {
  const client = await fixture.domain.database.pool.connect();
  await client.query("begin; set local session_replication_role = 'replica'");
  await client.query(text, values);
  await client.query('commit');
  client.release();
}
