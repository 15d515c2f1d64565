import { createHash } from 'node:crypto';
import type { ChannelRefund, RefundAnswer } from '@tidegate/domain/channels';
import { retryUntilAnswered } from '../provider/http-client.ts';
import { toMinorUnits } from '../provider/minor-units.ts';
import { type Account, ask, type Call, readReply, send, unanswered } from './api.ts';
import { meaningOf, noAnswer, refundStates } from './mapping.ts';
import { wireRefund, wireRefunds } from './wire.ts';

const pageSize = 100;
const isPayment = (reference: string) => /^pay_[A-Za-z0-9]{1,40}$/.test(reference);

/**
 * Refunds a payment or a part of it. First the refund is searched by our refund number. The idempotency key then keeps
 * two calls at the same time apart. How long Razorpay stores the key is not documented.
 */
export async function refundPayment(
  account: Account,
  refund: ChannelRefund,
  signal: AbortSignal,
): Promise<RefundAnswer> {
  const amount = toMinorUnits(refund.refundAmount);
  if (refund.kind !== 'payin' || !isPayment(refund.reference))
    return { outcome: 'refused', reason: 'not a payment at Razorpay' };
  if (amount === null || amount < 100) return { outcome: 'refused', reason: 'a refund must be at least 1.00' };
  const known = await findRefund(account, refund, signal);
  if (known.outcome !== 'unknown' || known.why !== 'not_found') return known;
  const call: Call = {
    method: 'POST',
    path: `/payments/${refund.reference}/refund`,
    headers: { 'x-refund-idempotency': idempotencyKey(refund.refundNo) },
    body: JSON.stringify({ amount, speed: 'normal', receipt: refund.refundNo, notes: { order_no: refund.orderNo } }),
  };
  const attempt = () => send(account, account.settings.keys, call, signal);
  const reply = readReply(await retryUntilAnswered(attempt, signal));
  if (reply.kind === 'none') return unanswered(reply);
  if (reply.kind === 'ok') return answerOf(reply.json, refund);
  const refundFound = await findRefund(account, refund, signal);
  const isMissing = refundFound.outcome === 'unknown' && refundFound.why === 'not_found';
  return isMissing && !/idempoten/i.test(reply.description)
    ? { outcome: 'refused', reason: reply.reason }
    : refundFound;
}

/** The refund of our number among those of its payment. */
export async function findRefund(account: Account, refund: ChannelRefund, signal: AbortSignal): Promise<RefundAnswer> {
  if (!isPayment(refund.reference)) return noAnswer('not a payment at Razorpay');
  const path = `/payments/${refund.reference}/refunds?count=${pageSize}`;
  const reply = await ask(account, account.settings.keys, { method: 'GET', path }, signal);
  if (reply.kind !== 'ok') return unanswered(reply);
  const parsed = wireRefunds.safeParse(reply.json);
  if (!parsed.success) return noAnswer('reply is not a list of refunds');
  const { items } = parsed.data;
  const ours = items.filter(({ receipt }) => receipt === refund.refundNo);
  if (ours.length > 1) return noAnswer('several refunds have this number');
  if (ours.length === 1) return answerOf(ours[0], refund);
  if (items.length >= pageSize) return noAnswer('the payment has too many refunds to read');
  // If another call makes the refund meanwhile, the idempotency key prevents a second one.
  return { outcome: 'unknown', why: 'not_found', maySendAgain: true, detail: 'Razorpay has no such refund' };
}

function answerOf(json: unknown, { refundNo, reference, refundAmount }: ChannelRefund): RefundAnswer {
  const parsed = wireRefund.safeParse(json);
  if (!parsed.success) return noAnswer('reply is not a refund');
  const { id, payment_id, amount, currency, receipt, status } = parsed.data;
  if (receipt !== refundNo || payment_id !== reference) return noAnswer('reply is about another refund');
  if (amount !== toMinorUnits(refundAmount) || currency !== 'INR')
    return noAnswer('the refund has another amount or currency');
  const state = meaningOf(refundStates, status);
  if (state === undefined) return noAnswer(`unknown state of a refund: ${status.slice(0, 40)}`);
  if (state === 'failed') return { outcome: 'failed', reason: 'failed at Razorpay' };
  return { outcome: state, refundRef: id };
}

/** At least 10 letters, digits, hyphens or underscores. */
function idempotencyKey(refundNo: string): string {
  return /^[A-Za-z0-9_-]{10,64}$/.test(refundNo) ? refundNo : createHash('sha256').update(refundNo).digest('hex');
}
