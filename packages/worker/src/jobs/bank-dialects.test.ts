import { Readable } from 'node:stream';
import type { Country } from '@tidegate/domain';
import { setChannel } from '@tidegate/domain/admin';
import type { ProfileFields } from '@tidegate/domain/lists';
import { approve, receiveStatement, requestOperation } from '@tidegate/domain/operators';
import {
  aMerchant,
  backdateLedger,
  dayAgo,
  openTestDomain,
  placePayin,
  reconcileAll,
  type TestDomain,
} from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { openStatementThreads } from '@tidegate/statements/threads';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { bookWallet } from '../../../domain/src/ledger/book-wallet.ts';
import { importStatement } from '../../../domain/src/reconciliation/files/import-statement.ts';
import { anOperator } from '../../../domain/src/testing/operators.ts';
import { by } from '../../../domain/src/testing/payouts.ts';
import { moveEntriesTo } from '../../../domain/src/testing/settlements.ts';

// Files as banks write them, up to the reconciliation.

const threads = openStatementThreads();
afterAll(threads.close);
let fixture: TestDomain;
beforeEach(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url, { statementFormats: threads.formats });
  await setChannel(fixture.domain, {
    channelId: 'bank',
    adapter: 'fake',
    baseUrl: 'http://fake.test',
    credentials: {},
  });
  return () => fixture.close();
});

const rows = async (sql: string) => (await fixture.domain.database.pool.query({ text: sql, rowMode: 'array' })).rows;

async function importFile(country: Country, format: string, content: string): Promise<void> {
  const { domain } = fixture;
  const named = { tenant: `PLATFORM-${country}`, name: 'a file', uploadedBy: 'ann' };
  const received = await receiveStatement(domain, named, Readable.from([Buffer.from(content)]));
  if (!received.ok) throw new Error(received.problem);
  const input = { country, channelId: 'bank', fileNo: received.file.fileNo, format };
  const asked = { actor: 'ann', approver: null, reason: 'daily' };
  expect(await importStatement(domain, input, asked)).toMatchObject({ ok: true });
  await reconcileAll(domain);
  expect(await rows('select state, refusal from statement_file')).toEqual([['imported', null]]);
}

async function setProfile(reference: Partial<ProfileFields>): Promise<void> {
  const { domain } = fixture;
  const [ann, bob] = [await anOperator(domain, ['finance']), await anOperator(domain, ['admin'])];
  const profile: ProfileFields = {
    name: 'own',
    encoding: 'utf-8',
    delimiter: 'comma',
    preambleRows: 5,
    trailerRows: 0,
    decimalSign: 'point',
    dateFormat: 'dd-MM-yy',
    dateColumn: 'Date',
    outColumn: 'Withdrawal',
    inColumn: 'Deposit (net)',
    balanceColumn: 'Balance',
    directionBy: 'columns',
    types: [],
    ...reference,
  };
  const asked = await requestOperation(domain, ann, 'setCsvProfile', profile, 'a new bank');
  if (!asked.ok || asked.state !== 'pending') throw new Error(JSON.stringify(asked));
  expect(await approve(domain, bob, asked.approval.approvalId)).toMatchObject({ ok: true });
}

async function paidPayin(country: Country, reference: string, amount: string): Promise<string> {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, country);
  const order = await placePayin(domain, merchantId, country, { channelId: 'bank', amount });
  const answer = { outcome: 'paid', payments: [{ reference, amount }] } as const;
  const report = { type: 'applyReport', ref: order, channelId: 'bank', answer, during: 'query' } as const;
  expect(await domain.commit(report)).toMatchObject({ ok: true });
  return order.orderNo;
}

const shortDay = (day: string) => day.slice(2).split('-').toReversed().join('-');
const openBreaks = () => rows("select kind, amount::text from reconciliation_break where state = 'open'");
const matches = () => rows('select rule from matched_line order by 1');

test('a payment is matched, and the charges that the bank took out of its entry are a break of their own', async () => {
  const orderNo = await paidPayin('TH', 'T-1', '1500.00');
  await backdateLedger(fixture.domain, 3);
  const day = dayAgo('TH', 3);
  const amount = (value: string) => `<Amt Ccy="THB">${value}</Amt>`;
  const balance = (code: string, value: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(value)}<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  await importFile(
    'TH',
    'camt.053',
    `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
      <Stmt><Id>1</Id><Acct><Id><Othr><Id>1234567890</Id></Othr></Id><Ccy>THB</Ccy></Acct>${balance('OPBD', '0')}${balance('CLBD', '1474')}
      <Ntry>${amount('1474')}<CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>
      <NtryDtls><TxDtls><Refs><EndToEndId>${orderNo}</EndToEndId></Refs>${amount('1500')}
      <Chrgs><Rcrd>${amount('26')}</Rcrd></Chrgs></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`,
  );
  expect(await matches()).toEqual([['order_number']]);
  expect(await openBreaks()).toEqual([['fee', '-26.00']]);
});

test('a file without references and with rows of balances is matched by amount and day', async () => {
  await paidPayin('TH', 'T-1', '1500.00');
  await backdateLedger(fixture.domain, 3);
  await setProfile({ textColumn: 'Details' });
  const day = shortDay(dayAgo('TH', 3));
  const header = '"","Date","Description","Withdrawal","","Deposit\n(net)","Balance","Details"';
  const movement = `"","${day}","Transfer Deposit","","","1,500.00","51,500.00","From A"`;
  const opening = '"","","Beginning Balance","","","","50,000.00",""';
  const closing = '"","","Ending Balance","","","","51,500.00",""';
  await importFile('TH', 'csv:own', [header, opening, movement, closing].join('\r\n'));
  expect(await matches()).toEqual([['amount_and_day']]);
  expect(await openBreaks()).toEqual([]);
});

test("a top-up is matched by the number that a person entered, which the bank's file has with zeros before it", async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'IN');
  const booking = {
    entry: 'TOP_UP',
    merchantId,
    amount: '500.00',
    bookingNo: '612345678901',
    remark: 'a test',
  } as const;
  expect(await bookWallet(domain, { ...booking, channelId: 'bank' }, by('ann'))).toMatchObject({ ok: true });
  const day = dayAgo('IN', 3);
  await moveEntriesTo(domain, merchantId, `${day}T05:00:00Z`);
  await setProfile({ bankRefColumn: 'Ref' });
  const row = `${shortDay(day)},0000612345678901,,500.00,"1,500.00 Cr"`;
  await importFile('IN', 'csv:own', ['Date,Ref,Withdrawal,Deposit (net),Balance', row].join('\r\n'));
  expect(await matches()).toEqual([['bank_reference']]);
  expect(await openBreaks()).toEqual([]);
});
