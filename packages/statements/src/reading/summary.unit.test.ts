import { expect, test } from 'vitest';
import { billText, gbk } from '../testing/alipay-bill.ts';
import { camtDocument, camtStatement } from '../testing/camt053.ts';
import { formatOf, readAll } from '../testing/read-all.ts';
import { reconPage } from '../testing/recon.ts';

const noTotals = { payins: '0笔，商家实收共0.00', refunds: '0笔，商家实收退款共0.00' };
const transaction = { id: 'txn_1', currency: 'INR', credit: 1, debit: 0, balance: 1, created_at: 1_793_500_200 };

/** A file of each format that names its account. */
const writers = {
  mt940: (account: string) => `:25:${account}\n:60F:C261101INR0,\n:62F:C261101INR0,\n-\n`,
  bai2: (account: string) =>
    `01,A,B,261102,0600,1,,,2/\n02,B,A,1,261101,,INR,2/\n03,${account},,,,,/\n49,0,2/\n98,0,1,4/\n99,0,1,6/`,
  'camt.053': (account: string) => camtDocument([camtStatement([], { account })]),
  'alipay-bill': (account: string) => gbk(billText([], noTotals).replace(/账号：\[.*?\]/, `账号：[${account}]`)),
  'razorpayx-statement': (account: string) => reconPage([{ ...transaction, account_number: account }]),
} as const;
const names = Object.keys(writers) as (keyof typeof writers)[];
const read = (name: keyof typeof writers, account: string) =>
  readAll(formatOf(name), writers[name](account), { currency: 'INR', timeZone: 'Asia/Kolkata' });

test.each(names)('%s: an account number is stored unchanged, and an empty one counts as missing', async (name) => {
  const whole = 'x'.repeat(128);
  expect((await read(name, whole)).summaries).toMatchObject([{ account: whole }]);
  for (const empty of ['', '  ']) expect((await read(name, empty)).summaries).toMatchObject([{ account: null }]);
});

test.each(names)('%s: a file whose account number cannot be stored is refused', async (name) => {
  const damaged = { name: 'StatementUnreadable', reason: 'damaged' };
  for (const account of ['x'.repeat(129), 'x\u0000y']) await expect(read(name, account)).rejects.toMatchObject(damaged);
});

test('half of a surrogate pair is refused as account number', async () => {
  await expect(read('razorpayx-statement', '\ud800')).rejects.toMatchObject({ reason: 'damaged' });
});

test('an invalid currency is refused, and lower case is accepted', async () => {
  const bytes = writers.bai2('1');
  const options = { currency: 'INR', timeZone: 'Asia/Kolkata' };
  const readBai = (currency: string) => readAll(formatOf('bai2'), bytes.replace('INR', currency), options);
  expect((await readBai('inr')).summaries).toMatchObject([{ currency: 'INR' }]);
  await expect(readBai('IN\u0000')).rejects.toMatchObject({ reason: 'damaged' });
});
