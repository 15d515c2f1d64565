import { expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { anOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';
import type { Payment } from './payment.ts';

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

test('a completed payin can be contradicted if a payment was credited', () => {
  expect(detailsOf(payin().whenReportedEach([paid, failed]))).toHaveLength(1);
});

test('a payin whose late payment was credited is contradicted once by failed, and nothing but a case comes of it', () => {
  const late = payin().whenReportedEach([failed, paid]);
  const { merchantId, orderNo } = late.order;
  const by = { actor: 'ann', approver: 'bob', reason: 'seen' };
  const credited = late.when({ type: 'creditCase', merchantId, caseNo: 1, orderNo, by }, at(noon + 1_000));
  const { wallet, order } = credited.state;
  const contradicted = credited.whenReported(failed, 'query', noon + 2_000);
  expect(contradicted.last).toMatchObject([
    { type: 'order changed' },
    { type: 'case opened', opened: { kind: 'contradiction', state: 'open', detail: 'no (failed) after completed' } },
  ]);
  expect(contradicted.order).toMatchObject({ status: 'completed', paidAmount: order?.paidAmount });
  const { available, frozen, lastEntryNo, lastTransferNo } = wallet;
  expect(contradicted.state.wallet).toMatchObject({ available, frozen, lastEntryNo, lastTransferNo });
  expect(contradicted.whenReported(failed, 'query', noon + 3_000).last).toEqual([]);
});

test('a payin that was credited with money of another order is not contradicted by failed: its channel was right', () => {
  const { merchantId, orderNo, channelId } = anOrder('TH');
  const about = { merchantId, orderNo, channelId, amount: '100.00', batchNo: 1, line: null };
  const moved: Payment = { ...about, seq: 1, direction: 'in', reference: null, use: 'suspense', receivedAt: noon };
  const completed = anOrder('TH', { status: 'completed', completedAt: noon, nextAction: null, nextActionAt: null });
  const credited = given(aWallet('TH'), completed, { payments: [moved] });
  expect(detailsOf(credited.whenReported(failed, 'query', noon + 1_000))).toEqual([]);
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
