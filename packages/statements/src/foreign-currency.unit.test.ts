import { expect, test } from 'vitest';
import { csvProfiles } from './csv/profiles.ts';
import { camtDocument, camtEntry, camtStatement } from './testing/camt053.ts';
import { formatOf, readAll } from './testing/read-all.ts';
import { reconItem, reconPage } from './testing/recon.ts';

// A row in another currency than that of the account is a line with its own currency. Matching shows it next to its order.

const opn = (currency: string) =>
  JSON.stringify({
    data: [
      {
        object: 'transaction',
        id: 'trxn_1',
        amount: 10_050,
        currency,
        direction: 'credit',
        origin: 'chrg_1',
        created_at: '2026-11-01T05:00:00Z',
      },
    ],
    total: 1,
  });

const razorpayx = (currency: string) =>
  reconPage([
    { id: 'txn_2', currency: 'INR', credit: 100, debit: 0, balance: 20_000, created_at: 1_793_500_300 },
    { id: 'txn_1', currency, credit: 10_050, debit: 0, balance: 9_000, created_at: 1_793_500_200 },
  ]);

const jazzcash = (currency: string) =>
  [
    'Transaction Reference Number,Transaction Date Time,Transaction Type,Transaction Status,Transaction Amount,Fee,Sales Tax,Currency,Retrieval Reference Number',
    `T1,2026-11-01 10:00:00,Payment,Completed,100.50,0,0,${currency},`,
  ].join('\n');

const camt = (currency: string) =>
  camtDocument([camtStatement([camtEntry({ amount: '100.50', currency, mark: 'CRDT' })])]);

const recon = (currency: string) =>
  reconPage([{ ...reconItem, amount: 10_050, credit: 10_050, fee: 0, tax: 0, currency }]);

const formats: [format: string, currency: string, write: (currency: string) => string][] = [
  ['razorpay-recon', 'INR', recon],
  ['razorpayx-statement', 'INR', razorpayx],
  ['opn-transactions', 'THB', opn],
  ['camt.053', 'THB', camt],
  ['csv', 'PKR', jazzcash],
];
const profile = csvProfiles.find(({ name }) => name === 'jazzcash');
const read = (format: string, currency: string, content: string) =>
  readAll(formatOf(format), content, { currency, timeZone: 'Asia/Bangkok', ...(profile && { profile }) });

test.each(formats)('%s: a row in another currency is a line in that currency', async (format, currency, write) => {
  const { lines, unparsed } = await read(format, currency, write('usd'));
  expect(unparsed).toEqual([]);
  expect(lines.at(-1)).toMatchObject({ currency: 'USD', gross: '100.50' });
});

test.each(formats)('%s: a row without a currency code is set aside', async (format, currency, write) => {
  const { unparsed } = await read(format, currency, write('dollars'));
  expect(unparsed).toMatchObject([{ reason: 'the currency is not a currency code' }]);
});

test.each(formats.slice(0, 3))(
  '%s: a row in minor units that are no hundredths is set aside, because its amount would be wrong',
  async (format, currency, write) => {
    const { unparsed } = await read(format, currency, write('JPY'));
    expect(unparsed).toMatchObject([{ reason: 'the minor units of its currency are no hundredths' }]);
  },
);

test('decimal amounts of a currency without decimals are read as they are', async () => {
  const { lines } = await read('camt.053', 'THB', camt('JPY').replace('100.50', '100'));
  expect(lines).toMatchObject([{ currency: 'JPY', gross: '100.00' }]);
});
