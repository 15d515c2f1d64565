import { type ChannelAccess, type ChannelTurn, callChannel, enterChannel } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { Order } from '../core/order.ts';
import type { Rejection } from '../core/rejection.ts';
import type { Candidate } from '../core/routing.ts';
import { createDeadline, turnDeadline } from '../core/schedule.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { LedgerAccess } from '../ledger/index.ts';
import { bookUnmatched } from './book-unmatched.ts';
import { orderOf } from './order-of.ts';

type SubmitAccess = LedgerAccess & ChannelAccess & DirectoryAccess & Telemetry;

/** What became of a payin that was submitted, and the failure for its merchant. */
export interface SubmittedPayin {
  order: Order;
  rejection: Rejection | null;
}

/**
 * Sends a payin to its channel, with its turn there, and books the answer. Only after an outright refusal
 * it goes to the next of `fallbacks` that can be called soon. All within 8 s (decisions 5.3). Returns the order's
 * current state, and the failure for the merchant. That is null if the order was accepted, or if a callback was faster
 * than the answer.
 */
export async function submitPayin(
  domain: SubmitAccess,
  placed: Order,
  fallbacks: readonly Candidate[],
  turn: ChannelTurn | null,
): Promise<SubmittedPayin> {
  const deadline = AbortSignal.timeout(createDeadline);
  const endsAt = performance.now() + createDeadline;
  const left = [...fallbacks];
  let order = placed;
  let current = turn;
  for (;;) {
    const answer = await callChannel(domain, order, 'create', deadline, { endsAt, turn: current?.turn ?? null });
    current?.leave();
    const next = answer.outcome === 'refused' ? await enterNext(domain, order, left, endsAt) : null;
    if (answer.outcome !== 'refused' || !next) return bookAnswer(domain, order, answer);
    current = next.turn;
    const { channelId, channelBankCode } = next.candidate;
    const ref = { merchantId: order.merchantId, orderNo: order.orderNo };
    const moved = await domain
      .commit({
        type: 'reroute',
        ref,
        fromChannelId: order.channelId,
        toChannelId: channelId,
        toChannelBankCode: channelBankCode,
        reason: answer.reason,
      })
      .catch((error: unknown) => {
        next.turn.leave();
        throw error;
      });
    if (!moved.ok) {
      next.turn.leave();
      // A callback may have moved the order meanwhile; then it stays where it is.
      return { order: await orderOf(domain, ref), rejection: null };
    }
    order = moved.order ?? order;
  }
}

/**
 * The next channel with a turn for the order. Null: there is none that can be called soon. Then the refusal counts, and
 * the order does not wait at a channel that it may never be sent to.
 */
async function enterNext(
  domain: ChannelAccess,
  { merchantId }: Order,
  left: Candidate[],
  endsAt: number,
): Promise<{ candidate: Candidate; turn: ChannelTurn } | null> {
  for (let candidate = left.shift(); candidate; candidate = left.shift()) {
    const maxWaitMs = Math.min(turnDeadline, endsAt - performance.now());
    const entered = await enterChannel(domain, candidate.channelId, {
      owner: merchantId,
      // Its order exists, so it goes before payins that have not begun.
      priority: 'poll',
      maxWaitMs,
    });
    if (entered.ok) return { candidate, turn: entered.value };
  }
  return null;
}

async function bookAnswer(domain: SubmitAccess, order: Order, answer: ChannelAnswer): Promise<SubmittedPayin> {
  const ref = { merchantId: order.merchantId, orderNo: order.orderNo };
  const { channelId } = order;
  const applied = await domain.commit({ type: 'applyReport', ref, channelId, answer, during: 'create' });
  if (!applied.ok && 'payments' in answer) await bookUnmatched(domain, channelId, { ...order, answer });
  const after = (applied.ok && applied.order) || (await orderOf(domain, ref));
  return { order: after, rejection: rejectionOf(after, answer.outcome) };
}

function rejectionOf(order: Order, outcome: string): Rejection | null {
  const ended = order.status === 'failed' || order.status === 'timeout' || order.status === 'cancelled';
  if (!ended) return null;
  if (outcome === 'refused' || outcome === 'failed') return 'upstream_rejected';
  return outcome === 'unknown' ? 'upstream_timeout' : null;
}
