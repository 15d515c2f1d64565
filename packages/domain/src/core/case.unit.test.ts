import { expect, test } from 'vitest';
import { aDraft, anOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import { inWords, tell } from '../testing/tell.ts';
import type { ChannelAnswer } from './channel-answer.ts';
import { decide } from './decide.ts';
import type { Draft } from './draft.ts';
import type { CaseKind } from './payment.ts';

// Each kind of case, as it comes about, and what crediting and returning it do.

const payment = (reference: string, amount = '100.00') => ({ reference, amount });
const paid = (...payments: ReturnType<typeof payment>[]): ChannelAnswer => ({ outcome: 'paid', payments });
const failed: ChannelAnswer = { outcome: 'failed', reason: 'no' };
const half: ChannelAnswer = { outcome: 'timed_out', reason: 'late', payments: [payment('P1', '50.00')] };
const returned: ChannelAnswer = {
  ...{ outcome: 'returned', payments: [payment('P1')], returned: payment('R1'), reason: 'closed account' },
};

const payin = (): Draft => aDraft(aWallet('TH'), anOrder('TH'));
const payout = (): Draft =>
  aDraft(aWallet('IN', { available: '897.50', frozen: '102.50' }), anOrder('IN', {}, 'payout'));
const told = (draft: Draft, ...answers: ChannelAnswer[]): Draft => {
  for (const answer of answers) tell(draft, answer);
  return draft;
};
const unmatched = (): Draft => {
  const draft = aDraft(aWallet('TH'));
  const money = { orderNo: 'PI9', reference: 'P1', amount: '100.00' };
  decide(
    draft,
    { type: 'bookUnmatched', direction: 'in', merchantId: 'TH-1', channelId: 'fake', ...money },
    null,
    at(noon),
  );
  return draft;
};

const underpaid = (): Draft => {
  const draft = payout();
  const by = { actor: 'ann', approver: 'bob', reason: 'seen' };
  const ref = { merchantId: 'IN-1', orderNo: draft.order?.orderNo ?? '' };
  decide(draft, { type: 'resolvePayout', ref, outcome: 'paid', evidence: 'statement', by }, null, at(noon));
  return told(draft, paid(payment('P1', '99.00')));
};

interface Row {
  opens: () => Draft;
  credit: 'case_not_creditable' | string[];
  return: string[];
}

// biome-ignore format: a table is read by its columns
const kinds: Record<CaseKind, Row> = {
  late: { opens: () => told(payin(), failed, paid(payment('P1'))), credit: ['completed', 'suspense > available 97.50', 'suspense > fee_revenue 2.50', 'PAYIN 97.50', 'notify completed'], return: ['failed', 'suspense > channel:fake 100.00'] },
  double: { opens: () => told(payin(), paid(payment('P1')), paid(payment('P2'))), credit: 'case_not_creditable', return: ['completed', 'suspense > channel:fake 100.00'] },
  wrong_amount: { opens: () => told(payin(), paid(payment('P1', '99.00'))), credit: 'case_not_creditable', return: ['processing', 'suspense > channel:fake 99.00'] },
  parts_of_unpaid: { opens: () => told(payin(), half), credit: 'case_not_creditable', return: ['timeout', 'suspense > channel:fake 50.00'] },
  unmatched: { opens: unmatched, credit: 'case_not_creditable', return: ['none', 'suspense > channel:fake 100.00'] },
  payout_returned: { opens: () => told(payout(), returned), credit: ['completed', 'suspense > available 100.00', 'PAYOUT_RETURN 100.00'], return: ['completed', 'suspense > channel:fake 100.00'] },
  payout_wrong_amount: { opens: () => told(payout(), paid(payment('P1', '99.00'))), credit: 'case_not_creditable', return: ['processing', 'channel:fake > suspense 99.00'] },
  payout_underpaid: { opens: underpaid, credit: ['completed', 'suspense > available 1.00', 'PAYOUT_RETURN 1.00'], return: ['completed', 'suspense > channel:fake 1.00'] },
  contradiction: { opens: () => told(payout(), paid(payment('P1')), failed), credit: 'case_not_creditable', return: ['completed'] },
  payout_paid_again: { opens: () => told(payout(), failed, paid(payment('P1'))), credit: 'case_not_creditable', return: ['failed', 'channel:fake > suspense 100.00'] },
};

/** The draft as the seam loads it when the case is decided: what was added before is on the books. */
function loaded(kind: CaseKind): Draft {
  const { wallet, order, payments, added } = kinds[kind].opens();
  const moneyCase = added.cases[0];
  expect(moneyCase).toMatchObject({ kind, state: 'open', caseNo: 1 });
  return { ...aDraft(wallet, order), payments, cases: moneyCase ? [moneyCase] : [] };
}

function decideOn(draft: Draft, type: 'creditCase' | 'returnCase'): string {
  const before = JSON.stringify(draft);
  const by = { actor: 'ann', approver: null, reason: 'checked' };
  const named = { merchantId: draft.wallet.merchantId, caseNo: 1, orderNo: draft.order?.orderNo ?? null };
  const refusal = decide(draft, { type, ...named, by }, null, at(noon));
  if (refusal !== null) expect(JSON.stringify(draft)).toBe(before);
  return refusal ?? 'ok';
}

const wordsOf = (draft: Draft): string[] => [
  draft.order?.status ?? 'none',
  ...inWords({ ...draft, order: null }).map((line) => line.replace(/ -> .*/, '')),
];

test.each(Object.keys(kinds) as CaseKind[])('a case of %s is credited or returned, once, or neither', (kind) => {
  const { credit, return: back } = kinds[kind];
  const credited = loaded(kind);
  if (typeof credit === 'string') expect(decideOn(credited, 'creditCase')).toBe(credit);
  else {
    expect(decideOn(credited, 'creditCase')).toBe('ok');
    expect(wordsOf(credited)).toEqual(credit);
    expect(credited.changedCases).toMatchObject([{ state: 'credited', closedAt: noon }]);
    for (const again of ['creditCase', 'returnCase'] as const) expect(decideOn(credited, again)).toBe('case_closed');
  }
  const sent = loaded(kind);
  expect(decideOn(sent, 'returnCase')).toBe('ok');
  expect(wordsOf(sent)).toEqual(back);
  expect(sent.changedCases).toMatchObject([{ state: 'returned', closedAt: noon }]);
  expect(sent.added.audits).toMatchObject([{ action: 'returnCase', subject: 'case 1', actor: 'ann' }]);
  for (const again of ['creditCase', 'returnCase'] as const) expect(decideOn(sent, again)).toBe('case_closed');
});

test('what the bank returned of a payout that failed is not credited: the merchant has its money', () => {
  const { wallet, order, payments, added } = told(payout(), failed, { ...returned, payments: [] } as ChannelAnswer);
  expect(added.cases).toMatchObject([{ kind: 'payout_returned' }]);
  expect(decideOn({ ...aDraft(wallet, order), payments, cases: added.cases }, 'creditCase')).toBe(
    'case_not_creditable',
  );
});

test('late money of another sum cannot complete the order', () => {
  const { wallet, order, payments, added } = told(payin(), failed, paid(payment('P1', '99.00')));
  const draft = { ...aDraft(wallet, order), payments, cases: added.cases };
  expect(decideOn(draft, 'creditCase')).toBe('case_not_creditable');
});

test('a case that is not there', () => {
  expect(decideOn(aDraft(aWallet('TH')), 'creditCase')).toBe('case_not_found');
});

/** The draft as it is loaded to decide its cases. */
const reloaded = ({ wallet, order, payments, added }: Draft): Draft => ({
  ...aDraft(wallet, order),
  payments,
  cases: added.cases,
});
const creditAll = (draft: Draft, caseNos: number[], more: object = {}): string => {
  const before = JSON.stringify(draft);
  const by = { actor: 'ann', approver: null, reason: 'checked' };
  const [caseNo = 0, ...alsoCaseNos] = caseNos;
  const orderNo = draft.order?.orderNo ?? null;
  const named = { merchantId: draft.wallet.merchantId, caseNo, alsoCaseNos, orderNo, ...more };
  const refusal = decide(draft, { type: 'creditCase', ...named, by }, null, at(noon));
  if (refusal !== null) expect(JSON.stringify(draft)).toBe(before);
  return refusal ?? 'ok';
};
const statesOf = (draft: Draft): string => draft.cases.map(({ state }) => state).join(' ');

test('an order that was paid in parts after its end is credited with all of them, and what is left is a case', () => {
  const late = reloaded(
    told(payin(), failed, paid(payment('P1', '60.00')), paid(payment('P2', '60.00'), payment('P3', '1.00'))),
  );
  expect(creditAll(late, [1])).toBe('case_not_creditable');
  expect(creditAll(late, [1, 1])).toBe('case_not_creditable');
  expect(creditAll(late, [1, 9])).toBe('case_not_found');
  // The third is not needed.
  expect(creditAll(late, [1, 2, 3])).toBe('case_not_creditable');
  expect(creditAll(late, [1, 2])).toBe('ok');
  expect(wordsOf(late)).toEqual([
    ...['completed', 'suspense > available 97.50', 'suspense > fee_revenue 2.50', 'PAYIN 97.50'],
    ...['case wrong_amount 20.00', 'notify completed'],
  ]);
  expect(statesOf(late)).toBe('credited credited open');
  expect(late.added.cases).toMatchObject([{ reference: 'P2', orderNo: late.order?.orderNo, state: 'open' }]);
  expect(creditAll(late, [2, 3])).toBe('case_closed');
});

test('100.01 for 100.00 is credited once the order has ended, and 0.01 is left', () => {
  const draft = reloaded(told(payin(), paid(payment('P1', '100.01'))));
  expect(creditAll(draft, [1])).toBe('case_not_creditable');
  const ended = reloaded(told(payin(), paid(payment('P1', '100.01')), half));
  expect(creditAll(ended, [1])).toBe('ok');
  expect(wordsOf(ended).slice(-2)).toEqual(['case wrong_amount 0.01', 'notify completed']);
});

test('money of no open order is credited to the wallet, as an adjustment of its own number', () => {
  const draft = reloaded(told(payin(), paid(payment('P1')), paid(payment('P2', '30.00')), paid(payment('P3', '5.00'))));
  expect(creditAll(draft, [1, 2], { toWallet: true })).toBe('ok');
  expect(wordsOf(draft)).toEqual(['completed', 'suspense > available 35.00', 'ADJUSTMENT 35.00']);
  expect(draft.added.entries).toMatchObject([{ bookingNo: 'CASE/TH-1/1', remark: 'cases 1, 2', orderNo: null }]);
});

/** Money of the platform's, and the merchant's order that it may be for. */
function ofPlatform(status: 'processing' | 'timeout'): Draft {
  const { wallet, added } = unmatched();
  const platform = { ...wallet, merchantId: 'PLATFORM-TH' };
  const cases = added.cases.map((one) => ({ ...one, merchantId: 'PLATFORM-TH' }));
  const order = anOrder('TH', { status, nextAction: null, nextActionAt: null });
  return { ...aDraft(platform, order), cases, otherWallet: aWallet('TH') };
}

test('unmatched money is credited to an order of a merchant: out of the one suspense, through the other', () => {
  expect(creditAll(ofPlatform('processing'), [1], { toMerchantId: 'TH-1' })).toBe('case_not_creditable');
  const draft = ofPlatform('timeout');
  expect(creditAll(draft, [1], { toMerchantId: 'TH-1' })).toBe('ok');
  expect(draft.added.transfers.map((t) => `${t.merchantId} ${t.debit} > ${t.credit} ${t.amount}`)).toEqual([
    ...['PLATFORM-TH suspense > channel:fake 100.00', 'TH-1 channel:fake > suspense 100.00'],
    ...['TH-1 suspense > available 97.50', 'TH-1 suspense > fee_revenue 2.50'],
  ]);
  expect(draft.otherWallet).toMatchObject({
    merchantId: 'TH-1',
    available: '97.50',
    lastTransferNo: 3,
    lastAuditNo: 1,
  });
  expect(draft.wallet).toMatchObject({ merchantId: 'PLATFORM-TH', available: '0.00', lastAuditNo: 1 });
  expect(draft.added.payments).toMatchObject([{ merchantId: 'TH-1', reference: 'P1', use: 'suspense' }]);
  expect(draft.added.audits.map((a) => `${a.merchantId} ${a.subject}`)).toEqual([
    'PLATFORM-TH case 1',
    `TH-1 ${draft.order?.orderNo}`,
  ]);
});

test("unmatched money that was reported for the order as well is not credited to it, nor is one merchant's money to another", () => {
  const twice = ofPlatform('timeout');
  const known = { merchantId: 'TH-1', orderNo: 'PI1', reference: 'P1', channelId: 'fake', amount: '100.00' };
  twice.payments.push({ ...known, use: 'suspense', receivedAt: noon, batchNo: null });
  expect(creditAll(twice, [1], { toMerchantId: 'TH-1' })).toBe('case_not_creditable');
  const anothers = {
    ...reloaded(told(payin(), failed, paid(payment('P1')))),
    otherWallet: aWallet('TH', { merchantId: 'TH-2' }),
  };
  expect(creditAll(anothers, [1], { toMerchantId: 'TH-2' })).toBe('case_not_creditable');
  const foreign = { ...ofPlatform('timeout'), otherWallet: aWallet('PK') };
  expect(creditAll(foreign, [1], { toMerchantId: 'PK-1' })).toBe('case_not_creditable');
});
