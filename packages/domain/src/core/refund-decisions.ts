import { truncateText } from './channel-answer.ts';
import type { ApplyRefund, ClaimRefund, WithId } from './commands.ts';
import type { Deciders } from './decider.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { isAlone } from './operator.ts';
import type { ResolveRefund } from './operator-commands.ts';
import type { MoneyCase } from './payment.ts';
import { isEnded, type Refund, refundReasons } from './refund.ts';
import { describeRefundAnswer, type RefundAnswer } from './refund-answer.ts';
import type { Rejection } from './rejection.ts';
import { failedRefundChecks, payoutPollWaits, waitAt } from './schedule.ts';
import { walletOf } from './state.ts';
import type { Story } from './story.ts';

// Money of a case that is refunded through its channel (ADR 0019). It stays in suspense until the channel confirms the
// refund, or operators saw it. Meanwhile the case takes no other decision. It is requested by a decision of its case.

export const refundDeciders: Deciders<'claimRefund' | 'applyRefund' | 'resolveRefund'> = {
  claimRefund,
  applyRefund,
  resolveRefund,
};

/** Reserves an open case, and makes its refund due at once. */
export function requestRefund(story: Story, found: MoneyCase, refundNo: string): Story | Rejection {
  const reason = refundReasons[found.kind];
  if (reason === undefined) return 'operation_not_available';
  const { order } = story.state;
  const { merchantId, caseNo, channelId, reference, currency, amount } = found;
  const orderNo = found.paymentOrderNo;
  // What operators confirmed by hand has a reference of the bank, not of a channel.
  const isByHand = order !== null && (order.kind !== 'payin' || order.mode !== 'upstream');
  if (reference === null || orderNo === null || isByHand) return 'case_not_refundable';
  const { now } = story;
  const refund: Refund = {
    merchantId,
    refundNo,
    caseNo,
    channelId,
    orderNo,
    reference,
    currency,
    amount,
    reason,
    state: 'requested',
    refundRef: null,
    answer: null,
    transferNo: null,
    endedAt: null,
    commandId: null,
    nextAction: 'send',
    nextActionAt: now,
    attempt: 0,
    sends: 0,
    createdAt: story.at,
    updatedAt: story.at,
  };
  return story.add({ type: 'refund requested', refund }).reserveCase(found, refundNo);
}

/** Claims the refund's next action for the lease, if it is due and was not changed since it was read. */
function claimRefund(story: Story, { action, attempt, lease, id }: ClaimRefund & WithId): Story | Rejection {
  const { now } = story;
  const { refund } = story.state;
  if (!refund) return 'refund_not_found';
  const { nextAction, nextActionAt, sends } = refund;
  if (nextActionAt === null || nextActionAt > now) return 'not_due';
  if (nextAction !== action || refund.attempt !== attempt) return 'not_due';
  return story.changeRefund(refund, {
    attempt: attempt + 1,
    sends: nextAction === 'send' ? sends + 1 : sends,
    // If the worker dies, the refund may have been sent or not. So the next action is a query.
    nextAction: 'query',
    nextActionAt: now + lease,
    commandId: id ?? null,
  });
}

/**
 * Applies a channel's answer. Only `refunded` moves money, and only once. Only `refused` and `failed` free the case.
 * Anything else is asked again, without an end.
 */
function applyRefund(story: Story, { answer, during }: ApplyRefund): Story | Rejection {
  const { refund } = story.state;
  if (!refund) return 'refund_not_found';
  const description = describeRefundAnswer(answer);
  if (answer.outcome === 'refunded') {
    const { refundRef } = answer;
    return isEnded(refund)
      ? bookLateRefund(story, refund, refundRef)
      : bookRefund(story, refund, refundRef, description);
  }
  if (isEnded(refund)) return applyAfterEnd(story, refund, answer, description);
  switch (answer.outcome) {
    case 'accepted': {
      const { refundRef } = answer;
      return story.changeRefund(refund, {
        ...nextCall(story, refund),
        state: 'accepted',
        refundRef,
        answer: description,
      });
    }
    case 'refused':
    case 'failed':
      return giveUp(story, refund, description);
    case 'unknown':
      return story.changeRefund(refund, {
        ...nextCall(story, refund, maySend(refund, answer) ? during : null),
        answer: description,
      });
    default:
      return answer satisfies never;
  }
}

/**
 * Applies an answer about a refund that has ended. If the refund failed and the channel has it nevertheless, it is
 * queried until the channel knows its outcome.
 */
function applyAfterEnd(story: Story, refund: Refund, answer: RefundAnswer, description: string): Story {
  const isFollowed = refund.nextAction !== null;
  if (refund.transferNo !== null) return isFollowed ? story.changeRefund(refund, noAction) : story;
  if (answer.outcome === 'accepted') {
    const { refundRef } = answer;
    return story.changeRefund(refund, {
      ...nextCall(story, refund),
      refundRef,
      answer: 'accepted, after it had failed',
    });
  }
  if (!isFollowed) return story;
  if (answer.outcome !== 'unknown') return story.changeRefund(refund, { ...noAction, answer: description });
  // A refund that the channel once had is queried without an end.
  return story.changeRefund(refund, refund.refundRef === null ? nextCheck(story, refund) : nextCall(story, refund));
}

/**
 * Ends a refund by evidence; two operators have to agree, as for a stuck payout (decisions 5.4). It does not fail while
 * a worker may be calling the channel. After it failed, the channel is asked a few times more.
 */
function resolveRefund(story: Story, { outcome, evidence, by, ...named }: ResolveRefund): Story | Rejection {
  const { refund, cases } = story.state;
  const found = cases.find(({ merchantId, caseNo }) => merchantId === named.merchantId && caseNo === named.caseNo);
  if (!found) return 'case_not_found';
  if (found.state !== 'open' || found.refundNo === null) return 'operation_not_available';
  if (isAlone(by)) return 'second_operator_needed';
  if (!refund || refund.refundNo !== found.refundNo) return 'refund_not_found';
  const evidenceText = truncateText(`seen by operators: ${evidence}`, 200);
  if (outcome === 'refunded') return bookRefund(story, refund, refund.refundRef, evidenceText);
  if (isBeingCalled(story, refund)) return 'not_due';
  return giveUp(story, refund, evidenceText, nextCheck(story, { endedAt: story.now }));
}

/** Whether the refund may be sent. One that the channel accepted once is never sent again. */
function maySend({ state }: Refund, answer: RefundAnswer): boolean {
  if (state === 'accepted') return false;
  return answer.outcome === 'unknown' && answer.why === 'not_found' && answer.maySendAgain === true;
}

/** Whether a worker has claimed it, and its lease is not over: an answer takes the claim's id away. */
function isBeingCalled({ now }: Story, { commandId, nextActionAt }: Refund): boolean {
  return commandId !== null && nextActionAt !== null && nextActionAt > now;
}

type NextStep = Pick<Refund, 'nextAction' | 'nextActionAt' | 'commandId'>;

const noAction: NextStep = { nextAction: null, nextActionAt: null, commandId: null };

/** The next check of a refund that failed, counted from its end; after the last one there is none. */
function nextCheck({ now, context }: Story, { endedAt }: Pick<Refund, 'endedAt'>): NextStep {
  const times = failedRefundChecks.map((wait) => (endedAt ?? now) + Math.round(wait * context.scheduleScale));
  const next = times.find((time) => time > now);
  return next === undefined ? noAction : { nextAction: 'query', nextActionAt: next, commandId: null };
}

/**
 * The next call and its time. A refund that a query did not find is sent at once. One that is missing right after a
 * send waits as scheduled. `mayFollow`: the call that found that the refund may be sent again; null: it may not.
 */
function nextCall(
  { now, context }: Story,
  { attempt }: Refund,
  mayFollow: ApplyRefund['during'] | null = null,
): NextStep {
  const wait = Math.round(waitAt(payoutPollWaits, Math.max(0, attempt - 1)) * context.scheduleScale);
  if (mayFollow === null) return { nextAction: 'query', nextActionAt: now + wait, commandId: null };
  return { nextAction: 'send', nextActionAt: mayFollow === 'query' ? now : now + wait, commandId: null };
}

/** Moves the money out of suspense, and closes the case. */
function bookRefund(story: Story, refund: Refund, refundRef: string | null, answer: string): Story {
  const found = caseOf(story, refund);
  const booked = postRefund(story, refund, found);
  const { lastTransferNo: transferNo } = walletOf(booked.state, refund.merchantId);
  return booked
    .changeRefund(refund, { ...noAction, endedAt: story.now, state: 'refunded', refundRef, answer, transferNo })
    .closeCase({ ...found, refundNo: refund.refundNo }, 'returned');
}

/**
 * Releases the case for another decision. `next`: when the channel is queried to check that the refund really failed.
 */
function giveUp(story: Story, refund: Refund, answer: string, next: NextStep = noAction): Story {
  return story
    .changeRefund(refund, { ...next, endedAt: story.now, state: 'failed', answer })
    .reserveCase(caseOf(story, refund), null);
}

/**
 * Books money that was refunded although the refund had failed. If its case is still open, the case is returned with
 * this refund. Otherwise the money left by mistake: suspense bears it, and a new case shows it.
 */
function bookLateRefund(story: Story, refund: Refund, refundRef: string): Story {
  if (refund.transferNo !== null) return refund.nextAction === null ? story : story.changeRefund(refund, noAction);
  const found = caseOf(story, refund);
  const answer = 'refunded, after it had failed';
  if (found.state === 'open' && found.refundNo === null) return bookRefund(story, refund, refundRef, answer);
  const { merchantId, refundNo, channelId } = refund;
  const booked = postRefund(story, refund, found);
  const { lastTransferNo: transferNo } = walletOf(booked.state, merchantId);
  return booked.changeRefund(refund, { ...noAction, refundRef, answer, transferNo }).openCase({
    merchantId,
    kind: 'payout_paid_again',
    orderNo: found.orderNo,
    channelId,
    reference: refundRef,
    amount: Money.of(refund.amount, story.state.wallet.currency),
    detail: `refund ${refundNo} of case ${found.caseNo} was paid out after it had failed`,
  });
}

function postRefund(story: Story, { merchantId, channelId, amount }: Refund, { orderNo }: MoneyCase): Story {
  const money = { merchantId, orderNo, amount: Money.of(amount, story.state.wallet.currency) };
  return story.post({ ...money, debit: 'suspense', credit: channelAccount(channelId), cause: 'suspense_out' });
}

function caseOf({ state }: Story, { merchantId, caseNo }: Refund): MoneyCase {
  const found = state.cases.find((one) => one.merchantId === merchantId && one.caseNo === caseNo);
  if (!found) throw new Error(`case ${caseNo} of ${merchantId} was not loaded`);
  return found;
}
