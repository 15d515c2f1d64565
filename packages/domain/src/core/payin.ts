import { type ChannelAnswer, describeAnswer } from './channel-answer.ts';
import type { ApplyReport, CreatePayin } from './commands.ts';
import { flagContradictingAnswer } from './contradiction.ts';
import { Money } from './money.ts';
import { failureReasonOf } from './notification.ts';
import { isTerminal, type Order } from './order.ts';
import { bookPayments } from './payin-payments.ts';
import { schedulePayin, watchForLateMoney } from './payin-schedule.ts';
import type { Cause, Story } from './story.ts';
import type { Trigger } from './transitions.ts';

/** A new payin: created, and if its country says so already processing. */
export function createPayin(story: Story, { order, submitAfter, expiresIn }: CreatePayin): Story {
  const { now, scheduleScale } = story.context;
  // A manual channel is not queried: an operator confirms what comes in.
  const manual = order.mode === 'manual';
  const expiresAt = now + Math.round(expiresIn * scheduleScale);
  const next = {
    nextAction: manual ? 'expire' : 'submit',
    nextActionAt: manual ? expiresAt : now + submitAfter,
    // The process that creates an order and submits it at once makes the first attempt.
    attempt: submitAfter === 0 ? 0 : 1,
    expiresAt,
  } as const;
  const created = story.createOrder(order, next, { actor: 'merchant' });
  return created.move('begun', { actor: 'merchant' }) ?? created;
}

/** Applies a channel's answer about a payin. A repeated, late or reordered answer changes nothing more. */
export function applyPayinReport(story: Story, report: ApplyReport): Story {
  const { answer, line, explained } = report;
  const actor = `channel:${report.channelId}`;
  const before = story.order.status;
  const acknowledged = acknowledge(story, answer, actor);
  const paid = updatePaymentLinks(bookPayments(acknowledged, answer, { actor, line, explained }), answer);
  const trigger = endingOf(paid.order, report);
  const ended = trigger ? end(paid, trigger, { actor, ...describeEnd(paid, answer) }) : paid;
  // A close that a callback reports is the result of our own request.
  const isEcho = answer.outcome === 'closed' && report.during === 'callback';
  const flagged = isEcho ? ended : flagContradictingAnswer(ended, answer, before);
  return isTerminal(flagged.order.status) ? watchForLateMoney(flagged, report, trigger) : schedulePayin(flagged);
}

/** The channel's first answer: stores its reference, and moves on from `created`. */
function acknowledge(story: Story, answer: ChannelAnswer, actor: string): Story {
  if (answer.outcome === 'unknown' || answer.outcome === 'refused') return story;
  const { order } = story;
  const channelRef = order.channelRef ?? answer.channelRef ?? order.orderNo;
  if (answer.outcome !== 'accepted') return story.changeOrder({ channelRef });
  // Once a part is paid, a way to pay the whole amount asks for too much.
  const ways = order.paidAmount === '0.00' && {
    payLink: order.payLink ?? answer.payLink ?? null,
    payQr: order.payQr ?? answer.payQr ?? null,
  };
  const known = story.changeOrder({ channelRef, ...ways });
  return known.move('channel_accepted', { actor }) ?? known;
}

/**
 * Stores the channel's link and QR code for the rest. Those of an older answer, with fewer payments, ask for too much.
 */
function updatePaymentLinks(story: Story, answer: ChannelAnswer): Story {
  const { order } = story;
  if (answer.outcome !== 'part_paid' || order.status !== 'partial_paid') return story;
  const known = answer.payments.map(({ amount }) => Money.of(amount, order.currency));
  const paid = known.reduce((sum, amount) => sum.plus(amount), Money.zero(order.currency));
  if (paid.toString() !== order.paidAmount) return story;
  return story.changeOrder({ payLink: answer.payLink ?? order.payLink, payQr: answer.payQr ?? order.payQr });
}

/** The meaning of the answer for an order that its payments did not complete. */
function endingOf(order: Order, { answer, during }: ApplyReport): Trigger | null {
  if (isTerminal(order.status)) return null;
  switch (answer.outcome) {
    case 'refused':
      return 'channel_refused';
    case 'failed':
      // An order with a part payment does not fail (decisions 5.2), but ends at its expiry.
      if (order.status === 'partial_paid') return during === 'expiry' ? 'unpaid' : null;
      return 'channel_failed';
    case 'timed_out':
      return 'unpaid';
    case 'closed':
      // The channel closed it because we asked. The process that asked sets the final status. If that process died, a
      // poll finds the close.
      return during === 'callback' ? null : 'unpaid';
    case 'unknown':
      if (during === 'create') return order.channelRef === null ? 'channel_unanswered' : null;
      return during === 'expiry' && answer.why === 'not_found' ? 'unpaid' : null;
    case 'accepted':
    case 'paid':
    case 'part_paid':
    case 'returned':
      return during === 'expiry' ? 'unpaid' : null;
    default:
      return answer satisfies never;
  }
}

/** Why the order ended, for its history: what the channel said, or that the money that came does not complete it. */
function describeEnd({ state }: Story, answer: ChannelAnswer): { detail?: string } {
  if ('reason' in answer || answer.outcome === 'unknown') return { detail: describeAnswer(answer) };
  if (answer.outcome === 'closed') return { detail: 'closed by the channel at our request' };
  return state.payments.length > 0 ? { detail: 'the money that came does not complete it' } : {};
}

function end(story: Story, trigger: Trigger, cause: Cause): Story {
  const { currency, paidAmount, merchantId, orderNo, channelId, amount } = story.order;
  if (story.statusAfter(trigger) === null) return story;
  const failed = story.changeOrder({ failureReason: failureReasonOf(trigger) });
  const ended = failed.move(trigger, cause) ?? failed;
  const parts = Money.of(paidAmount, currency);
  if (parts.isZero() || story.state.payments.every((payment) => payment.use !== 'part')) return ended;
  const detail = `${parts} of ${amount} came before the order ended ${ended.order.status}`;
  const about = { merchantId, orderNo, channelId, reference: null };
  return ended.openCase({ kind: 'parts_of_unpaid', ...about, amount: parts, detail });
}
