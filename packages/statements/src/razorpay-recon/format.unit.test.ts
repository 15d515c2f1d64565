import { expect, test } from 'vitest';
import { formatOf, inPieces, readAll } from '../testing/read-all.ts';
import { reconItem, reconPage } from '../testing/recon.ts';

const format = formatOf('razorpay-recon');
const india = { currency: 'INR', timeZone: 'Asia/Kolkata' };

const refund = {
  ...reconItem,
  entity_id: 'rfnd_1Aa00000000001',
  type: 'refund',
  debit: 10_000,
  credit: 0,
  fee: 0,
  tax: 0,
};

test('payments and refunds are read, with the tax taken out of the fee', async () => {
  const { lines, unparsed } = await readAll(format, reconPage([reconItem, refund]), india);
  expect(unparsed).toEqual([]);
  expect(lines).toEqual([
    {
      lineNo: 1,
      part: 0,
      type: 'payin',
      direction: 'in',
      gross: '100.00',
      fee: '2.00',
      tax: '0.36',
      net: '97.64',
      currency: 'INR',
      occurredAt: 1_793_500_200_000,
      bookedOn: '2026-11-02',
      channelRef: 'pay_1Aa00000000001',
      orderNo: 'P1',
      bankRef: null,
      settlementRef: '1793590200abc',
      balanceAfter: null,
    },
    expect.objectContaining({
      lineNo: 2,
      type: 'refund',
      direction: 'out',
      net: '100.00',
      channelRef: refund.entity_id,
    }),
  ]);
});

// The numbers of the sample at https://razorpay.com/docs/api/settlements/fetch-recon.
test.each([
  [
    { debit: 0, credit: 97_100, amount: 100_000, fee: 2_900, tax: 0 },
    { gross: '1000.00', fee: '29.00', net: '971.00' },
  ],
  [
    { debit: 242_500, credit: 0, amount: 242_500, fee: 0, tax: 0 },
    { gross: '2425.00', fee: '0.00', net: '2425.00' },
  ],
])('the amounts in the documentation of Razorpay are read: %o', async (amounts, line) => {
  const { lines } = await readAll(format, reconPage([{ ...reconItem, ...amounts }]), india);
  expect(lines).toEqual([expect.objectContaining(line)]);
});

test.each([
  ['the tax is on top of the fee', { credit: 9_728 }, { fee: '2.36', tax: '0.36', net: '97.28' }],
  ['the fee was paid separately, so both are zero', { credit: 10_000 }, { fee: '0.00', tax: '0.00', net: '100.00' }],
])('fee and tax follow from the amount that moved: %s', async (_, amounts, line) => {
  const { lines } = await readAll(format, reconPage([{ ...reconItem, ...amounts }]), india);
  expect(lines).toEqual([expect.objectContaining(line)]);
});

test.each([
  ['amount, fee and what moved do not agree', { credit: 9_765 }],
  ['amount is not a whole number', { amount: 10_000.5 }],
  ['a row has either a debit or a credit', { debit: 1 }],
  ['a row has either a debit or a credit', { credit: 0 }],
  ['a row has either a debit or a credit', { debit: -10_000 }],
  ['settled_at is not a time', { settled_at: null }],
  ['entity_id is missing', { entity_id: '' }],
  ['entity_id is missing or has another type', { entity_id: 7 }],
  ['entity_id has characters that cannot be read', { entity_id: 'pay_\u0000' }],
  ['order_receipt is longer than 128 characters', { order_receipt: 'x'.repeat(129) }],
  ['not settled', { settled: false }],
])('only the bad row is set aside: %s', async (reason, change) => {
  const { lines, unparsed } = await readAll(format, reconPage([{ ...reconItem, ...change }, refund]), india);
  expect(unparsed).toEqual([{ lineNo: 1, reason }]);
  expect(lines.map(({ lineNo }) => lineNo)).toEqual([2]);
});

test('pages are read one after the other, however the bytes are divided', async () => {
  const pages = Buffer.from(`\ufeff${reconPage([reconItem])}\n${reconPage([])}\n${reconPage([refund, reconItem])}\n`);
  for (const size of [1, 7, 10_000]) {
    const { lines } = await readAll(format, inPieces(pages, size), india);
    expect(lines.map(({ lineNo, channelRef }) => [lineNo, channelRef])).toEqual([
      [1, 'pay_1Aa00000000001'],
      [2, 'rfnd_1Aa00000000001'],
      [3, 'pay_1Aa00000000001'],
    ]);
  }
});

test.each([
  ['an empty file', '', 'other_format'],
  ['text', 'settlement_id,amount', 'other_format'],
  ['an error of the API', '{"error":{"code":"BAD_REQUEST_ERROR"}}', 'other_format'],
  ['a list elsewhere', '{"error":{"items":[{}]}}', 'other_format'],
  ['a file that breaks off', reconPage([reconItem, refund]).slice(0, -40), 'damaged'],
  ['items that are no objects', '{"items":[1,2]}', 'damaged'],
  ['two lists', '{"items":[],"items":[]}', 'damaged'],
  ['broken JSON around the list', '{"count":x,"items":[]}', 'damaged'],
  ['an item of 70 kB', reconPage([{ ...reconItem, notes: 'x'.repeat(70_000) }]), 'too_large'],
])('%s is refused', async (_, content, reason) => {
  await expect(readAll(format, content, india)).rejects.toMatchObject({ name: 'StatementUnreadable', reason });
});

test('only an item that is not JSON is set aside', async () => {
  const page = `{"items":[{"entity_id":tru},${JSON.stringify(refund)}]}`;
  const { lines, unparsed } = await readAll(format, page, india);
  expect([lines.length, unparsed]).toEqual([1, [{ lineNo: 1, reason: 'not JSON' }]]);
});
