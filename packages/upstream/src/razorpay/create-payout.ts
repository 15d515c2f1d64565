import type { ChannelAnswer, ChannelOrder } from '@tidegate/domain/channels';
import { retryUntilAnswered } from '../provider/http-client.ts';
import { toMinorUnits } from '../provider/minor-units.ts';
import { type Account, type Call, readReply, send, unanswered } from './api.ts';
import { findBeneficiary, type Payee, readPayee } from './beneficiary.ts';
import { noAnswer } from './mapping.ts';
import { payerOf, rememberPayer, sentFromAnother } from './payer.ts';
import { answerOfPayout, findPayout, readPayout } from './query-payout.ts';
import type { Settings } from './settings.ts';

type Payouts = NonNullable<Settings['payouts']>;

/** An old page says that an idempotency key is valid for 7 days, so an order is not sent later than this. */
const maxAgeMs = 6 * 24 * 3_600_000;

/**
 * Creates a payout to the fund account of the payee. Our order number is the idempotency key. The payout is refused
 * only if Razorpay rejects it and has no payout with this number.
 */
export async function createPayout(
  account: Account,
  payouts: Payouts,
  order: ChannelOrder,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const payee = readPayee(order);
  if ('problem' in payee)
    return { outcome: 'refused', reason: `the payee’s ${payee.problem.field} ${payee.problem.reason}` };
  if (!/^[A-Za-z0-9_-]{4,36}$/.test(order.orderNo))
    return { outcome: 'refused', reason: 'the order number must be 4 to 36 letters or digits' };
  if (Date.now() - order.createdAt > maxAgeMs)
    return unlessFound(
      account,
      payouts,
      order,
      noAnswer('too old to be sent again without the risk of a second payout'),
      signal,
    );
  const payer = await payerOf(account, order.orderNo);
  if (payer !== null && payer !== payouts.accountNumber)
    return unlessFound(account, payouts, order, sentFromAnother, signal);
  const beneficiary = await findBeneficiary(account, payouts.keys, payee, signal);
  if ('refused' in beneficiary)
    return unlessFound(account, payouts, order, { outcome: 'refused', reason: beneficiary.refused }, signal);
  if (beneficiary.fundAccountId === null) return beneficiary.answer;
  const { fundAccountId } = beneficiary;
  if ((await rememberPayer(account, order.orderNo, payouts.accountNumber)) !== payouts.accountNumber)
    return sentFromAnother;
  const call: Call = {
    method: 'POST',
    path: '/payouts',
    headers: { 'x-payout-idempotency': order.orderNo },
    body: bodyOf(payouts, order, payee, fundAccountId),
  };
  const attempt = () => send(account, payouts.keys, call, signal);
  const reply = readReply(await retryUntilAnswered(attempt, signal));
  if (reply.kind === 'none') return unanswered(reply);
  if (reply.kind === 'error') {
    const refused: ChannelAnswer = /idempoten/i.test(reply.description)
      ? noAnswer('the idempotency key was used with other content')
      : { outcome: 'refused', reason: reply.reason };
    return unlessFound(account, payouts, order, refused, signal);
  }
  const payout = readPayout(reply.json, order);
  if (!payout.payout) return payout.answer;
  if (payout.payout.fund_account_id !== fundAccountId) return noAnswer('the payout goes to another fund account');
  return answerOfPayout(account, payouts, payout.payout, signal);
}

/** The payout with this number if Razorpay has one; `otherwise` only if it certainly has none. */
async function unlessFound(
  account: Account,
  payouts: Payouts,
  order: ChannelOrder,
  otherwise: ChannelAnswer,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const { channelRef: _, ...byNumber } = order;
  const found = await findPayout(account, payouts, byNumber, signal);
  if (found.payout) return answerOfPayout(account, payouts, found.payout, signal);
  return found.answer.outcome === 'unknown' && found.answer.why === 'not_found' ? otherwise : found.answer;
}

/** The body is the same for every attempt, because another body under the same key is refused. */
function bodyOf({ accountNumber }: Payouts, order: ChannelOrder, { mode }: Payee, fundAccountId: string): string {
  return JSON.stringify({
    account_number: accountNumber,
    fund_account_id: fundAccountId,
    amount: toMinorUnits(order.amount),
    currency: 'INR',
    mode,
    purpose: 'payout',
    queue_if_low_balance: true,
    reference_id: order.orderNo,
    narration: 'Payout',
    notes: { order_no: order.orderNo },
  });
}
