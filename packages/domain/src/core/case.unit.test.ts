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

function endBy(before: Given, type: 'chargeCase' | 'writeOffCase', approver: string | null = 'bob'): Given {
  const { wallet, order } = before.state;
  const by = { actor: 'ann', approver, reason: 'checked' };
  return before.when({ type, merchantId: wallet.merchantId, caseNo: 1, orderNo: order?.orderNo ?? null, by });
}

test.each([
  ['chargeCase', 'charged', ['failed', 'available > suspense 100.00', 'ADJUSTMENT -100.00']],
  ['writeOffCase', 'written_off', ['failed', 'written_off:fake > suspense 100.00']],
] as const)('%s ends a case about money that left for an ended payout, by two operators', (type, state, words) => {
  const opened = caseOf('payout_paid_again');
  endBy(opened, type, null).gives('second_operator_needed');
  endBy(opened, type, 'ann').gives('second_operator_needed');
  const ended = endBy(opened, type);
  expect(wordsOf(ended)).toEqual(words);
  expect(all(ended.events, 'closed')).toMatchObject([{ state, closedAt: noon }]);
  for (const again of ['chargeCase', 'writeOffCase'] as const) endBy(ended, again).gives('case_closed');
});

test.each((Object.keys(kinds) as CaseKind[]).filter((kind) => kind !== 'payout_paid_again'))(
  'a case of the kind %s is neither charged nor written off',
  (kind) => {
    for (const type of ['chargeCase', 'writeOffCase'] as const) endBy(caseOf(kind), type).gives('case_not_chargeable');
  },
);

test('a wrong amount is charged or written off once its payout has ended, and only to the order of the case', () => {
  const open = reported(payout(), paid(payment('P1', '99.00')));
  for (const type of ['chargeCase', 'writeOffCase'] as const) {
    endBy(open, type).gives('case_not_chargeable');
    const ended = new Given({ ...open.state, order: { ...open.order, status: 'failed' } });
    expect(endBy(ended, type).refusal).toBeNull();
    new Given({ ...ended.state, order: null }).when(commandWithoutOrder(type)).gives('case_not_chargeable');
  }
});

const commandWithoutOrder = (type: 'chargeCase' | 'writeOffCase') => ({
  type,
  merchantId: 'IN-1',
  caseNo: 1,
  orderNo: null,
  by: { actor: 'ann', approver: 'bob', reason: 'checked' },
});

test('a merchant that has too little is not charged', () => {
  const opened = caseOf('payout_paid_again');
  const poor = new Given({ ...opened.state, wallet: { ...opened.state.wallet, available: '99.99' } });
  endBy(poor, 'chargeCase').gives('balance_insufficient');
  expect(endBy(poor, 'writeOffCase').refusal).toBeNull();
});

test('money of an unknown payout is written off, and charged to nobody', () => {
  const money = { channelId: 'fake', orderNo: 'PO9', reference: 'P1', amount: '7.00', direction: 'out' } as const;
  const wallet = { ...aWallet('IN'), merchantId: 'PLATFORM-IN' };
  const opened = later(given(wallet).when({ type: 'bookUnmatched', merchantId: 'PLATFORM-IN', ...money }));
  endBy(opened, 'chargeCase').gives('case_not_chargeable');
  expect(wordsOf(endBy(opened, 'writeOffCase'))).toEqual(['none', 'written_off:fake > suspense 7.00']);
});

const ofUnknown = (
  given: Given,
  direction: 'out' | 'back',
  reference: string,
  amount: string,
  orderNo = 'PO9',
): Given => {
  const money = { channelId: 'fake', orderNo, reference, amount, direction } as const;
  return later(given.when({ type: 'bookUnmatched', merchantId: 'PLATFORM-IN', ...money }));
};
const ofCase = (before: Given, type: 'creditCase' | 'writeOffCase', caseNo: number): Given => {
  const by = { actor: 'ann', approver: 'bob', reason: 'checked' };
  return before.when({ type, merchantId: 'PLATFORM-IN', caseNo, orderNo: null, by });
};
const platform = (): Given => given({ ...aWallet('IN'), merchantId: 'PLATFORM-IN' });

test('money of an unknown payout that was written off and comes back takes the write-off back, in parts and once', () => {
  const written = later(ofCase(ofUnknown(platform(), 'out', 'P1', '7.00'), 'writeOffCase', 1));
  const part = ofCase(ofUnknown(written, 'back', 'R1', '4.00'), 'creditCase', 2);
  expect(wordsOf(part)).toEqual(['none', 'suspense > written_off:fake 4.00']);
  const all = ofCase(ofUnknown(later(part), 'back', 'R2', '5.00'), 'creditCase', 3);
  expect(wordsOf(all)).toEqual(['none', 'suspense > written_off:fake 3.00', 'case payout_returned 2.00']);
  expect(all.state.cases).toMatchObject([
    { state: 'written_off', cameBack: '7.00' },
    { state: 'credited' },
    { state: 'credited' },
    { state: 'open', orderNo: null, paymentOrderNo: 'PO9' },
  ]);
  ofCase(later(all), 'creditCase', 4).gives('case_not_creditable');
});

test('money of an unknown payout that comes back ends its open case, and no case of another payout', () => {
  const out = ofUnknown(platform(), 'out', 'P1', '7.00');
  const back = ofCase(ofUnknown(out, 'back', 'R1', '7.00'), 'creditCase', 2);
  expect(wordsOf(back)).toEqual(['none']);
  expect(back.state.cases.map(({ state }) => state)).toEqual(['returned', 'credited']);
  ofCase(ofUnknown(out, 'back', 'R1', '7.00', 'PO8'), 'creditCase', 2).gives('case_not_creditable');
  // Without an order number only an equal reference names the payout.
  const unnamed = ofUnknown(platform(), 'out', 'P1', '7.00', 'statement');
  ofCase(ofUnknown(unnamed, 'back', 'R1', '7.00', 'statement'), 'creditCase', 2).gives('case_not_creditable');
  const same = ofCase(ofUnknown(unnamed, 'back', 'P1', '7.00', 'statement'), 'creditCase', 2);
  expect(same.state.cases.map(({ state }) => state)).toEqual(['returned', 'credited']);
});

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
  const payments = [
    { ...known, seq: 1, direction: 'in', use: 'suspense', line: null, receivedAt: noon, batchNo: 1 } as const,
  ];
  const twice = ofPlatform('timeout', { payments });
  creditAll(twice, [1], { toMerchantId: 'TH-1' }).gives('case_not_creditable');
  const { state } = reported(payin(), failed, paid(payment('P1')));
  const anothers = new Given({ ...state, otherWallet: aWallet('TH', { merchantId: 'TH-2' }) });
  creditAll(anothers, [1], { toMerchantId: 'TH-2' }).gives('case_not_creditable');
  const foreign = ofPlatform('timeout', { otherWallet: aWallet('PK') });
  creditAll(foreign, [1], { toMerchantId: 'PK-1' }).gives('case_not_creditable');
});
