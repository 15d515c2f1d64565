import { expect, test } from 'vitest';
import { type Given, given } from '../testing/given.ts';
import { ledgerInWords } from '../testing/in-words.ts';
import { aWallet, noon } from '../testing/on-paper.ts';
import { aDraft, aSettlement } from '../testing/settlements-on-paper.ts';
import type { Rejection } from './rejection.ts';
import {
  isCreditSince,
  isReservedBookingNo,
  type Settlement,
  type SettlementState,
  settlementNoOf,
} from './settlement.ts';

const agreed = { actor: 'ann', approver: 'bob', reason: 'a test' };
const alone = { ...agreed, approver: null };
const named = { merchantId: 'TH-1', seq: 1, settlementNo: 'STTEST000001', by: agreed };

interface With {
  settlement?: Partial<Settlement> | null;
  available?: string;
  creditedSince?: string | null;
  isBooked?: boolean;
}

function before({ settlement = {}, available = '100.00', creditedSince = '0.00', isBooked = false }: With = {}): Given {
  const existing = isBooked ? { orderNo: 'B' } : null;
  const found = settlement && aSettlement(settlement);
  return given(aWallet('TH', { available }), null, { settlement: found, creditedSince, existing });
}

const approval = {
  type: 'approveSettlement',
  ...named,
  version: 1,
  accountId: 'A-1',
  credited: { amount: '0.00', throughEntryNo: 1 },
  bookingNo: 'STTEST000001',
} as const;
const inState = (state: SettlementState): With => ({ settlement: { state, approvedAt: noon } });

test('two operators approve a draft, and its amount leaves the wallet as a settlement with its number', () => {
  const approved = before().when(approval);
  expect(approved.state.settlement).toMatchObject({ state: 'approved', approvedAt: noon });
  expect(ledgerInWords(approved).map((line) => line.replace(/ -> .*/, ''))).toEqual([
    'available > external 100.00',
    'SETTLEMENT -100.00',
  ]);
  expect(approved.state.wallet.available).toBe('0.00');
});

test.each<[string, With, object, Rejection]>([
  ['another version', {}, { version: 2 }, 'version_outdated'],
  ['another account', {}, { accountId: 'A-2' }, 'version_outdated'],
  ['no account', { settlement: { accountId: null } }, { accountId: null }, 'no_bank_account'],
  ['a settlement without an amount to pay', { settlement: { amount: '0.00' } }, {}, 'nothing_to_settle'],
  ['a wallet that was debited since', { available: '99.99' }, {}, 'version_outdated'],
  ['money that came since the draft, on a day that is not closed', { creditedSince: '0.01' }, {}, 'version_outdated'],
  ['money that was summed up before', {}, { credited: { amount: '0.01', throughEntryNo: 2 } }, 'version_outdated'],
  ['more entries since the draft than are read', { available: '900.00', creditedSince: null }, {}, 'version_outdated'],
  ['money whose days are not closed', { settlement: { pending: '0.01' } }, {}, 'version_outdated'],
  ['money that is missing', { settlement: { held: '0.01' } }, {}, 'version_outdated'],
  ['a number that was booked by hand', { isBooked: true }, {}, 'booking_no_taken'],
  ['one operator', {}, { by: alone }, 'second_operator_needed'],
  ['the same operator twice', {}, { by: { ...agreed, approver: 'ann' } }, 'second_operator_needed'],
  ['no settlement', { settlement: null }, {}, 'settlement_not_found'],
  ['a settlement that was approved', inState('approved'), {}, 'settlement_not_there'],
])('an approval is refused with %s', (_, state, change, rejection) => {
  before(state)
    .when({ ...approval, ...change })
    .gives(rejection);
});

test('money that came since the draft does not hinder an approval, if the wallet still has the amount', () => {
  const rich = before({ available: '130.00', creditedSince: '20.00', settlement: { pending: '7.00', keep: '3.00' } });
  expect(rich.when(approval).state.wallet.available).toBe('30.00');
});

const fail = {
  type: 'failSettlement',
  ...named,
  seen: 'paid',
  detail: 'no such account',
  bookingNo: 'STTEST000001-returned',
} as const;
const pay = { type: 'paySettlement', ...named, by: alone, reference: 'R-1' } as const;
const confirm = { type: 'confirmSettlement', ...named, reference: 'R-2' } as const;

test.each<SettlementState>(['approved', 'paid', 'confirmed'])(
  'a settlement that was %s and fails comes back to the wallet, with a case',
  (state) => {
    const failed = before({ ...inState(state), available: '0.00' }).when({ ...fail, seen: state });
    expect(ledgerInWords(failed).map((line) => line.replace(/ -> .*/, ''))).toEqual([
      'external > available 100.00',
      'ADJUSTMENT 100.00',
      'case settlement_failed 100.00',
    ]);
    expect(failed.state.settlement).toMatchObject({ state: 'failed', caseNo: 1 });
    expect(failed.state.cases).toMatchObject([{ reference: 'STTEST000001', detail: 'no such account', orderNo: null }]);
    failed.when(fail).gives('settlement_not_there');
  },
);

test('payouts may use the amount that the cycle keeps in the wallet, and do not hinder an approval', () => {
  const approved = before({ settlement: { keep: '50.00' }, available: '100.00' }).when(approval);
  expect(approved.state.settlement).toMatchObject({ state: 'approved' });
});

test('a settlement does not come back if it was paid since the operators saw it', () => {
  before(inState('paid'))
    .when({ ...fail, seen: 'approved' })
    .gives('version_outdated');
});

test('a settlement comes back once, only if its return is not booked yet, and only by two operators', () => {
  before({ ...inState('paid'), isBooked: true })
    .when(fail)
    .gives('booking_no_taken');
  before(inState('paid'))
    .when({ ...fail, by: alone })
    .gives('second_operator_needed');
  before().when(fail).gives('settlement_not_there');
});

test('a settlement is paid once, and confirmed by two operators', () => {
  const paid = before(inState('approved')).when(pay);
  expect(paid.state.settlement).toMatchObject({ state: 'paid', reference: 'R-1', paidAt: noon });
  // Also with the same reference: only the operator who records it first transfers.
  paid.when(pay).gives('settlement_not_there');
  const confirmed = paid.when(confirm);
  expect(confirmed.state.settlement).toMatchObject({ state: 'confirmed', reference: 'R-2', confirmedAt: noon });
  confirmed.when(confirm).gives('settlement_not_there');
  before(inState('approved'))
    .when({ ...confirm, by: alone })
    .gives('second_operator_needed');
  before().when(pay).gives('settlement_not_there');
});

const byStatement = { ...alone, actor: 'the statement' };
const line = { place: '12/5/0', isOfFile: false };
const confirmByLine = { ...confirm, by: byStatement, line } as const;
const failByLine = { ...fail, by: byStatement, line: { ...line, place: '13/1/0' } } as const;

test.each<SettlementState>(['approved', 'paid'])(
  'a statement line confirms a settlement that was %s, without a second operator',
  (state) => {
    const confirmed = before(inState(state)).when(confirmByLine);
    expect(confirmed.state.settlement).toMatchObject({ state: 'confirmed', debitLine: '12/5/0', confirmedAt: noon });
    confirmed.when(confirm).gives('settlement_not_there');
    confirmed.when({ ...confirmByLine, line: { ...line, place: '12/6/0' } }).gives('settlement_not_there');
  },
);

test('a statement line after a confirmation by people is no proof, because it may be a second payment', () => {
  before({ settlement: { state: 'confirmed', approvedAt: noon, confirmedAt: 1, reference: 'R-9' } })
    .when(confirmByLine)
    .gives('settlement_not_there');
});

test('the statement line of a whole bank file confirms a settlement, but is not stored as its own line', () => {
  const confirmed = before(inState('paid')).when({ ...confirmByLine, line: { ...line, isOfFile: true } });
  expect(confirmed.state.settlement).toMatchObject({ state: 'confirmed', debitLine: null });
});

test('the statement line of a return brings a confirmed settlement back to the wallet, once', () => {
  const failed = before({ ...inState('confirmed'), available: '0.00' }).when({ ...failByLine, seen: 'confirmed' });
  expect(failed.state.wallet.available).toBe('100.00');
  expect(failed.state.settlement).toMatchObject({ state: 'failed', returnLine: '13/1/0', caseNo: 1 });
  failed.when(failByLine).gives('settlement_not_there');
  failed.when(confirmByLine).gives('settlement_not_there');
});

test('the statement line of a return does not fail a settlement that people failed before', () => {
  const paidAndFailed = {
    settlement: { state: 'failed', approvedAt: noon, paidAt: 1, failedAt: 1, caseNo: 1 },
  } as const;
  before({ ...paidAndFailed, isBooked: true })
    .when(failByLine)
    .gives('settlement_not_there');
  before(paidAndFailed).when(confirmByLine).gives('settlement_not_there');
});

test('a statement line proves neither a draft nor the return of a settlement that was not paid', () => {
  before().when(confirmByLine).gives('settlement_not_there');
  for (const state of ['approved', 'paid'] as const)
    before(inState(state))
      .when({ ...failByLine, seen: state })
      .gives('settlement_not_there');
});

test('a draft is replaced by a newer draft with a higher version, and an equal draft changes nothing', () => {
  const store = { type: 'draftSettlement', ...named, by: alone, draft: aDraft() } as const;
  expect(before({ settlement: null }).when(store).state.settlement).toEqual(aSettlement({ draftedAt: noon }));
  before()
    .when(store)
    .gives([{ type: 'audit recorded' }]);
  const sameDays = aDraft({ settledDays: { b: '2026-11-19', a: '2026-11-18' } });
  before({ settlement: { settledDays: { a: '2026-11-18', b: '2026-11-19' } } })
    .when({ ...store, draft: sameDays })
    .gives([{ type: 'audit recorded' }]);
  const newer = before().when({ ...store, draft: aDraft({ amount: '90.00' }) });
  expect(newer.state.settlement).toMatchObject({ amount: '90.00', version: 2, draftedAt: 0 });
  before(inState('approved')).when(store).gives('version_outdated');
});

test('the number of a settlement has the tag of the merchant, and fits into an end-to-end id', () => {
  expect(settlementNoOf('AB12', 7)).toBe('STAB12000007');
  expect(settlementNoOf('AB12', 12_345_678).length).toBeLessThanOrEqual(35);
});

test.each<[Parameters<typeof isCreditSince>[0], boolean]>([
  [{ type: 'PAYIN', availableChange: '1.00' }, true],
  [{ type: 'TOP_UP', availableChange: '0.01' }, true],
  [{ type: 'PAYOUT_RELEASE', availableChange: '1.00' }, false],
  [{ type: 'PAYOUT_FREEZE', availableChange: '-1.00' }, false],
  [{ type: 'PAYOUT', availableChange: '0.00' }, false],
])('the entry %j counts as money that came since the draft: %s', (entry, expected) => {
  expect(isCreditSince(entry)).toBe(expected);
});

test.each<[string, boolean]>([
  ['STTEST000001', true],
  ['stTEST1000001', true],
  ['STTEST000001-returned', true],
  ['CASE/TH-1/4', true],
  ['BREAK/PLATFORM-TH/4', true],
  ['reversal/B-1', true],
  ['FEE/PO1', true],
  ['B-1-returned', true],
  ['STMT-2026-11-23', false],
  ['B-1', false],
])('the booking number %s is reserved, so a manual booking with it is refused: %s', (bookingNo, isReserved) => {
  expect(isReservedBookingNo(bookingNo)).toBe(isReserved);
});
