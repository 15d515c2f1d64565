import { expect, test } from 'vitest';
import type { BreakDetail } from './break-detail.ts';
import { bookingNoOf, lineOfTopUp } from './line-of-top-up.ts';

const line = { direction: 'IN', orderNo: null, type: 'payin', gross: '5.00', bankRef: 'B 7', channelRef: null };
const found = (change: object, ofLine: object = {}) =>
  ({ kind: 'MISSING_IN_LEDGER', state: 'OPEN', names: null, line: { ...line, ...ofLine }, ...change }) as BreakDetail;

test.each<[string, BreakDetail, boolean]>([
  ['money that came in without an order', found({}), true],
  ['money that went out', found({}, { direction: 'OUT' }), false],
  ['money of an order', found({}, { orderNo: 'PI1' }), false],
  ['a payout that came back', found({}, { type: 'payout_return' }), false],
  ['a line that names a settlement', found({ names: 'STABCD000001' }), false],
  ['a repeated line', found({ kind: 'DUPLICATE' }), false],
  ['a break without a line', found({ line: null }), false],
  ['money that was posted, and is in a case now', found({ state: 'POSTED' }), false],
  ['money that is being posted', found({ state: 'POSTING' }), false],
  ['money that a top-up explains', found({ state: 'MATCHED' }), false],
])('%s proposes a top-up: %#', (_what, one, proposes) => {
  expect(lineOfTopUp(one) !== null).toBe(proposes);
});

test('the number of the booking is the reference of the line, without blanks', () => {
  expect(bookingNoOf({ bankRef: 'B 7', channelRef: 'C' })).toBe('B-7');
  expect(bookingNoOf({ bankRef: null, channelRef: 'C-1' })).toBe('C-1');
  expect(bookingNoOf({ bankRef: null, channelRef: null })).toBe('');
});
