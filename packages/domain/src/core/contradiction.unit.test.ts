import { expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { anOrder, aWallet } from '../testing/on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';

// Which answers after an order's end contradict it (decisions 5.5), and which do not.

const payments = [{ reference: 'P1', amount: '100.00' }];
const paid: ChannelAnswer = { outcome: 'paid', payments };
const paidWithoutPayments: ChannelAnswer = { outcome: 'paid', payments: [] };
const failed: ChannelAnswer = { outcome: 'failed', reason: 'no' };
const refused: ChannelAnswer = { outcome: 'refused', reason: 'no' };
const closed: ChannelAnswer = { outcome: 'closed' };
const timedOut: ChannelAnswer = { outcome: 'timed_out', reason: 'late' };
const timedOutPaid: ChannelAnswer = { outcome: 'timed_out', reason: 'late', payments };
const open: ChannelAnswer = { outcome: 'accepted' };
const silent: ChannelAnswer = { outcome: 'unknown', why: 'not_found', detail: '' };

const payout = (): Given =>
  given(aWallet('IN', { available: '897.50', frozen: '102.50' }), anOrder('IN', {}, 'payout'));
const payin = (): Given => given(aWallet('TH'), anOrder('TH'));
const detailsOf = (before: Given): (string | null)[] =>
  all(before.events, 'opened').flatMap(({ kind, detail }) => (kind === 'contradiction' ? [detail] : []));

test.each<[string, ChannelAnswer, string | null]>([
  ['failed', failed, 'no (failed) after completed'],
  ['refused', refused, 'no (refused) after completed'],
  ['closed', closed, 'closed (closed) after completed'],
  ['timed out without payments', timedOut, 'late (timed_out) after completed'],
  ['timed out with its payments', timedOutPaid, null],
  ['still open', open, null],
  ['unknown', silent, null],
])('a completed payout that is reported as %s has the contradiction %o', (_, answer, expected) => {
  const after = payout().whenReported(paid).whenReported(answer);
  expect(detailsOf(after)).toEqual(expected === null ? [] : [expected]);
  expect(after.order).toMatchObject({ status: 'completed', contradiction: expected });
});

test.each<[string, ChannelAnswer, boolean]>([
  ['paid, without a payment', paidWithoutPayments, true],
  ['paid, with a payment, which has a case of its own', paid, false],
  ['failed once more', failed, false],
])('a failed payout that is reported as %s has a contradiction only without a payment', (_, answer, contradicts) => {
  const after = payout().whenReported(failed).whenReported(answer);
  expect(detailsOf(after)).toHaveLength(contradicts ? 1 : 0);
});

test('an order with a known payment is not contradicted by a report of paid', () => {
  expect(detailsOf(payout().whenReported(failed).whenReportedEach([paid, paidWithoutPayments]))).toEqual([]);
});

test('an order that is still open is not contradicted', () => {
  expect(detailsOf(payin().whenReportedEach([open, paidWithoutPayments]))).toEqual([]);
});

test('a completed payin can be contradicted only if a payment was credited', () => {
  expect(detailsOf(payin().whenReportedEach([paid, failed]))).toHaveLength(1);
});

test('a report of failed does not contradict a payin that an operator completed from a case', () => {
  const late = payin().whenReportedEach([failed, paid]);
  const { merchantId } = late.order;
  const by = { actor: 'ann', approver: 'bob', reason: 'seen' };
  const credited = late.when({ type: 'creditCase', merchantId, caseNo: 1, orderNo: late.order.orderNo, by });
  expect(credited.order.status).toBe('completed');
  expect(detailsOf(credited.whenReported(failed))).toEqual([]);
});

test('a contradiction opens a case again once the case before is closed', () => {
  const first = payout().whenReported(paid).whenReported(failed);
  expect(detailsOf(first.whenReported(refused))).toHaveLength(1);
  const { merchantId, orderNo } = first.order;
  const by = { actor: 'ann', approver: null, reason: 'a test' };
  const closed = first.when({ type: 'returnCase', merchantId, caseNo: 1, orderNo, by });
  expect(closed.order.contradiction).toBeNull();
  expect(detailsOf(closed.whenReported(refused))).toEqual([
    'no (failed) after completed',
    'no (refused) after completed',
  ]);
});
