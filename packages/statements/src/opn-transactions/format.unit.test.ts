import { expect, test } from 'vitest';
import { formatOf, readAll } from '../testing/read-all.ts';

const format = formatOf('opn-transactions');
const thailand = { currency: 'THB', timeZone: 'Asia/Bangkok' };

// The transaction of https://docs.omise.co/transactions-api.
const charge = {
  object: 'transaction',
  id: 'trxn_test_no1t4tnemucod0e51mo',
  livemode: false,
  currency: 'THB',
  amount: 11_862,
  location: '/transactions/trxn_test_no1t4tnemucod0e51mo',
  direction: 'credit',
  key: 'charge.captured.net',
  origin: 'chrg_test_no1t4tnemucod0e51mo',
  transferable_at: '2019-12-31T12:59:59Z',
  created_at: '2019-12-31T12:59:59Z' as string | undefined,
};
const page = (items: readonly unknown[], total = items.length) =>
  JSON.stringify({ object: 'list', data: items, limit: 100, offset: 0, total, order: 'chronological' });

test('a transaction whose origin is only an id has no gross amount', async () => {
  const { lines, unparsed } = await readAll(format, page([charge]), thailand);
  expect(unparsed).toEqual([]);
  expect(lines).toEqual([
    {
      lineNo: 1,
      part: 0,
      type: 'payin',
      direction: 'in',
      gross: '118.62',
      fee: '0.00',
      tax: '0.00',
      net: '118.62',
      currency: 'THB',
      occurredAt: Date.parse('2019-12-31T12:59:59Z'),
      bookedOn: '2019-12-31',
      channelRef: 'chrg_test_no1t4tnemucod0e51mo',
      orderNo: null,
      bankRef: null,
      settlementRef: null,
      balanceAfter: null,
    },
  ]);
});

test('a transaction with an expanded origin has gross amount, fee, VAT and our order number', async () => {
  const origin = { id: charge.origin, amount: 12_345, fee: 451, fee_vat: 32, metadata: { tidegate_order: 'P1' } };
  const { lines } = await readAll(format, page([{ ...charge, origin }]), thailand);
  expect(lines).toMatchObject([{ gross: '123.45', fee: '4.51', tax: '0.32', net: '118.62', orderNo: 'P1' }]);
});

// The charge of 1,000 US dollars in OmiseSwiftTests/Fixtures/api.omise.co/search-charge-get.json of omise-swift.
const dollars = {
  id: 'chrg_test_5fqdvcgsj8nah8mr08l',
  amount: 100_000,
  currency: 'USD',
  funding_amount: 3_071_662,
  funding_currency: 'THB',
  fee: 112_116,
  fee_vat: 7_848,
  metadata: { tidegate_order: 'P1' },
};
const converted = (change: object = {}) => ({ ...charge, amount: 2_951_697, origin: { ...dollars, ...change } });

test('a charge in another currency is a line over what Opn converted it to, and its rounding is part of the fee', async () => {
  const { lines, unparsed } = await readAll(format, page([converted()]), thailand);
  expect(unparsed).toEqual([]);
  expect(lines).toMatchObject([
    { currency: 'THB', gross: '30716.62', fee: '1121.17', tax: '78.48', net: '29516.97', orderNo: 'P1' },
  ]);
});

test.each([
  ['says nothing of the conversion', { funding_amount: null, funding_currency: null }],
  ['does not say what it was converted into', { funding_currency: null }],
  ['says no fee, as in an older API version', { fee: null, fee_vat: null }],
])('of a charge in another currency that %s, only the net amount is known', async (_, change) => {
  const { lines } = await readAll(format, page([converted(change)]), thailand);
  expect(lines).toMatchObject([{ currency: 'THB', gross: '29516.97', fee: '0.00', tax: '0.00', orderNo: 'P1' }]);
});

test('of a charge that was captured in part, only this part is counted', async () => {
  // chrg_test_5x1753iuub61dfe41q4 of omise-go.
  const part = { id: 'chrg_1', amount: 10_000, currency: 'THB', funding_amount: 5_000, funding_currency: 'THB' };
  const origin = { ...part, captured_amount: 5_000, fee: 183, fee_vat: 13 };
  const { lines } = await readAll(format, page([{ ...charge, amount: 4_804, origin }]), thailand);
  expect(lines).toMatchObject([{ gross: '50.00', fee: '1.83', tax: '0.13', net: '48.04' }]);
});

test.each([
  ['rfnd_test_1', 'debit', 'refund', 'out'],
  ['trsf_test_1', 'debit', 'settlement', 'out'],
  ['trsf_test_1', 'credit', 'settlement', 'in'],
  ['dspt_test_1', 'debit', 'adjustment', 'out'],
  ['what_test_1', 'credit', 'unknown', 'in'],
])('an origin %s in the direction %s is a %s', async (origin, direction, type, way) => {
  const { lines } = await readAll(format, page([{ ...charge, origin, direction }]), thailand);
  expect(lines).toMatchObject([{ type, direction: way, channelRef: origin }]);
});

test('the other field names of an older API version are read', async () => {
  const { origin: source, direction: type, created_at: created, key, ...rest } = charge;
  const { lines } = await readAll(format, page([{ ...rest, source, type, created, currency: 'thb' }]), thailand);
  expect(lines).toMatchObject([{ type: 'payin', channelRef: source, bookedOn: '2019-12-31' }]);
});

test.each([
  ['origin is missing', { origin: null }],
  ['direction is neither credit nor debit', { direction: 'sideways' }],
  ['the time cannot be read', { created_at: undefined }],
  ['amount, fee and the origin do not agree', { origin: { id: 'chrg_1', amount: 12_345, fee: 451, fee_vat: 33 } }],
  ['amount, fee and the origin do not agree', converted({ fee: 112_114 })],
  ['the charge was converted into another currency', converted({ funding_currency: 'SGD' })],
])('only the bad row is set aside: %s', async (reason, change) => {
  const { lines, unparsed } = await readAll(format, page([{ ...charge, ...change }, charge]), thailand);
  expect([lines.length, unparsed]).toEqual([1, [{ lineNo: 1, reason }]]);
});

test.each([
  ['a day of Thailand', '2019-12-30T17:00:00Z', '2019-12-31T17:00:00Z', '2019-12-31', '2019-12-31'],
  ['to its last second', '2019-12-30T17:00:00Z', '2019-12-31T16:59:59Z', '2019-12-31', '2019-12-31'],
  [
    'days of UTC, of which the last is not over',
    '2019-12-29T00:00:00Z',
    '2020-01-01T00:00:00Z',
    '2019-12-30',
    '2019-12-31',
  ],
  ['all transactions up to now', '1970-01-01T00:00:00Z', '2020-01-01T05:00:00Z', null, '2019-12-31'],
])('a list of transactions of %s covers its whole days', async (_, from, to, first, last) => {
  const content = JSON.stringify({ ...JSON.parse(page([])), from, to });
  expect((await readAll(format, content, thailand)).summaries).toMatchObject([{ from: first, to: last }]);
});

test('a list of less than a day covers no day, and a period that cannot be read is refused', async () => {
  const list = { ...JSON.parse(page([charge])), from: '2019-12-31T00:00:00Z' };
  const read = (to: string) => readAll(format, JSON.stringify({ ...list, to }), thailand);
  expect((await read('2019-12-31T12:00:00Z')).summaries).toEqual([]);
  await expect(read('tomorrow')).rejects.toMatchObject({ reason: 'damaged' });
});

test('a missing page is noticed because of the total', async () => {
  await expect(readAll(format, page([charge], 101), thailand)).rejects.toMatchObject({ reason: 'totals_differ' });
  expect((await readAll(format, `${page([charge], 2)}${page([charge], 2)}`, thailand)).lines).toHaveLength(2);
});
