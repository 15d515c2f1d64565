import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../../channels/set-channel.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { creditLine, debitLine, openPayingBank, provingDay } from '../../testing/paying-bank.ts';
import { by } from '../../testing/payouts.ts';
import { anAccount, anApprovedSettlement } from '../../testing/settlements.ts';
import { anImport, noSummary } from '../../testing/statements.ts';
import { confirmSettlement, paySettlement } from '../change-settlement.ts';

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

test('a line that a newer version of its statement replaced proves nothing', async () => {
  const { pool } = fixture.domain.database;
  const ref = await anApproved('68.00');
  await setAccount(null);
  const fileNo = await bank.shows(debitLine(ref.settlementNo, '68.00'));
  await pool.query(
    'insert into superseded_line (merchant_id, file_no, line_no, part, by_file_no) values ($1, $2, 1, 0, $2)',
    ['PLATFORM-TH', fileNo],
  );
  await setAccount(anAccount.number);
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
