import { expect, test } from 'vitest';
import { all, Given, given } from '../testing/given.ts';
import { ledgerInWords } from '../testing/in-words.ts';
import { anOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';
import { type CaseKind, progressOfCase } from './payment.ts';
import type { RefundAnswer } from './refund-answer.ts';
import { versionOfCase } from './version.ts';

// Money of a case that is refunded through its channel: what each decision and each answer comes to.

const minute = 60_000;
const by = { actor: 'ann', approver: null, reason: 'checked' };
const failed: ChannelAnswer = { outcome: 'failed', reason: 'no' };
const paid = (...payments: [reference: string, amount: string][]): ChannelAnswer => ({
  outcome: 'paid',
  payments: payments.map(([reference, amount]) => ({ reference, amount })),
});

/** The state as another transaction finds it: what was added before is past. */
const later = ({ state }: Given): Given => new Given(state);
const lateCase = (changes: Parameters<typeof anOrder>[1] = {}): Given =>
  later(given(aWallet('TH'), anOrder('TH', changes)).whenReportedEach([failed, paid(['P1', '100.00'])]));

const ref = { merchantId: 'TH-1', caseNo: 1, refundNo: 'RF1' };
function decide(before: Given, refundNo?: string, type: 'returnCase' | 'creditCase' = 'returnCase'): Given {
  const orderNo = before.state.order?.orderNo ?? null;
  const way = refundNo !== undefined && { refundNo };
  return before.when({ type, merchantId: before.state.wallet.merchantId, caseNo: 1, orderNo, by, ...way });
}
const claim = (before: Given, attempt = 0, now = noon): Given => {
  const action = before.state.refund?.nextAction ?? 'query';
  return before.when({ type: 'claimRefund', id: `claim ${attempt}`, ...ref, action, attempt, lease: 25_000 }, at(now));
};
const apply = (before: Given, answer: RefundAnswer, during: 'send' | 'query' = 'send', now = noon): Given =>
  before.when({ type: 'applyRefund', ...ref, answer, during }, at(now));

const refunded: RefundAnswer = { outcome: 'refunded', refundRef: 'R-1' };
const accepted: RefundAnswer = { outcome: 'accepted', refundRef: 'R-1' };
const refused: RefundAnswer = { outcome: 'refused', reason: 'balance too low' };
const silent: RefundAnswer = { outcome: 'unknown', why: 'no_answer', detail: 'time-out' };
const missing: RefundAnswer = { outcome: 'unknown', why: 'not_found', detail: 'no such refund' };
const repeatable: RefundAnswer = { ...missing, maySendAgain: true };

const sent = (): Given => claim(decide(lateCase(), 'RF1'));
const shown = ({ state }: Given) => state.cases.map(progressOfCase);

test('a decision reserves the case and makes the refund due at once; no money moves', () => {
  const decided = decide(lateCase(), 'RF1');
  expect(decided.state.refund).toMatchObject({
    refundNo: 'RF1',
    caseNo: 1,
    channelId: 'fake',
    orderNo: 'PI000000001',
    reference: 'P1',
    amount: '100.00',
    state: 'requested',
    nextAction: 'send',
    nextActionAt: noon,
    attempt: 0,
    sends: 0,
    transferNo: null,
    reason: 'paid after the order had ended',
  });
  expect(ledgerInWords(decided)).toEqual([]);
  expect(shown(decided)).toEqual(['returning']);
  expect(all(decided.events, 'record')).toMatchObject([{ action: 'returnCase', subject: 'case 1' }]);
  expect(all(decided.events, 'record')[0]?.detail).toContain('"refundNo":"RF1"');
});

test.each([
  ['returned by hand', (found: Given) => decide(found)],
  ['sent back again', (found: Given) => decide(found, 'RF2')],
  ['credited', (found: Given) => decide(found, undefined, 'creditCase')],
])('a case with a refund under way is not %s', (_what, again) => {
  for (const state of [decide(lateCase(), 'RF1'), apply(sent(), accepted), apply(sent(), silent)])
    again(state).gives('refund_under_way');
});

test('a confirmed refund moves the money once and closes the case, however often it is reported', () => {
  const back = apply(sent(), refunded);
  expect(ledgerInWords(back)).toEqual(['suspense > channel:fake 100.00']);
  expect(all(back.events, 'transfer')).toMatchObject([{ cause: 'suspense_out', orderNo: 'PI000000001' }]);
  const [transfer] = all(back.events, 'transfer');
  expect(back.state.refund).toMatchObject({
    state: 'refunded',
    refundRef: 'R-1',
    nextAction: null,
    nextActionAt: null,
    endedAt: noon,
    transferNo: transfer?.transferNo,
  });
  expect(back.state.cases).toMatchObject([{ state: 'returned', closedAt: noon, refundNo: 'RF1' }]);
  for (const answer of [refunded, accepted, refused, silent, { ...refunded, refundRef: 'R-2' }])
    apply(back, answer, 'query').gives([]);
  decide(back).gives('case_closed');
});

test.each([
  ['refused', refused, 'refused: balance too low'],
  ['failed', { outcome: 'failed', reason: 'account closed' } as const, 'failed: account closed'],
])('a refund that was %s opens the case for a new decision, with a new number', (_what, answer, said) => {
  const freed = apply(sent(), answer);
  expect(ledgerInWords(freed)).toEqual([]);
  expect(freed.state.refund).toMatchObject({ state: 'failed', answer: said, nextAction: null, endedAt: noon });
  expect(shown(freed)).toEqual(['open']);
  const again = decide(later(freed), 'RF2');
  expect(again.state.refund).toMatchObject({ refundNo: 'RF2', state: 'requested', attempt: 0 });
  expect(ledgerInWords(decide(later(freed)))).toEqual(['suspense > channel:fake 100.00']);
});

test('after a worker claimed a refund, the channel is queried before the refund is sent again', () => {
  expect(sent().state.refund).toMatchObject({ nextAction: 'query', nextActionAt: noon + 25_000, attempt: 1, sends: 1 });
  claim(sent(), 1).gives('not_due');
  // A second worker that read it before the first one claimed it.
  claim(sent(), 0, noon + minute).gives('not_due');
  expect(claim(sent(), 1, noon + minute).state.refund).toMatchObject({ nextAction: 'query', attempt: 2, sends: 1 });
});

// biome-ignore format: a table is read by its columns
test.each<[what: string, answer: RefundAnswer, during: 'send' | 'query', next: 'send' | 'query', seconds: number]>([
  ['without an answer',                            silent,     'send',  'query', 10],
  ['accepted',                                     accepted,   'send',  'query', 10],
  ['not found, and the adapter does not allow to send it again',    missing,    'query', 'query', 10],
  ['not found by a query, and may be sent again',  repeatable, 'query', 'send',  0],
  ['not found right after it was sent',                  repeatable, 'send',  'send',  10],
])('a refund %s stays under way', (_what, answer, during, next, seconds) => {
  const { state } = apply(sent(), answer, during);
  expect(state.refund).toMatchObject({ nextAction: next, nextActionAt: noon + seconds * 1000 });
  expect(shown(apply(sent(), answer, during))).toEqual(['returning']);
});

test('a refund without an outcome is queried without an end, at last once an hour', () => {
  let refund = sent();
  const waits: number[] = [];
  let now = noon;
  for (let attempt = 1; attempt <= 9; attempt++) {
    refund = apply(refund, silent, 'query', now);
    const due = refund.state.refund?.nextActionAt ?? 0;
    waits.push((due - now) / 1000);
    now = due;
    refund = claim(refund, attempt, now);
  }
  expect(waits).toEqual([10, 30, 60, 120, 300, 600, 1800, 3600, 3600]);
});

test('a refund that the channel accepted once is never sent again', () => {
  const lost = apply(apply(sent(), accepted), repeatable, 'query');
  expect(lost.state.refund).toMatchObject({ state: 'accepted', nextAction: 'query' });
});

test('a late refund that had failed before returns its case if the case is still open', () => {
  const late = apply(later(apply(sent(), refused)), refunded, 'query');
  expect(ledgerInWords(late)).toEqual(['suspense > channel:fake 100.00']);
  expect(late.state.cases).toMatchObject([{ state: 'returned', refundNo: 'RF1' }]);
  apply(late, refunded, 'query').gives([]);
});

test('a late refund of a case that was decided otherwise opens another case, and suspense bears it', () => {
  const { refund } = apply(sent(), refused).state;
  const decided = decide(later(apply(sent(), refused)));
  const late = apply(new Given({ ...decided.state, refund }), refunded, 'query');
  expect(ledgerInWords(late)).toEqual(['suspense > channel:fake 100.00', 'case payout_paid_again 100.00']);
  expect(late.state.refund).toMatchObject({
    state: 'failed',
    refundRef: 'R-1',
    answer: expect.stringContaining('after it had failed'),
  });
  apply(late, refunded, 'query').gives([]);
});

test.each<[CaseKind, () => Given, string | null]>([
  ['late', lateCase, null],
  [
    'double',
    () => later(given(aWallet('TH'), anOrder('TH')).whenReportedEach([paid(['P1', '100.00']), paid(['P2', '100.00'])])),
    null,
  ],
  ['wrong_amount', () => later(given(aWallet('TH'), anOrder('TH')).whenReported(paid(['P1', '99.00']))), null],
  [
    'parts_of_unpaid',
    () =>
      later(
        given(aWallet('TH'), anOrder('TH')).whenReported({
          outcome: 'timed_out',
          reason: 'late',
          payments: [{ reference: 'P1', amount: '50.00' }],
        }),
      ),
    'operation_not_available',
  ],
  [
    'contradiction',
    () =>
      later(
        given(aWallet('IN', { frozen: '102.50' }), anOrder('IN', {}, 'payout')).whenReportedEach([
          paid(['P1', '100.00']),
          failed,
        ]),
      ),
    'operation_not_available',
  ],
])('a case of %s can be sent back, or says why not', (kind, opens, rejection) => {
  const opened = opens();
  expect(opened.state.cases).toMatchObject([{ kind }]);
  expect(decide(opened, 'RF1').refusal).toBe(rejection);
});

test('a payment that operators confirmed on a manual channel cannot be refunded through the channel', () => {
  decide(lateCase({ mode: 'manual' }), 'RF1').gives('case_not_refundable');
});

test('unmatched money is refunded under the order number that the channel named', () => {
  const money = { channelId: 'fake', orderNo: 'PI9', reference: 'P1', amount: '100.00' };
  const merchantId = 'PLATFORM-TH';
  const booked = given(aWallet('TH', { merchantId })).when({
    type: 'bookUnmatched',
    direction: 'in',
    merchantId,
    ...money,
  });
  expect(decide(later(booked), 'RF1').state.refund).toMatchObject({ orderNo: 'PI9', reference: 'P1' });
});

function resolve(before: Given, outcome: 'refunded' | 'failed', now = noon, approver: string | null = 'bob'): Given {
  const resolution = { outcome, evidence: 'portal, line 7', by: { ...by, approver } };
  return before.when({ type: 'resolveRefund', ...ref, ...resolution }, at(now));
}

test('two operators end a refund by evidence, and one alone does not', () => {
  const stuck = apply(sent(), missing, 'query');
  resolve(stuck, 'refunded', noon, null).gives('second_operator_needed');
  const back = resolve(stuck, 'refunded');
  expect(ledgerInWords(back)).toEqual(['suspense > channel:fake 100.00']);
  expect(back.state.refund).toMatchObject({
    state: 'refunded',
    refundRef: null,
    answer: expect.stringContaining('portal, line 7'),
  });
  const freed = resolve(stuck, 'failed');
  expect([shown(freed), ledgerInWords(freed)]).toEqual([['open'], []]);
  resolve(lateCase(), 'failed').gives('operation_not_available');
});

test('the version of a case changes when it is reserved, and is as before when it is free again', () => {
  const versions = [lateCase(), decide(lateCase(), 'RF1'), apply(sent(), refused)].map(({ state }) =>
    state.cases.map(versionOfCase).join(),
  );
  expect(versions[0]).toBe(versions[2]);
  expect(versions[0]).not.toBe(versions[1]);
});

test('a refund does not fail by evidence while a worker may be calling the channel', () => {
  resolve(sent(), 'failed').gives('not_due');
  resolve(sent(), 'failed', noon + 24_999).gives('not_due');
  // The worker died, or its call was answered and the next one is due later.
  for (const free of [resolve(sent(), 'failed', noon + 25_000), resolve(apply(sent(), silent), 'failed')])
    expect(free.state.refund).toMatchObject({ state: 'failed' });
});

test('after it failed by evidence the channel is asked after an hour, a day, three days and a week', () => {
  let refund = later(resolve(apply(sent(), silent), 'failed'));
  const hours: number[] = [];
  for (let attempt = 1; attempt <= 4; attempt++) {
    const due = refund.state.refund?.nextActionAt ?? 0;
    hours.push((due - noon) / (60 * minute));
    refund = apply(claim(refund, attempt, due), repeatable, 'query', due + 1000);
  }
  expect(hours).toEqual([1, 24, 72, 168]);
  expect(refund.state.refund).toMatchObject({ state: 'failed', nextAction: null, nextActionAt: null, sends: 1 });
});

test('a refund that failed by evidence but exists at the channel is queried until the channel knows its outcome', () => {
  const freed = later(resolve(apply(sent(), silent), 'failed'));
  const { refund } = apply(apply(freed, accepted, 'send'), silent, 'query', noon + 300 * 60 * minute).state;
  expect(refund).toMatchObject({ state: 'failed', nextAction: 'query', answer: 'accepted, after it had failed' });
  const decided = new Given({ ...decide(freed).state, refund });
  const late = apply(decided, refunded, 'query');
  expect(ledgerInWords(late)).toEqual(['suspense > channel:fake 100.00', 'case payout_paid_again 100.00']);
  for (const { state } of [late, apply(decided, refused, 'query')])
    expect(state.refund).toMatchObject({ state: 'failed', nextAction: null });
});

test('a worker with an outdated next action does not claim the refund', () => {
  const read = { ...ref, attempt: 1, lease: 25_000 };
  const waiting = apply(sent(), silent);
  waiting.when({ type: 'claimRefund', ...read, action: 'send' }, at(noon + minute)).gives('not_due');
  expect(waiting.when({ type: 'claimRefund', ...read, action: 'query' }, at(noon + minute)).refusal).toBeNull();
});
