import { type ChannelAnswer, describeAnswer } from './channel-answer.ts';
import type { ApplyReport, CreatePayout } from './commands.ts';
import { flagContradictingAnswer, flagContradiction } from './contradiction.ts';
import { Money } from './money.ts';
import { isTerminal } from './order.ts';
import { bookMovements } from './payout-payments.ts';
import { schedulePayout } from './payout-schedule.ts';
import type { Rejection } from './rejection.ts';
import { hasMoneyLeft, moneyThatLeft, releasePayout } from './settle-payout.ts';
import type { Cause, Story } from './story.ts';
import type { Trigger } from './transitions.ts';
import { entryOfOrder } from './wallet.ts';

/**
 * A new payout with its net amount frozen; refused if the balance is too low. It is created, and in India already
 * processing (decisions 5.2). A payout of the task market is listed as a task at once.
 */
export function createPayout(story: Story, { order }: CreatePayout): Story | Rejection {
  const { merchantId, orderNo, currency, mode } = order;
  const net = Money.of(order.netAmount, currency);
  const freeze = { type: 'PAYOUT_FREEZE', availableChange: net.negated(), frozenChange: net } as const;
  const next = mode === 'upstream' ? ({ nextAction: 'submit', nextActionAt: story.now } as const) : noAction;
  const created = story
    .enter(entryOfOrder(order, freeze))
    ?.post({ merchantId, orderNo, debit: 'available', credit: 'frozen', amount: net, cause: 'payout_freeze' })
    .createOrder(order, { ...next, attempt: 0, expiresAt: null }, { actor: 'merchant' });
  if (!created) return 'balance_insufficient';
  const started =
    mode === 'market' ? created.move('task_listed', { actor: 'market' }) : created.move('begun', { actor: 'merchant' });
  return started ?? created;
}

const noAction = { nextAction: null, nextActionAt: null };

/**
 * Applies a channel's answer about a payout. An answer that is not definite only changes the next poll time: the
 * freeze stays (decisions 5.4). A repeated, late or reordered answer changes nothing more.
 */
export function applyPayoutReport(story: Story, report: ApplyReport): Story {
  const { answer, line = null, explained = 0 } = report;
  const cause = { actor: `channel:${report.channelId}`, detail: describeAnswer(answer) };
  const before = story.order.status;
  const booked = bookMovements(story, answer, cause, { line, explained });
  // No channel was ever asked to process it, so none can end it. But money that a channel reports as moved is booked.
  if (booked.order.mode === 'market') return booked;
  const answered = takeAnswer(acknowledge(booked, answer), report, cause);
  const flagged = flagContradictingAnswer(answered, answer, before);
  return isTerminal(flagged.order.status) ? flagged : schedulePayout(flagged, report);
}

/** Stores the channel's reference at its first answer. */
function acknowledge(story: Story, answer: ChannelAnswer): Story {
  const { channelRef, orderNo } = story.order;
  if (channelRef !== null || answer.outcome === 'unknown' || answer.outcome === 'refused') return story;
  return story.changeOrder({ channelRef: answer.channelRef ?? orderNo });
}

/**
 * Ends the payout unpaid. If money is known to have left, that contradicts the answer: the freeze stays, and operators
 * find out.
 */
function release(story: Story, trigger: Trigger, cause: Cause): Story {
  const { order, state } = story;
  if (isTerminal(order.status) || !hasMoneyLeft(story)) return releasePayout(story, trigger, cause) ?? story;
  const left = moneyThatLeft(state, order);
  return flagContradiction(story, `${cause.detail ?? trigger}, although ${left} of ${order.amount} has left`);
}

/** The meaning of the answer for the order, apart from the payments in it. */
function takeAnswer(story: Story, { answer, during }: ApplyReport, cause: Cause): Story {
  switch (answer.outcome) {
    case 'accepted':
      return story.move('channel_accepted', cause) ?? story;
    case 'refused':
      return release(story, 'channel_refused', cause);
    case 'failed':
      return release(story, 'channel_failed', cause);
    case 'timed_out':
      return release(story, 'unpaid', cause);
    case 'closed':
      // A callback only echoes our own close request. The process that sent the request records who cancelled.
      return during === 'callback' ? story : release(story, 'operator_cancelled', cause);
    case 'paid':
    case 'part_paid':
    case 'returned':
    case 'unknown':
      return story;
    default:
      return answer satisfies never;
  }
}
