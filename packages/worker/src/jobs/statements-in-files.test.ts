import { Readable } from 'node:stream';
import type { Country } from '@tidegate/domain';
import { setChannel } from '@tidegate/domain/admin';
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
import { bankStatement } from '../../../../tools/sandbox/src/demo/bank-statement.ts';
import { importStatement } from '../../../domain/src/reconciliation/files/import-statement.ts';
import { receiveStatement } from '../../../domain/src/reconciliation/files/receive-statement.ts';

// Whole files of banks and providers, as operators upload them.

const threads = openStatementThreads();
afterAll(threads.close);
let fixture: TestDomain;
beforeEach(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url, { statementFormats: threads.formats });
  return () => fixture.close();
});

const rows = async (text: string) => (await fixture.domain.database.pool.query({ text, rowMode: 'array' })).rows;

/** Uploads a file for a channel and imports it. Resolves to why it was refused; null: it is imported. */
async function refusalOf(country: Country, channelId: string, format: string, content: string): Promise<string | null> {
  const { domain } = fixture;
  const channel = { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} };
  await setChannel(domain, channel);
  const named = { tenant: `PLATFORM-${country}`, name: 'a file', uploadedBy: 'ann' };
  const received = await receiveStatement(domain, named, Readable.from([Buffer.from(content)]));
  if (!received.ok) throw new Error(received.problem);
  const { fileNo } = received.file;
  const by = { actor: 'ann', approver: null, reason: 'daily' };
  expect(await importStatement(domain, { country, channelId, fileNo, format }, by)).toMatchObject({ ok: true });
  await reconcileAll(domain);
  const [file] = await rows(`select state, refusal from statement_file where file_no = ${fileNo}`);
  return file?.[0] === 'imported' ? null : file?.[1];
}

const day = dayAgo('TH', 3);
const ours = 'TH00 1234 5678 9012';
const alike = 'TH00 9999 0000 9012';
const camt = (account: string, amount = '10.00') =>
  bankStatement({ account, currency: 'THB', from: day, to: day, entries: [{ day, amount, reference: `R-${amount}` }] });
const swiftDay = day.slice(2).replaceAll('-', '');
const mt940 = (account: string) =>
  [
    ':20:1',
    `:25:${account}`,
    `:60F:C${swiftDay}THB0,`,
    `:61:${swiftDay}C5,NTRFX`,
    `:62F:C${swiftDay}THB5,`,
    '-',
    '',
  ].join('\r\n');

test('of two accounts that end with the same characters, each channel takes only the statements of its own', async () => {
  expect(await refusalOf('TH', 'bank', 'camt.053', camt(ours))).toBeNull();
  expect(await refusalOf('TH', 'reserve', 'camt.053', camt(alike))).toBeNull();
  expect(await refusalOf('TH', 'reserve', 'camt.053', camt('TH00-1234-5678-9012', '11.00'))).toBe(
    'is about the account of the channel bank, not that of this channel',
  );
  expect(await refusalOf('TH', 'bank', 'mt940', mt940('KASITHBK/99990000 9012'))).toBe(
    'is about another account than that of this channel',
  );
  // The file shows only the end of its account, so the channel that the operator chose counts.
  expect(await refusalOf('TH', 'reserve', 'mt940', mt940('KASITHBK/XXXXXX9012'))).toBeNull();
  expect(await rows('select channel_id, account from reconciled_channel order by 1')).toEqual([
    ['bank', ours],
    ['reserve', alike],
  ]);
});

test('the first file of a channel is refused if it is about the account of another channel, or about two accounts', async () => {
  expect(await refusalOf('TH', 'bank', 'camt.053', camt(ours))).toBeNull();
  expect(await refusalOf('TH', 'new', 'camt.053', camt(ours, '12.00'))).toBe(
    'is about the account of the channel bank, not that of this channel',
  );
  expect(await refusalOf('TH', 'new', 'mt940', `${mt940(alike)}${mt940('4445556667')}`)).toBe(
    'is about several accounts',
  );
});

test('a CSV with a payment in dollars shows it next to the order that it names', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'PK');
  const order = await placePayin(domain, merchantId, 'PK', { channelId: 'wallet' });
  const answer = { outcome: 'paid', payments: [{ reference: 'T-1', amount: '100.00' }] } as const;
  const report = { type: 'applyReport', ref: order, channelId: 'wallet', answer, during: 'query' } as const;
  expect(await domain.commit(report)).toMatchObject({ ok: true });
  await backdateLedger(domain, 3);
  const csv = [
    'Transaction Reference Number,Transaction Date Time,Transaction Type,Transaction Status,Transaction Amount,Fee,Sales Tax,Currency,Retrieval Reference Number',
    `T-1,${dayAgo('PK', 3)} 12:00:00,Payment,Completed,0.36,0,0,USD,`,
  ].join('\n');
  expect(await refusalOf('PK', 'wallet', 'csv:jazzcash', csv)).toBeNull();
  const found = await rows(
    `select b.kind, b.amount::text, l.gross::text, l.currency, e.order_no from reconciliation_break b
     join statement_line l using (merchant_id, file_no, line_no, part)
     join statement_expectation e on e.merchant_id = b.owner_id and e.transfer_no = b.transfer_no`,
  );
  expect(found).toEqual([['currency', '-100.00', '0.36', 'USD', order.orderNo]]);
});
