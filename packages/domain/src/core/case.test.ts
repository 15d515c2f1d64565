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
  return { ...aDraft(wallet, order), payments, moneyCase: moneyCase ?? null };
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
  const moneyCase = added.cases[0] ?? null;
  expect(moneyCase?.kind).toBe('payout_returned');
  expect(decideOn({ ...aDraft(wallet, order), payments, moneyCase }, 'creditCase')).toBe('case_not_creditable');
});

test('late money of another sum cannot complete the order', () => {
  const { wallet, order, payments, added } = told(payin(), failed, paid(payment('P1', '99.00')));
  const draft = { ...aDraft(wallet, order), payments, moneyCase: added.cases[0] ?? null };
  expect(decideOn(draft, 'creditCase')).toBe('case_not_creditable');
});

test('a case that is not there', () => {
  expect(decideOn(aDraft(aWallet('TH')), 'creditCase')).toBe('case_not_found');
});
