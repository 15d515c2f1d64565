import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../../channels/set-channel.ts';
import { resolveBreak } from '../../reconciliation/breaks/resolve-break.ts';
import { confirmStatement, importStatement } from '../../reconciliation/index.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { creditLine, debitLine, openPayingBank, provingDay } from '../../testing/paying-bank.ts';
import { by } from '../../testing/payouts.ts';
import { anAccount, anApprovedSettlement } from '../../testing/settlements.ts';
import { anImport, noSummary, reconcileAll } from '../../testing/statements.ts';
import { createSettlementFile } from '../bank-file/create-settlement-file.ts';
import { confirmSettlement, failSettlement, paySettlement } from '../change-settlement.ts';

// Lines that name a settlement and must not move it: other accounts, second payments, deposits of our own.

let fixture: TestDomain;
let bank: Awaited<ReturnType<typeof openPayingBank>>;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  bank = await openPayingBank(fixture);
});
afterAll(() => fixture.close());

const anApproved = (amount?: string) => anApprovedSettlement(fixture.domain, 'TH', amount);
/** The account that the statements of the channel are about. */
const setAccount = (account: string | null) =>
  fixture.domain.database.pool.query("update reconciled_channel set account = $1 where channel_id = 'bank'", [account]);

test('a settlement that people confirmed is not proven by a line: the second debit is a break', async () => {
  const ref = await anApproved('65.00');
  expect(await confirmSettlement(fixture.domain, ref, 'seen at the bank', by('ann', 'bob'))).toMatchObject({
    ok: true,
  });
  const fileNo = await bank.shows(debitLine(ref.settlementNo, '65.00'));
  expect(await bank.breaksOf(fileNo)).toMatchObject([
    { state: 'open', reason: expect.stringContaining('people were faster') },
  ]);
  expect([await bank.found(ref), await bank.postedFor(fileNo)]).toMatchObject([{ debitLine: null }, []]);
});

test('what people confirmed or failed is posted against the bank when its lines come, once, and more is a case', async () => {
  const ref = await anApproved('67.00');
  const agreed = by('ann', 'bob');
  const { domain } = fixture;
  const posts = async (...lines: object[]) => {
    const fileNo = await bank.shows(...lines);
    for (const { no } of await bank.breaksOf(fileNo)) {
      const post = { merchantId: 'PLATFORM-TH', breakNo: no, outcome: 'posted', otherBreakNo: null } as const;
      expect(await resolveBreak(domain, post, agreed)).toMatchObject({ ok: true });
    }
    await bank.proveAll();
    expect(await bank.breaksOf(fileNo)).toMatchObject(lines.map(() => ({ state: 'posted' })));
    const { rows } = await domain.database.pool.query<{ external: string; cases: string }>(
      `select (select sum(case when debit = 'external' then -amount else amount end) from transfer where 'external' in (debit, credit)
           and (merchant_id = $1 or merchant_id = 'PLATFORM-TH'))::text as external,
         (select coalesce(string_agg(kind || ' ' || amount, ', ' order by case_no), '') from money_case where merchant_id = 'PLATFORM-TH') as cases`,
      [ref.merchantId],
    );
    return rows[0];
  };
  expect(await confirmSettlement(domain, ref, 'seen at the bank', agreed)).toMatchObject({ ok: true });
  const debit = (gross: string, bankRef: string) => debitLine(ref.settlementNo, gross, { bankRef });
  // In two parts. The wallet had been topped up by the bank before.
  const settled = await posts(debit('60.00', 'P-60'), debit('7.00', 'P-7'));
  expect(settled).toEqual({ external: '-67.00', cases: '' });
  const paidAgain = { external: '-67.00', cases: 'payout_paid_again 67.00' };
  expect(await posts(debit('67.00', 'P-67'))).toEqual(paidAgain);
  const evidence = { detail: 'it came back', evidence: 'seen at the bank' };
  expect(await failSettlement(domain, ref, evidence, agreed)).toMatchObject({ ok: true });
  expect(await bank.availableOf(ref.merchantId)).toBe('67.00');
  expect(await posts(creditLine(ref.settlementNo, '67.00', { bankRef: 'P-back' }))).toEqual(paidAgain);
});

test('a line that names several settlements is posted against the bank after people confirmed all of them, once', async () => {
  const { domain } = fixture;
  const agreed = by('ann', 'bob');
  const refs = [await anApproved('21.00'), await anApproved('22.00')];
  const posts = async (gross: string, bankRef: string, type: string, named = refs) => {
    const several = named.map(({ settlementNo }) => settlementNo).join(' ');
    const [found] = await bank.breaksOf(await bank.shows(debitLine(several, gross, { bankRef, type })));
    const post = { merchantId: 'PLATFORM-TH', breakNo: found?.no ?? 0, outcome: 'posted', otherBreakNo: null } as const;
    expect(await resolveBreak(domain, post, agreed)).toMatchObject({ ok: true });
    await bank.proveAll();
    const { rows } = await domain.database.pool.query<{ to: string }>(
      `select debit as to from transfer where merchant_id = 'PLATFORM-TH' and credit = 'channel:bank' and amount = $1 order by created_at`,
      [gross],
    );
    return rows.map(({ to }) => to);
  };
  for (const ref of refs)
    expect(await confirmSettlement(domain, ref, 'seen at the bank', agreed)).toMatchObject({ ok: true });
  expect(await posts('43.00', 'several', 'unknown')).toEqual(['external']);
  // Again, or one of them alone: that was paid twice.
  expect(await posts('43.00', 'several-2', 'payout')).toEqual(['external', 'suspense']);
  expect(await posts('21.00', 'alone', 'payout', refs.slice(0, 1))).toEqual(['suspense']);
});

test('the line of a bank file is posted against the bank after people confirmed what the bank paid of it', async () => {
  const { domain } = fixture;
  const agreed = by('ann', 'bob');
  const refs = [await anApproved('11.00'), await anApproved('12.00')];
  const file = await createSettlementFile(domain, { country: 'TH', account: anAccount }, agreed);
  if (!file.ok) throw new Error(file.rejection);
  const [paid, refused] = refs as [(typeof refs)[0], (typeof refs)[0]];
  expect(await confirmSettlement(domain, paid, 'seen at the bank', agreed)).toMatchObject({ ok: true });
  const word = { detail: 'refused', evidence: 'the bank said so' };
  expect(await failSettlement(domain, refused, word, agreed)).toMatchObject({ ok: true });
  const fileNo = await bank.shows(debitLine(file.value.fileNo, '11.00', { bankRef: 'F-11' }));
  const [line] = await bank.breaksOf(fileNo);
  const post = { merchantId: 'PLATFORM-TH', breakNo: line?.no ?? 0, outcome: 'posted', otherBreakNo: null } as const;
  expect(await resolveBreak(domain, post, agreed)).toMatchObject({ value: { state: 'posted' } });
  const { rows } = await domain.database.pool.query(
    `select debit, credit, amount::text from transfer where merchant_id = 'PLATFORM-TH' order by transfer_no desc limit 1`,
  );
  expect(rows).toEqual([{ debit: 'external', credit: 'channel:bank', amount: '11.00' }]);
});

test('a credit that names a settlement fails it only after its payment, and only if it is typed as a return', async () => {
  const ref = await anApproved('66.00');
  await paySettlement(fixture.domain, ref, 'R-1', by('ann'));
  await bank.shows(
    creditLine(ref.settlementNo, '66.00'),
    creditLine(ref.settlementNo, '66.00', { type: 'adjustment' }),
  );
  expect(await bank.found(ref)).toMatchObject({ state: 'paid', returnLine: null });
  expect(await bank.availableOf(ref.merchantId)).toBe('0.00');
});

test('a debit of another account of the platform confirms nothing', async () => {
  const { domain } = fixture;
  const ref = await anApproved('67.00');
  await setChannel(domain, { channelId: 'reserve', adapter: 'fake', baseUrl: 'http://bank.test', credentials: {} });
  const summary = { ...noSummary, account: 'TH00 0000 0000 1111', from: provingDay, to: provingDay };
  const fileNo = await anImport(domain, 'TH', [debitLine(ref.settlementNo, '67.00'), summary], 'reserve');
  await bank.proveAll();
  expect(await bank.breaksOf(fileNo)).toMatchObject([
    { state: 'open', reason: `it names ${ref.settlementNo}, but an account that ends with 9012 pays` },
  ]);
  expect(await bank.found(ref)).toMatchObject({ state: 'approved' });
});

test('a confirmed statement that was refused is not imported as another one: it has to be uploaded and confirmed again', async () => {
  const { domain } = fixture;
  await setChannel(domain, { channelId: 'psp', adapter: 'fake', baseUrl: 'http://psp.test', credentials: {} });
  const about = (account: string) => ({ ...noSummary, account, from: provingDay, to: provingDay });
  await anImport(domain, 'TH', [debitLine('PSP-1', '1.00'), about('TH00 1212 1212 1212')], 'psp');
  await reconcileAll(domain);
  const rows = [debitLine('PSP-2', '73.00'), about(anAccount.number)];
  // It waits for its import when bob confirms it as a statement of this channel, which refuses it.
  const fileNo = await anImport(domain, 'TH', rows, 'psp');
  await reconcileAll(domain);
  const asBank = { country: 'TH', channelId: 'bank', fileNo, format: 'json-lines' } as const;
  expect(await importStatement(domain, asBank, by('ann'))).toMatchObject({
    ok: false,
    rejection: 'statement_not_waiting',
    detail: expect.stringContaining('upload it again'),
  });
  const again = await anImport(domain, 'TH', rows, 'bank', null);
  const { rows: files } = await domain.database.pool.query(
    'select state, confirmed_by as "confirmedBy" from statement_file where file_no in ($1, $2) order by file_no',
    [fileNo, again],
  );
  expect(files).toEqual([
    { state: 'refused', confirmedBy: 'bob' },
    { state: 'received', confirmedBy: null },
  ]);
});

test('a statement that one operator uploaded moves no money before another one confirms it', async () => {
  const { domain } = fixture;
  const ref = await anApproved('71.00');
  await paySettlement(domain, ref, 'R-1', by('ann'));
  const summary = { ...noSummary, account: anAccount.number, from: provingDay, to: provingDay };
  const rows = [debitLine(ref.settlementNo, '71.00'), creditLine(ref.settlementNo, '71.00'), summary];
  const fileNo = await anImport(domain, 'TH', rows, 'bank', null);
  await bank.proveAll();
  expect(await bank.breaksOf(fileNo)).toMatchObject(
    rows.slice(1).map(() => ({
      state: 'open',
      reason: `it names ${ref.settlementNo}, but ann uploaded its statement: another operator has to confirm it first`,
    })),
  );
  expect([await bank.found(ref), await bank.availableOf(ref.merchantId)]).toMatchObject([
    { state: 'paid', debitLine: null },
    '0.00',
  ]);

  const { rows: files } = await domain.database.pool.query<{ sha256: string }>(
    'select sha256 from statement_file where file_no = $1',
    [fileNo],
  );
  const sha256 = files[0]?.sha256 ?? '';
  const confirm = (actor: string, content = sha256, no = fileNo) =>
    confirmStatement(domain, { country: 'TH', fileNo: no, sha256: content }, by(actor));
  expect(await confirm('ann')).toMatchObject({ ok: false, rejection: 'own_upload' });
  expect(await confirm('bob', 'f'.repeat(64))).toMatchObject({ ok: false, rejection: 'version_outdated' });
  expect(await confirm('bob', sha256, 999)).toMatchObject({ ok: false, rejection: 'statement_not_found' });
  expect(await confirm('bob')).toMatchObject({ ok: true, value: { confirmedBy: 'bob' } });
  expect(await confirm('cid')).toMatchObject({ ok: true, value: { confirmedBy: 'bob' } });
  expect(await confirm('ann')).toMatchObject({ ok: false, rejection: 'own_upload' });
  await bank.proveAll();
  expect([await bank.found(ref), await bank.availableOf(ref.merchantId)]).toMatchObject([{ state: 'failed' }, '71.00']);
});

test('who has a statement imported does not confirm it, whoever is said to have uploaded it', async () => {
  const { domain } = fixture;
  const fileNo = await anImport(domain, 'TH', [debitLine('salary', '12.00')], 'bank', null);
  const { rows } = await domain.database.pool.query<{ sha256: string; importedBy: string[] }>(
    `update statement_file set uploaded_by = 'bob' where file_no = $1 returning sha256, imported_by as "importedBy"`,
    [fileNo],
  );
  expect(rows[0]?.importedBy).toEqual(['ann']);
  const confirm = (actor: string) =>
    confirmStatement(domain, { country: 'TH', fileNo, sha256: rows[0]?.sha256 ?? '' }, by(actor));
  expect(await confirm('ann')).toMatchObject({ ok: false, rejection: 'own_upload' });
  expect(await confirm('bob')).toMatchObject({ ok: false, rejection: 'own_upload' });
  expect(await confirm('cid')).toMatchObject({ ok: true, value: { confirmedBy: 'cid' } });
});

test('a line that a newer version of its statement replaced proves nothing', async () => {
  const { domain } = fixture;
  const { pool } = domain.database;
  const ref = await anApproved('68.00');
  const summary = { ...noSummary, account: anAccount.number, from: provingDay, to: provingDay };
  const fileNo = await anImport(domain, 'TH', [debitLine(ref.settlementNo, '68.00'), summary], 'bank', null);
  await bank.proveAll();
  await pool.query(
    'insert into superseded_line (merchant_id, file_no, line_no, part, by_file_no) values ($1, $2, 1, 0, $2)',
    ['PLATFORM-TH', fileNo],
  );
  const { rows } = await pool.query<{ sha256: string }>('select sha256 from statement_file where file_no = $1', [
    fileNo,
  ]);
  const confirmed = await confirmStatement(domain, { country: 'TH', fileNo, sha256: rows[0]?.sha256 ?? '' }, by('bob'));
  expect(confirmed).toMatchObject({ ok: true });
  await bank.proveAll();
  expect(await bank.found(ref)).toMatchObject({ state: 'approved' });
});

/** A statement of another account of ours, by its own channel, that names a settlement. */
async function shownBy(channelId: string, account: string, settlementNo: string, gross: string): Promise<number> {
  const { domain } = fixture;
  await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://bank.test', credentials: {} });
  const summary = { ...noSummary, account, from: provingDay, to: provingDay };
  const fileNo = await anImport(domain, 'TH', [debitLine(settlementNo, gross), summary], channelId);
  await bank.proveAll();
  return fileNo;
}

test('another account of ours with the same last four characters confirms nothing', async () => {
  const ref = await anApproved('69.00');
  const fileNo = await shownBy('alike', 'TH00 9999 0000 9012', ref.settlementNo, '69.00');
  expect(await bank.breaksOf(fileNo)).toMatchObject([
    { state: 'open', reason: `it names ${ref.settlementNo}, but another account pays, which ends with 9012 too` },
  ]);
  expect(await bank.found(ref)).toMatchObject({ state: 'approved' });
});

test('a statement that shows only the end of an account proves only if no other account of ours fits', async () => {
  const ref = await anApproved('71.00');
  const fileNo = await shownBy('masked', 'XXXXXXXXXXXX9012', ref.settlementNo, '71.00');
  expect(await bank.breaksOf(fileNo)).toMatchObject([
    {
      state: 'open',
      reason: `it names ${ref.settlementNo}, but the accounts of masked and bank both fit the one that pays: set their whole numbers`,
    },
  ]);
  // The account of the bank turns out to be another one, so the masked one is the only one that fits.
  await setAccount('TH00 7777 7777 7777');
  await bank.proveAll();
  expect(await bank.found(ref)).toMatchObject({ state: 'confirmed' });
  await setAccount(anAccount.number);
});
