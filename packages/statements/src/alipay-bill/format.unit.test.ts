import { expect, test } from 'vitest';
import { formatsWithin } from '../formats.ts';
import { defaultLimits } from '../reading/limits.ts';
import { type BillRow, billText, billZip, gbk } from '../testing/alipay-bill.ts';
import { formatOf, readAll } from '../testing/read-all.ts';
import { writeZip } from '../testing/write-zip.ts';

const format = formatOf('alipay-bill');
const china = { currency: 'CNY', timeZone: 'Asia/Shanghai' };

const payin: BillRow = {
  tradeNo: '2026110122001400000000000001',
  orderNo: 'P1',
  type: '交易',
  at: '2026-11-01 10:00:00',
  received: '100.00',
  fee: '-0.60',
};
const refund: BillRow = {
  tradeNo: '2026110122001400000000000001',
  orderNo: 'P1',
  type: '退款',
  at: '2026-11-01 11:00:00',
  received: '-40.00',
  refundNo: 'R1',
  fee: '0.24',
};
const totals = { payins: '1笔，商家实收共100.00', refunds: '1笔，商家实收退款共-40.00' };

test('payins, refunds and returned fees are read from the zip file of a bill', async () => {
  const { lines, summaries, unparsed } = await readAll(format, billZip(billText([payin, refund], totals)), china);
  expect(unparsed).toEqual([]);
  expect(lines).toEqual([
    {
      lineNo: 6,
      part: 0,
      type: 'payin',
      direction: 'in',
      gross: '100.00',
      fee: '0.60',
      tax: '0.00',
      net: '99.40',
      currency: 'CNY',
      occurredAt: Date.parse('2026-11-01T02:00:00Z'),
      bookedOn: '2026-11-01',
      channelRef: '2026110122001400000000000001',
      orderNo: 'P1',
      bankRef: null,
      settlementRef: null,
      balanceAfter: null,
    },
    expect.objectContaining({ lineNo: 7, part: 0, type: 'refund', direction: 'out', gross: '40.00', channelRef: 'R1' }),
    expect.objectContaining({ lineNo: 7, part: 1, type: 'fee', direction: 'in', net: '0.24', channelRef: 'R1' }),
  ]);
  expect(summaries).toEqual([
    expect.objectContaining({ account: '20881234567890120156', from: '2026-11-01', to: '2026-11-01', lines: 2 }),
  ]);
});

test.each(['-40.00', '40.00'])('a refund of %s is a debit, whatever its sign', async (received) => {
  const { lines } = await readAll(format, gbk(billText([payin, { ...refund, received }], totals)), china);
  expect(lines[1]).toMatchObject({ type: 'refund', direction: 'out', gross: '40.00', net: '40.00' });
});

test.each<[string, BillRow | string]>([
  ['another number of columns', { ...payin, name: '苹果,梨' }],
  ['the received amount has more than two decimals', { ...payin, received: '100.001' }],
  ['the date does not exist', { ...payin, at: '2026-02-30 10:00:00' }],
  ['the time does not exist', { ...payin, at: '2026-11-01 25:00:00' }],
  ['the trade number is missing', { ...payin, tradeNo: '' }],
  ['the refund number is missing', { ...refund, refundNo: '' }],
  ['the fee is more than the amount', { ...payin, fee: '100.01' }],
  ['a payment has a minus', { ...payin, received: '-100.00' }],
])('only the bad row is set aside: %s', async (reason, row) => {
  const both = { payins: '2笔，商家实收共200.00', refunds: '0笔，商家实收退款共0.00' };
  const { lines, unparsed } = await readAll(format, gbk(billText([row, payin], both)), china);
  expect(unparsed).toEqual([{ lineNo: 6, reason }]);
  expect(lines.map(({ lineNo }) => lineNo)).toEqual([7]);
});

test.each([
  ['a row is missing', '2笔，商家实收共100.00', 'totals_differ', 'the bill says 3 rows and has 2'],
  [
    'the sum is wrong',
    '1笔，商家实收共100.01',
    'totals_differ',
    'payments: the bill states a count of 1 and a total of 100.01',
  ],
])('a bill in which %s is refused', async (_, payins, reason, message) => {
  const text = billText([payin, refund], { ...totals, payins });
  await expect(readAll(format, gbk(text), china)).rejects.toMatchObject({
    name: 'StatementUnreadable',
    reason,
    message: expect.stringContaining(message),
  });
});

test('a bill that breaks off is refused, between two rows or within a row', async () => {
  const text = billText([payin, refund], totals);
  for (const half of [text.slice(0, text.indexOf('#----', 300)), text.slice(0, text.indexOf('P1') + 1)])
    await expect(readAll(format, gbk(half), china)).rejects.toMatchObject({ reason: 'damaged' });
});

const bill = { name: gbk('业务明细.csv'), content: gbk(billText([payin, refund], totals)) };

test.each([
  ['two bills', [bill, { ...bill, name: gbk('业务明细2.csv') }], 'other_format', 'more than one CSV'],
  ['a path', [{ ...bill, name: gbk('../业务明细.csv') }], 'other_format', 'a path as its name'],
  ['a path with backslashes', [{ ...bill, name: gbk('a\\业务明细.csv') }], 'other_format', 'a path as its name'],
  ['no file of a bill', [{ ...bill, name: gbk('业务明细(汇总).csv') }], 'other_format', 'no CSV of payments'],
  ['a password', [{ ...bill, says: { flags: 1 } }], 'other_format', 'encrypted'],
  ['a wrong stated size', [{ ...bill, says: { size: bill.content.length - 5 } }], 'damaged', 'cannot be unpacked'],
  ['too many files', Array.from({ length: 11 }, () => bill), 'too_large', 'more than 10 files'],
  [
    'a file that unpacks to too many bytes',
    [{ ...bill, content: Buffer.alloc(3_000_000) }],
    'too_large',
    'more than 200 times as large',
  ],
  [
    'a file that unpacks to too many bytes, with a wrong stated size',
    [{ ...bill, content: Buffer.alloc(3_000_000), says: { size: 9 } }],
    'damaged',
    'cannot be unpacked',
  ],
])('a zip file with %s is refused', async (_, entries, reason, message) => {
  await expect(readAll(format, writeZip(entries), china)).rejects.toMatchObject({
    reason,
    message: expect.stringContaining(message),
  });
});

test('a zip file that is cut off is refused', async () => {
  const zip = billZip(billText([payin, refund], totals));
  for (const end of [3, 40, zip.length - 10])
    await expect(readAll(format, zip.subarray(0, end), china)).rejects.toMatchObject({ reason: 'damaged' });
});

test('a zip file is held in memory only up to its limit', async () => {
  const [small] = formatsWithin({ ...defaultLimits, zipBytes: 100 });
  const zip = billZip(billText([payin, refund], totals));
  await expect(readAll(small ?? format, zip, china)).rejects.toMatchObject({ reason: 'too_large' });
});
