import { expect, test } from 'vitest';
import { aSettlement } from '../../testing/settlements-on-paper.ts';
import { decideProof, type Named, type NamedBreak, type NamedSettlement } from './decide-proof.ts';

const line: NamedBreak = {
  merchantId: 'PLATFORM-TH',
  breakNo: 1,
  channelId: 'bank',
  account: 'TH00 1234 5678 9012',
  kind: 'missing_in_ledger',
  names: 'STTEST000001',
  reason: null,
  isDayClosed: false,
  place: '12/5/0',
  type: 'payout',
  direction: 'out',
  amount: '100.00',
  currency: 'THB',
  bankRef: 'B-1',
  reported: 'B-1',
  unconfirmedOf: null,
};
const paid = (changes: Partial<NamedSettlement> = {}): NamedSettlement => ({
  ...aSettlement({ state: 'paid', approvedAt: 1, paidAt: 1 }),
  fileLine: null,
  paying: 'TH00123456789012',
  ...changes,
});
const own = { channels: [], payers: [] };
const alone = (changes: Partial<NamedSettlement> = {}): Named => ({
  file: null,
  settlements: [paid(changes)],
  own,
  others: [],
});
const textOf = (changes: Partial<NamedBreak>, named: Named): string | null | undefined => {
  const proof = decideProof({ ...line, ...changes }, named);
  return proof.type === 'problem' ? proof.text : undefined;
};

test('a debit of equal amount proves the settlement that it names', () => {
  expect(decideProof(line, alone())).toMatchObject({ type: 'proven', settlements: [{ seq: 1 }], isOfFile: false });
});

const aPart = (breakNo: number, amount: string, changes: Partial<NamedBreak> = {}): NamedBreak => ({
  ...line,
  breakNo,
  amount,
  ...changes,
});
test('lines that show the amount of a settlement together prove it together, and one with all of it proves it alone', () => {
  const others = [aPart(2, '30.00'), aPart(3, '10.00'), aPart(4, '5.00', { isDayClosed: true })];
  const proof = decideProof({ ...line, amount: '60.00' }, { ...alone(), others });
  expect(proof).toMatchObject({ type: 'proven', lines: [{ breakNo: 1 }, { breakNo: 2 }, { breakNo: 3 }] });
  expect(decideProof(line, { ...alone(), others })).toMatchObject({ type: 'proven', lines: [{ breakNo: 1 }] });
});

test.each<[string, NamedBreak[], string]>([
  ['that are too few', [aPart(2, '39.99')], 'its amount is 100.00, and 2 lines show 99.99 together'],
  [
    'that are too many',
    [aPart(2, '40.00'), aPart(3, '0.01')],
    'its amount is 100.00, and 3 lines show 100.01 together',
  ],
  ['of another currency', [aPart(2, '40.00', { currency: 'USD', kind: 'currency' })], 'its amount is 100.00'],
  ['that may be repetitions', [aPart(2, '40.00', { kind: 'duplicate' })], 'its amount is 100.00'],
  [
    'that nobody can compare by eye',
    Array.from({ length: 20 }, (_, at) => aPart(at + 2, '2.00')),
    'its amount is 100.00, and more than 20 lines name it',
  ],
])('a settlement is not proven by parts %s', (_, others, problem) => {
  expect(textOf({ amount: '60.00' }, { ...alone(), others })).toBe(`it names STTEST000001, but ${problem}`);
});

const back = { direction: 'in', type: 'payout_return', kind: 'late_reversal' } as const;
test('a returned credit of equal amount proves its return', () => {
  expect(decideProof({ ...line, ...back }, alone({ state: 'confirmed' }))).toMatchObject({ type: 'proven' });
});

test.each<[string, Partial<NamedBreak>, Named, string]>([
  ['a line with another amount', { amount: '99.99' }, alone(), 'its amount is 100.00'],
  ['a line with another currency', { currency: 'USD', kind: 'currency' }, alone(), 'its currency is THB'],
  ['a repeated line', { kind: 'duplicate' }, alone(), 'the line may be a repetition'],
  ['a line of a fee', { type: 'fee', kind: 'fee' }, alone(), 'a line of type fee proves no payment'],
  ['a line of a payin', { direction: 'in', type: 'payin' }, alone(), 'a line of type payin proves no return'],
  ['a line on a closed day', { isDayClosed: true }, alone(), 'its day is closed'],
  ['a line that names a draft', {}, alone({ state: 'draft' }), 'it is not approved'],
  ['a second line', {}, alone({ debitLine: '1/1/0' }), 'a line has proven it already'],
  ['the line of its file', {}, alone({ fileLine: '1/1/0' }), 'a line has proven it already'],
  ['the line of an order', { kind: 'status' }, alone(), 'the line is of an order'],
  ['another account of the platform', { account: 'TH00000000001111' }, alone(), 'an account that ends with 9012 pays'],
  ['an unknown account', { account: null }, alone(), 'the account of its channel is not known'],
  [
    'a settlement without a paying account',
    {},
    alone({ paying: null }),
    'no bank file says which account of ours pays',
  ],
  [
    'money that the platform pays in',
    { direction: 'in', type: 'adjustment' },
    alone(),
    'a line of type adjustment proves no return',
  ],
  [
    'a return of a settlement that is only approved',
    back,
    alone({ state: 'approved' }),
    'its payment was not shown yet',
  ],
  ['a return before the payment', back, alone({ state: 'paid' }), 'its payment was not shown yet'],
  [
    'a return of a settlement that people failed',
    back,
    alone({ state: 'failed' }),
    'people were faster: compare it with the line that they saw',
  ],
  [
    'a payment that people confirmed',
    {},
    alone({ state: 'confirmed' }),
    'people were faster: compare it with the line that they saw',
  ],
  ['a failure by hand', {}, alone({ state: 'failed' }), 'people brought it back to the wallet'],
  [
    'a settlement number of two merchants',
    {},
    { file: null, settlements: [paid(), paid({ merchantId: 'TH-2' })], own, others: [] },
    'several merchants have a settlement of this number',
  ],
])('%s proves nothing, and the break says why', (_, changes, named, why) => {
  expect(textOf(changes, named)).toBe(`it names STTEST000001, but ${why}`);
});

test('a number that no settlement has is not mentioned, because it may be a number of the bank', () => {
  expect(textOf({}, { file: null, settlements: [], own, others: [] })).toBeNull();
});

const file = { fileNo: 'SFTH000001', state: 'ready', debitLine: null, payments: 2 } as const;
const two = [paid(), paid({ merchantId: 'TH-2', amount: '20.50' })];
const ofFile = { names: 'SFTH000001', amount: '120.50' };

test('a debit with the sum of a bank file proves all of its settlements', () => {
  const proof = decideProof({ ...line, ...ofFile }, { file, settlements: two, own, others: [] });
  expect(proof).toMatchObject({ isOfFile: true, settlements: [{ merchantId: 'TH-1' }, { merchantId: 'TH-2' }] });
});

test.each<[string, Partial<NamedBreak>, Named, string]>([
  [
    'the sum of some settlements of the file',
    { amount: '100.00' },
    { file, settlements: two, own, others: [] },
    'its amount is 120.50',
  ],
  ['a credit', back, { file, settlements: two, own, others: [] }, 'a credit names one settlement, not a bank file'],
  [
    'another account of the platform',
    { account: 'TH00000000001111' },
    { file, settlements: two, own, others: [] },
    'an account that ends with 9012 pays',
  ],
  [
    'a payment that people confirmed',
    {},
    { file, settlements: [paid({ state: 'confirmed' }), paid({ amount: '20.50' })], own, others: [] },
    'of STTEST000001 of TH-1: people were faster: compare it with the line that they saw',
  ],
  [
    'an open file',
    {},
    { file: { ...file, state: 'open' }, settlements: two, own, others: [] },
    'the file is not ready',
  ],
  [
    'a second line',
    {},
    { file: { ...file, debitLine: '1/1/0' }, settlements: two, own, others: [] },
    'a line has proven it already',
  ],
  [
    'a payment that has a line of its own',
    {},
    { file, settlements: [paid({ debitLine: '1/1/0' }), paid({ amount: '20.50' })], own, others: [] },
    'of STTEST000001 of TH-1: a line has proven it already',
  ],
])('a bank file is not proven by a line with %s', (_, changes, named, why) => {
  expect(textOf({ ...ofFile, ...changes }, named)).toBe(`it names SFTH000001, but ${why}`);
});
