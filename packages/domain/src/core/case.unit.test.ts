import { expect, test } from 'vitest';
import { all, Given, given } from '../testing/given.ts';
import { ledgerInWords } from '../testing/in-words.ts';
import { anOrder, aWallet, noon } from '../testing/on-paper.ts';
import { aSettlement } from '../testing/settlements-on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';
import type { CaseKind } from './payment.ts';
import type { State } from './state.ts';

// Each kind of case, as it comes about, and what crediting and returning it do.

const payment = (reference: string, amount = '100.00') => ({ reference, amount });
const paid = (...payments: ReturnType<typeof payment>[]): ChannelAnswer => ({ outcome: 'paid', payments });
const failed: ChannelAnswer = { outcome: 'failed', reason: 'no' };
const half: ChannelAnswer = { outcome: 'timed_out', reason: 'late', payments: [payment('P1', '50.00')] };
const returned: ChannelAnswer = {
  outcome: 'returned',
  payments: [payment('P1')],
  returned: payment('R1'),
  reason: 'closed account',
};

const payin = (): Given => given(aWallet('TH'), anOrder('TH'));
const payout = (): Given =>
  given(aWallet('IN', { available: '897.50', frozen: '102.50' }), anOrder('IN', {}, 'payout'));
const reported = (before: Given, ...answers: ChannelAnswer[]): Given => before.whenReportedEach(answers);
const unmatched = (merchantId = 'TH-1'): Given => {
  const money = { channelId: 'fake', orderNo: 'PI9', reference: 'P1', amount: '100.00' };
  return given(aWallet('TH', { merchantId })).when({ type: 'bookUnmatched', direction: 'in', merchantId, ...money });
};

const underpaid = (): Given => {
  const by = { actor: 'ann', approver: 'bob', reason: 'seen' };
  const ref = { merchantId: 'IN-1', orderNo: payout().order.orderNo };
  const resolved = payout().when({ type: 'resolvePayout', ref, outcome: 'paid', evidence: 'statement', by });
  return reported(resolved, paid(payment('P1', '99.00')));
};

const failedSettlement = (): Given => {
  const by = { actor: 'ann', approver: 'bob', reason: 'a test' };
  const settlement = aSettlement({ state: 'paid', approvedAt: noon });
  const { merchantId, seq, settlementNo } = settlement;
  const named = { merchantId, seq, settlementNo, by, detail: 'no such account', bookingNo: 'B', seen: 'paid' } as const;
  return given(aWallet('TH'), null, { settlement }).when({ type: 'failSettlement', ...named });
};

interface Row {
  opens: () => Given;
  credit: 'case_not_creditable' | string[];
  return: string[];
}

// biome-ignore format: a table is read by its columns
const kinds: Record<CaseKind, Row> = {
  late: { opens: () => reported(payin(), failed, paid(payment('P1'))), credit: ['completed', 'suspense > available 97.50', 'suspense > fee_revenue 2.50', 'PAYIN 97.50', 'notify completed'], return: ['failed', 'suspense > channel:fake 100.00'] },
  double: { opens: () => reported(payin(), paid(payment('P1')), paid(payment('P2'))), credit: 'case_not_creditable', return: ['completed', 'suspense > channel:fake 100.00'] },
  wrong_amount: { opens: () => reported(payin(), paid(payment('P1', '99.00'))), credit: 'case_not_creditable', return: ['processing', 'suspense > channel:fake 99.00'] },
  parts_of_unpaid: { opens: () => reported(payin(), half), credit: 'case_not_creditable', return: ['timeout', 'suspense > channel:fake 50.00'] },
  unmatched: { opens: unmatched, credit: 'case_not_creditable', return: ['none', 'suspense > channel:fake 100.00'] },
  payout_returned: { opens: () => reported(payout(), returned), credit: ['completed', 'suspense > available 100.00', 'PAYOUT_RETURN 100.00'], return: ['completed', 'suspense > channel:fake 100.00'] },
  payout_wrong_amount: { opens: () => reported(payout(), paid(payment('P1', '99.00'))), credit: 'case_not_creditable', return: ['processing', 'channel:fake > suspense 99.00'] },
  payout_underpaid: { opens: underpaid, credit: ['completed', 'suspense > available 1.00', 'PAYOUT_RETURN 1.00'], return: ['completed', 'suspense > channel:fake 1.00'] },
  contradiction: { opens: () => reported(payout(), paid(payment('P1')), failed), credit: 'case_not_creditable', return: ['completed'] },
  settlement_failed: { opens: failedSettlement, credit: 'case_not_creditable', return: ['none'] },
  payout_paid_again: { opens: () => reported(payout(), failed, paid(payment('P1'))), credit: 'case_not_creditable', return: ['failed', 'channel:fake > suspense 100.00'] },
};

/** The state as another transaction finds it: what was added before is past. */
const later = ({ state }: Given): Given => new Given(state);

function caseOf(kind: CaseKind): Given {
  const opened = later(kinds[kind].opens());
  expect(opened.state.cases).toMatchObject([{ kind, state: 'open', caseNo: 1 }]);
  return opened;
}

function decideOn(before: Given, type: 'creditCase' | 'returnCase'): Given {
  const { wallet, order } = before.state;
  const by = { actor: 'ann', approver: null, reason: 'checked' };
  return before.when({ type, merchantId: wallet.merchantId, caseNo: 1, orderNo: order?.orderNo ?? null, by });
}

const wordsOf = (decided: Given): string[] => [
  decided.state.order?.status ?? 'none',
  ...ledgerInWords(decided).map((line) => line.replace(/ -> .*/, '')),
];

test.each(Object.keys(kinds) as CaseKind[])(
  'a case of the kind %s can be credited or returned once, if its kind allows it',
  (kind) => {
    const { credit, return: back } = kinds[kind];
    const credited = decideOn(caseOf(kind), 'creditCase');
    if (typeof credit === 'string') credited.gives(credit);
    else {
      expect(credited.refusal).toBeNull();
      expect(wordsOf(credited)).toEqual(credit);
      expect(all(credited.events, 'closed')).toMatchObject([{ state: 'credited', closedAt: noon }]);
      for (const again of ['creditCase', 'returnCase'] as const) decideOn(credited, again).gives('case_closed');
    }
    const sent = decideOn(caseOf(kind), 'returnCase');
    expect(wordsOf(sent)).toEqual(back);
    expect(all(sent.events, 'closed')).toMatchObject([{ state: 'returned', closedAt: noon }]);
    const record = { action: 'returnCase', subject: 'case 1', actor: 'ann' };
    expect(all(sent.events, 'record')).toMatchObject([record]);
    for (const again of ['creditCase', 'returnCase'] as const) decideOn(sent, again).gives('case_closed');
  },
);

test('money that the bank returned for a failed payout is not credited, because the merchant already has it', () => {
  const opened = reported(payout(), failed, { ...returned, payments: [] } as ChannelAnswer);
  expect(opened.state.cases).toMatchObject([{ kind: 'payout_returned' }]);
  decideOn(opened, 'creditCase').gives('case_not_creditable');
});

test('late money of another amount cannot complete the order', () => {
  decideOn(reported(payin(), failed, paid(payment('P1', '99.00'))), 'creditCase').gives('case_not_creditable');
});

test('a decision about an unknown case is refused', () => {
  decideOn(given(aWallet('TH')), 'creditCase').gives('case_not_found');
});

function creditAll(before: Given, [caseNo = 0, ...alsoCaseNos]: number[], more: object = {}): Given {
  const { wallet, order } = before.state;
  const by = { actor: 'ann', approver: null, reason: 'checked' };
  const orderNo = order?.orderNo ?? null;
  return before.when({ type: 'creditCase', merchantId: wallet.merchantId, caseNo, alsoCaseNos, orderNo, by, ...more });
}
const statesOf = ({ state }: Given): string => state.cases.map((one) => one.state).join(' ');

test('an order that was paid in late parts is credited with all parts, and the surplus stays a case', () => {
  const late = later(
    reported(payin(), failed, paid(payment('P1', '60.00')), paid(payment('P2', '60.00'), payment('P3', '1.00'))),
  );
  creditAll(late, [1]).gives('case_not_creditable');
  creditAll(late, [1, 1]).gives('case_not_creditable');
  creditAll(late, [1, 9]).gives('case_not_found');
  // The third is not needed.
  creditAll(late, [1, 2, 3]).gives('case_not_creditable');
  const credited = creditAll(late, [1, 2]);
  expect(wordsOf(credited)).toEqual([
    'completed',
    'suspense > available 97.50',
    'suspense > fee_revenue 2.50',
    'PAYIN 97.50',
    'case wrong_amount 20.00',
    'notify completed',
  ]);
  expect(statesOf(credited)).toBe('credited credited open open');
  const { orderNo } = credited.order;
  expect(all(credited.events, 'opened')).toMatchObject([{ reference: 'P2', orderNo, state: 'open' }]);
  creditAll(credited, [2, 3]).gives('case_closed');
});

test('100.01 for 100.00 is credited after the order has ended, and 0.01 stays a case', () => {
  creditAll(reported(payin(), paid(payment('P1', '100.01'))), [1]).gives('case_not_creditable');
  const credited = creditAll(later(reported(payin(), paid(payment('P1', '100.01')), half)), [1]);
  expect(wordsOf(credited).slice(-2)).toEqual(['case wrong_amount 0.01', 'notify completed']);
});

test('money without an open order is credited to the wallet, as an adjustment with its own number', () => {
  const opened = reported(payin(), paid(payment('P1')), paid(payment('P2', '30.00')), paid(payment('P3', '5.00')));
  const credited = creditAll(later(opened), [1, 2], { toWallet: true });
  expect(wordsOf(credited)).toEqual(['completed', 'suspense > available 35.00', 'ADJUSTMENT 35.00']);
  const entry = { bookingNo: 'CASE/TH-1/1', remark: 'cases 1, 2', orderNo: null };
  expect(all(credited.events, 'entry')).toMatchObject([entry]);
});

/** Money of the platform's, and the merchant's order that it may be for. */
function ofPlatform(status: 'processing' | 'timeout', more: Partial<State> = {}): Given {
  const { wallet, cases } = unmatched('PLATFORM-TH').state;
  const order = anOrder('TH', { status, nextAction: null, nextActionAt: null });
  return given(wallet, order, { cases, otherWallet: aWallet('TH'), ...more });
}

test('unmatched money is credited to an order: from the suspense of the platform through the suspense of the merchant', () => {
  creditAll(ofPlatform('processing'), [1], { toMerchantId: 'TH-1' }).gives('case_not_creditable');
  const { state, events, order } = creditAll(ofPlatform('timeout'), [1], { toMerchantId: 'TH-1' });
  expect(all(events, 'transfer').map((t) => `${t.merchantId} ${t.debit} > ${t.credit} ${t.amount}`)).toEqual([
    'PLATFORM-TH suspense > channel:fake 100.00',
    'TH-1 channel:fake > suspense 100.00',
    'TH-1 suspense > available 97.50',
    'TH-1 suspense > fee_revenue 2.50',
  ]);
  const credited = { merchantId: 'TH-1', available: '97.50', lastTransferNo: 3, lastAuditNo: 1 };
  expect(state.otherWallet).toMatchObject(credited);
  expect(state.wallet).toMatchObject({ merchantId: 'PLATFORM-TH', available: '0.00', lastAuditNo: 1 });
  expect(all(events, 'payment')).toMatchObject([{ merchantId: 'TH-1', reference: 'P1', use: 'suspense' }]);
  expect(all(events, 'record').map((a) => `${a.merchantId} ${a.subject}`)).toEqual([
    'PLATFORM-TH case 1',
    `TH-1 ${order.orderNo}`,
  ]);
});

test('unmatched money is not credited to an order that already has its payment, and money of one merchant not to another', () => {
  const known = { merchantId: 'TH-1', orderNo: 'PI1', reference: 'P1', channelId: 'fake', amount: '100.00' };
  const payments = [{ ...known, use: 'suspense', receivedAt: noon, batchNo: null } as const];
  const twice = ofPlatform('timeout', { payments });
  creditAll(twice, [1], { toMerchantId: 'TH-1' }).gives('case_not_creditable');
  const { state } = reported(payin(), failed, paid(payment('P1')));
  const anothers = new Given({ ...state, otherWallet: aWallet('TH', { merchantId: 'TH-2' }) });
  creditAll(anothers, [1], { toMerchantId: 'TH-2' }).gives('case_not_creditable');
  const foreign = ofPlatform('timeout', { otherWallet: aWallet('PK') });
  creditAll(foreign, [1], { toMerchantId: 'PK-1' }).gives('case_not_creditable');
});
