import { expect, test } from 'vitest';
import { answerOf } from './mapping.ts';
import { type WireCharge, wireCharge } from './wire.ts';

const link = 'https://api.omise.co/charges/chrg_test_1abc/documents/docu_test_1/downloads/AA';
const charge = (changed: Partial<WireCharge>): WireCharge =>
  wireCharge.parse({
    object: 'charge',
    id: 'chrg_test_1abc',
    livemode: false,
    amount: 25_050,
    currency: 'thb',
    status: 'pending',
    paid: false,
    created_at: '2026-01-01T00:00:00Z',
    something_new: { a: 1 },
    source: { type: 'promptpay', scannable_code: { image: { download_uri: link }, raw_data: null } },
    ...changed,
  });
const channelRef = 'chrg_test_1abc';

test.each([
  ['pending', false, { outcome: 'accepted', channelRef, payLink: link }],
  ['successful', true, { outcome: 'paid', channelRef, payments: [{ reference: channelRef, amount: '250.50' }] }],
  ['failed', false, { outcome: 'failed', channelRef, reason: 'failed' }],
  ['reversed', false, { outcome: 'failed', channelRef, reason: 'reversed' }],
  ['expired', false, { outcome: 'timed_out', channelRef, reason: 'expired' }],
])('a charge with the status %s has the expected outcome', (status, paid, answer) => {
  expect(answerOf(charge({ status, paid }), false)).toEqual(answer);
});

test('a charge that expired at our request is closed', () => {
  expect(answerOf(charge({ status: 'expired' }), true)).toEqual({ outcome: 'closed', channelRef });
});

test('a failure keeps its code as the reason', () => {
  const failed = charge({ status: 'failed', failure_code: 'payment_rejected' });
  expect(answerOf(failed, false)).toMatchObject({ outcome: 'failed', reason: 'payment_rejected' });
});

test.each([
  ['in an unknown state', { status: 'awaiting_stars' }],
  ['in a state named like a property of every object', { status: 'constructor' }],
  ['successful, and not paid', { status: 'successful', paid: false }],
  ['failed, and paid', { status: 'failed', paid: true }],
  ['reversed, and paid', { status: 'reversed', paid: true }],
  ['expired, and paid', { status: 'expired', paid: true }],
  ['failed because another amount came', { status: 'failed', failure_code: 'confirmed_amount_mismatch' }],
])('a charge that is %s has an unknown outcome, never failed', (_what, changed) => {
  expect(answerOf(charge(changed), false)).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
});

test('the text of the QR code is used if Opn sends it', () => {
  const coded = (raw: unknown) =>
    charge({ source: { type: 'promptpay', scannable_code: { image: null, raw_data: raw } } });
  expect(answerOf(coded('00020101021229'), false)).toEqual({
    outcome: 'accepted',
    channelRef,
    payQr: '00020101021229',
  });
  for (const raw of [null, '', 'hello', 12, { a: 1 }]) {
    expect(answerOf(coded(raw), false)).toEqual({ outcome: 'accepted', channelRef });
  }
});

test('a link that is not a web address is left out', () => {
  const image = { download_uri: 'javascript:alert(1)' };
  const odd = charge({ source: { type: 'promptpay', scannable_code: { image, raw_data: null } } });
  expect(answerOf(odd, false)).toEqual({ outcome: 'accepted', channelRef });
});

test.each([
  ['another object', { object: 'refund' }],
  ['an amount with decimals', { amount: 250.5 }],
  ['an amount as text', { amount: '25050' }],
  ['a negative amount', { amount: -1 }],
  ['an id of something else', { id: 'trxn_test_1abc' }],
  ['no mode', { livemode: undefined }],
  ['paid as text', { paid: 'true' }],
])('%s is not read as a charge', (_what, changed) => {
  expect(wireCharge.safeParse({ ...charge({}), ...changed }).success).toBe(false);
});
