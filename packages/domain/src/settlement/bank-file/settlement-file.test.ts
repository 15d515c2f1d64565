import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperatorContext } from '../../core/operator-rights.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { by } from '../../testing/payouts.ts';
import { anAccount, anApprovedSettlement } from '../../testing/settlements.ts';
import { findSettlement, paySettlement } from '../change-settlement.ts';
import { createSettlementFile } from './create-settlement-file.ts';
import { openSettlementFile } from './open-settlement-file.ts';

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
