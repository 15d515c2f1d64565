import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperatorContext } from '../../core/operator-rights.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { by } from '../../testing/payouts.ts';
import { anAccount, anApprovedSettlement } from '../../testing/settlements.ts';
import { failSettlement, findSettlement, paySettlement } from '../change-settlement.ts';
import { createSettlementFile } from './create-settlement-file.ts';
import { openSettlementFile } from './open-settlement-file.ts';
import { fileSql } from './queries.ts';
import type { SettlementFile } from './types.ts';

// Bank files on a real database. The runs are on days of November 2026, to which movements are moved back.

const agreed = by('ann', 'bob');
const payer = { holder: 'Tidegate', number: '1112223334', bank: 'BKKBTHBK' };
let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

const anApproved = (amount?: string) => anApprovedSettlement(fixture.domain, 'TH', amount);

const operator: OperatorContext = {
  operatorId: 'cid',
  tokenId: null,
  signIn: 'token',
  roles: ['finance'],
  countries: null,
  merchantIds: null,
};
const textOf = async (fileNo: string): Promise<string> => {
  const opened = await openSettlementFile(fixture.domain, operator, fileNo);
  if (!opened.ok) throw new Error(opened.rejection);
  return opened.value.content.toString('utf8');
};

test('a bank file needs approved settlements and a paying account', async () => {
  const { domain } = fixture;
  const create = (account?: typeof payer) => createSettlementFile(domain, { country: 'TH', account }, agreed);
  expect(await create(payer)).toMatchObject({ rejection: 'nothing_to_settle' });
  await anApproved();
  expect(await create()).toMatchObject({ rejection: 'no_bank_account' });
  const created = await create(payer);
  expect(created).toMatchObject({
    ok: true,
    value: { state: 'ready', settlements: 1, total: '50.00', currency: 'THB' },
  });
});

test('each settlement is in one bank file, also with concurrent creates, and cannot be paid another way', async () => {
  const { domain } = fixture;
  const refs = [await anApproved('10.00'), await anApproved('20.00'), await anApproved('30.00')];
  const created = await Promise.all([1, 2, 3].map(() => createSettlementFile(domain, { country: 'TH' }, by('ann'))));
  const files = new Set(created.flatMap((one) => (one.ok ? [one.value.fileNo] : [])));
  const texts = await Promise.all([...files].map(textOf));
  for (const ref of refs) {
    const found = await findSettlement(domain, ref);
    expect(found).toMatchObject({ state: 'paid', reference: found?.fileNo });
    expect(texts.join().split(`<EndToEndId>${ref.settlementNo}</EndToEndId>`)).toHaveLength(2);
    expect(await paySettlement(domain, ref, 'R-1', by('bob'))).toMatchObject({ rejection: 'settlement_not_there' });
  }
  expect(texts.join()).toContain(
    `<Nm>${anAccount.holder.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')}</Nm>`,
  );
});

test('a bank file that a crash left open is finished, and no settlement is added to a ready file', async () => {
  const { domain } = fixture;
  const { pool } = domain.database;
  const [claimed, left] = [await anApproved('40.00'), await anApproved('60.00')];
  const [account] = (
    await pool.query("select account_id as id from settlement_account where merchant_id = 'PLATFORM-TH'")
  ).rows;
  await pool.query(
    `insert into settlement_file (merchant_id, file_no, state, currency, account_id, execution_day, created_by)
     values ('PLATFORM-TH', 'SFTH000077', 'open', 'THB', $1, '2026-11-12', 'ann')`,
    [account.id],
  );
  expect(await paySettlement(domain, claimed, 'x', by('ann'), 'SFTH000077')).toMatchObject({ ok: true });
  expect(await openSettlementFile(domain, operator, 'SFTH000077')).toMatchObject({
    rejection: 'settlement_file_not_ready',
  });
  const created = await createSettlementFile(domain, { country: 'TH' }, by('bob'));
  expect(created).toMatchObject({ ok: true, value: { fileNo: 'SFTH000077', settlements: 2, total: '100.00' } });
  expect(await findSettlement(domain, left)).toMatchObject({ fileNo: 'SFTH000077' });
  const late = await anApproved('5.00');
  await expect(paySettlement(domain, late, 'x', by('ann'), 'SFTH000077')).rejects.toThrow('cannot enter the file');
  // The same bytes again, for finance alone, and each time with a record.
  expect(await textOf('SFTH000077')).toBe(await textOf('SFTH000077'));
  const open = (changes: Partial<OperatorContext>) =>
    openSettlementFile(domain, { ...operator, ...changes }, 'SFTH000077');
  expect(await open({ roles: ['viewer', 'admin'] })).toMatchObject({ rejection: 'forbidden' });
  expect(await open({ merchantIds: [left.merchantId] })).toMatchObject({ rejection: 'settlement_file_not_found' });
  expect(await open({ countries: ['IN'] })).toMatchObject({ rejection: 'settlement_file_not_found' });
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::integer as count from audit_record where action = 'downloadSettlementFile' and subject = 'SFTH000077'",
  );
  expect(rows).toEqual([{ count: 2 }]);
});

const fails = (ref: { merchantId: string; settlementNo: string }, evidence?: string) =>
  failSettlement(fixture.domain, ref, { detail: 'a test', evidence }, agreed);
/** A new bank file of these settlements. */
async function aFile(): Promise<string> {
  const created = await createSettlementFile(fixture.domain, { country: 'TH' }, by('ann'));
  if (!created.ok) throw new Error(created.rejection);
  return created.value.fileNo;
}
const fileOf = async (fileNo: string) => {
  const { rows } = await fixture.domain.database.pool.query<SettlementFile>(fileSql, [fileNo]);
  return rows[0];
};

test('a settlement that fails before the first download is not in the bank file', async () => {
  const [failed, left] = [await anApproved('11.00'), await anApproved('12.00')];
  const fileNo = await aFile();
  const before = await fileOf(fileNo);
  expect(await fails(failed)).toMatchObject({ ok: true });
  const text = await textOf(fileNo);
  expect([failed, left].map(({ settlementNo }) => text.includes(settlementNo))).toEqual([false, true]);
  const after = await fileOf(fileNo);
  expect(after).toMatchObject({ downloadedAt: expect.any(Number), settlements: (before?.settlements ?? 0) - 1 });
  expect(Number(before?.total) - Number(after?.total)).toBe(11);
  expect(await textOf(fileNo)).toBe(text);
  expect(await fails(left, 'the bank: rejected')).toMatchObject({ ok: true });
});

test('after the download a settlement fails only with the word of the bank, and the file cannot be downloaded again', async () => {
  const [failed, left] = [await anApproved('13.00'), await anApproved('14.00')];
  const fileNo = await aFile();
  const text = await textOf(fileNo);
  expect(text).toContain(left.settlementNo);
  expect(await fails(failed)).toMatchObject({ rejection: 'bank_word_needed' });
  expect(await findSettlement(fixture.domain, failed)).toMatchObject({ state: 'paid' });
  expect(await fails(failed, 'the bank: rejected')).toMatchObject({ ok: true });
  expect(await openSettlementFile(fixture.domain, operator, fileNo)).toMatchObject({
    rejection: 'settlement_file_void',
  });
  const { rows } = await fixture.domain.database.pool.query<{ detail: string }>(
    "select detail from audit_record where merchant_id = $1 and action = 'failSettlement'",
    [failed.merchantId],
  );
  expect(rows[0]?.detail).toContain('the bank: rejected');
});

test('a bank file without payments that are left is void', async () => {
  const ref = await anApproved('16.00');
  const fileNo = await aFile();
  expect(await fails(ref)).toMatchObject({ ok: true });
  expect(await openSettlementFile(fixture.domain, operator, fileNo)).toMatchObject({
    rejection: 'settlement_file_void',
  });
});

test('of a download and a failure at the same time, the file never has a payment that failed without the bank', async () => {
  for (let round = 0; round < 5; round++) {
    const [ref] = [await anApproved('17.00'), await anApproved('18.00')];
    const fileNo = await aFile();
    const [failed, text] = await Promise.all([fails(ref), textOf(fileNo)]);
    expect(text.includes(ref.settlementNo)).toBe(!failed.ok);
  }
});
