import { expect, test } from 'vitest';
import { formatOf, readAll } from '../testing/read-all.ts';
import { reconPage } from '../testing/recon.ts';

const format = formatOf('razorpayx-statement');
const india = { currency: 'INR', timeZone: 'Asia/Kolkata' };

const payout = {
  id: 'txn_2',
  entity: 'transaction',
  account_number: '7878780080749731',
  amount: 100,
  currency: 'INR',
  credit: 0,
  debit: 218,
  balance: 4_242,
  created_at: 1_793_500_200,
  source: {
    id: 'pout_1',
    entity: 'payout',
    fund_account_id: 'fa_1',
    amount: 100,
    fees: 118,
    tax: 18,
    utr: null,
    mode: 'IMPS',
    status: 'processing',
    reference_id: 'P1',
    created_at: 1_793_500_100,
  },
};
const back = {
  ...payout,
  id: 'txn_3',
  credit: 100,
  debit: 0,
  balance: 4_342,
  source: { id: 'rvrsl_1', entity: 'reversal', payout_id: 'pout_1', amount: 100, fees: 0, tax: 0, utr: 'UTR1' },
};

// The amounts of the payout are those of https://razorpay.com/docs/webhooks/transactions.
test('payouts and returned payouts are read, newest first', async () => {
  const { lines, summaries, unparsed } = await readAll(format, reconPage([back, payout]), india);
  expect(unparsed).toEqual([]);
  expect(lines).toEqual([
    expect.objectContaining({
      type: 'payout_return',
      direction: 'in',
      net: '1.00',
      channelRef: 'pout_1',
      bankRef: 'UTR1',
    }),
    {
      lineNo: 2,
      part: 0,
      type: 'payout',
      direction: 'out',
      gross: '1.00',
      fee: '1.00',
      tax: '0.18',
      net: '2.18',
      currency: 'INR',
      occurredAt: 1_793_500_200_000,
      bookedOn: '2026-11-01',
      channelRef: 'pout_1',
      orderNo: 'P1',
      bankRef: null,
      settlementRef: null,
      balanceAfter: '42.42',
    },
  ]);
  expect(summaries).toEqual([
    expect.objectContaining({ account: '7878780080749731', opening: '44.60', closing: '43.42' }),
  ]);
});

test('a missing row between two others is noticed because of the balance', async () => {
  const later = { ...payout, id: 'txn_4', balance: 4_000 };
  await expect(readAll(format, reconPage([payout, back, later]), india)).rejects.toMatchObject({
    name: 'StatementUnreadable',
    reason: 'totals_differ',
  });
});

test.each([
  ['newest first', 1, 0, '44.60'],
  ['oldest first', 0, 1, '44.60'],
  ['at one moment, newest first', 0, 0, '44.60'],
])('a payout and its return are read, %s', async (order, firstAt, lastAt, opening) => {
  const out = { ...payout, created_at: payout.created_at };
  const whole = { ...back, credit: 218, balance: 4_460 };
  const items = order === 'oldest first' ? [out, whole] : [whole, out];
  const timed = items.map((item, i) => ({ ...item, created_at: item.created_at + (i === 0 ? firstAt : lastAt) }));
  const { summaries } = await readAll(format, reconPage(timed), india);
  expect(summaries).toMatchObject([{ opening, closing: opening }]);
});

test.each([
  ['that is set aside', { credit: 0 }],
  ['in another currency', { currency: 'USD' }],
])('a file with a row %s has no balances', async (_, change) => {
  const { summaries } = await readAll(format, reconPage([payout, { ...back, ...change }]), india);
  expect(summaries).toEqual([expect.objectContaining({ opening: null, closing: null })]);
});

test('two accounts in one file are refused', async () => {
  const other = { ...back, account_number: '1121431121541121' };
  await expect(readAll(format, reconPage([payout, other]), india)).rejects.toMatchObject({ reason: 'other_format' });
});

test.each([
  [{ debit: 100 }, { gross: '1.00', fee: '0.00', net: '1.00' }],
  [{ source: { id: 'x_1', entity: 'something new' } }, { type: 'unknown', net: '2.18' }],
  [{ source: null }, { type: 'unknown', channelRef: 'txn_2' }],
])('a debit with %o is read', async (change, line) => {
  const { lines } = await readAll(format, reconPage([{ ...payout, ...change }]), india);
  expect(lines).toEqual([expect.objectContaining(line)]);
});

test('the CSV of an account, which has the UTR as the only reference, is read', async () => {
  const csv = [
    'Account statement,7878780080749731',
    'Transaction Date,Type,UTR,Debit,Credit,Balance',
    '01/11/2026 09:00:00,bank_transfer,N1,,"1,00,000.00","1,00,000.00"',
    '01/11/2026 10:00:00,payout,N2,250.50,,"99,749.50"',
  ].join('\n');
  const { lines, summaries } = await readAll(format, csv, india);
  expect(lines).toMatchObject([
    { type: 'adjustment', direction: 'in', gross: '100000.00', bankRef: 'N1' },
    { type: 'payout', direction: 'out', gross: '250.50', bankRef: 'N2', bookedOn: '2026-11-01' },
  ]);
  expect(lines[1]?.occurredAt).toBe(Date.parse('2026-11-01T10:00:00+05:30'));
  expect(summaries).toMatchObject([{ opening: '0.00', closing: '99749.50' }]);
});
