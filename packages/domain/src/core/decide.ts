import { closedApproval, executedApproval, problemOfApproval, requestedApproval } from './approval.ts';
import { bookWallet, problemOfBookingNo, reverseBooking } from './book-wallet.ts';
import { decideCase, endOutgoingCase } from './case.ts';
import { type Command, type CreatePayin, type CreatePayout, namedApproval, type RecordChange } from './commands.ts';
import { countTowardsLimit } from './daily-limit.ts';
import { effectOf, problemOfEffect } from './effect.ts';
import type { LedgerEvent } from './events.ts';
import { decideTask } from './market.ts';
import { Money } from './money.ts';
import type { CloseApproval } from './operator-commands.ts';
import { cancelOrder, confirmFunds, recordDecision, resolvePayout } from './operator-decisions.ts';
import type { Order } from './order.ts';
import { applyPayinReport, createPayin } from './payin.ts';
import { applyPayoutReport, createPayout } from './payout.ts';
import { isStopped } from './payout-stop.ts';
import { priceAt } from './price-order.ts';
import { applyRefund, claimRefund, resolveRefund } from './refund-decisions.ts';
import type { Rejection } from './rejection.ts';
import { decideSettlement } from './settlement-decisions.ts';
import type { Context, Existing, State } from './state.ts';
import { Story } from './story.ts';
import { bookUnmatched } from './unmatched.ts';
import { isOutdated } from './version.ts';
import { claimWork, reroute } from './work.ts';

/** The events of a command, and the state after them: `events.reduce(evolve, state)`. */
export interface Decided {
  readonly events: readonly LedgerEvent[];
  readonly state: State;
}

/**
 * Decides one command: returns its events, or the rejection. A command may come twice, because an answer can get lost
 * after the commit; the second time has no further effect. An operator's decision leaves an audit record.
 */
export function decide(state: State, command: Command, context: Context): Rejection | Decided {
  const unapproved = namedApproval(command) && problemOfApproval(state.approval, context.now);
  if (unapproved) return unapproved;
  if (isOutdated(state, command)) return 'version_outdated';
  if (isStopped(state, command)) return 'payouts_stopped';
  const started = Story.begin(state, command, context);
  const decided = 'ref' in command ? decideOnOrder(started, command) : decideWithoutOrder(started, command);
  if (typeof decided === 'string') return decided;
  const limited = countTowardsLimit(recordDecisions(decided, command, state), command, state);
  if (typeof limited === 'string') return limited;
  // A change of configuration may contain further commands. Its caller compares all of them together.
  const compared = namedApproval(command) !== null && command.type !== 'recordChange';
  return (compared ? problemOfEffect(state.approval, effectOf(limited)) : null) ?? limited;
}

type OrderCommand = Extract<Command, { ref: unknown }>;

function decideOnOrder(story: Story, command: OrderCommand): Story | Rejection {
  const { order } = story.state;
  if (!order) return 'order_not_found';
  switch (command.type) {
    case 'applyReport':
      if (order.channelId !== command.channelId) return 'not_this_channel';
      return order.kind === 'payin' ? applyPayinReport(story, command) : applyPayoutReport(story, command);
    case 'claimWork':
      return claimWork(story, command);
    case 'reroute':
      return reroute(story, command);
    case 'cancelOrder':
      return cancelOrder(story, command);
    case 'confirmFunds':
      return confirmFunds(story, command);
    case 'resolvePayout':
      return resolvePayout(story, command);
    case 'claimTask':
    case 'endClaim':
    case 'proveTask':
    case 'acceptProof':
    case 'rejectProof':
      return decideTask(story, command);
    default:
      return command satisfies never;
  }
}

function decideWithoutOrder(story: Story, command: Exclude<Command, OrderCommand>): Story | Rejection {
  const { existing } = story.state;
  switch (command.type) {
    case 'createPayin':
    case 'createPayout':
      return existing ? (problemOfOrderNo(existing, command.order) ?? story) : createOrder(story, command);
    case 'bookUnmatched':
      return bookUnmatched(story, command);
    case 'bookWallet':
      // The correction of a booking that was taken back is another booking, under another number.
      if (story.state.isTakenBack) return 'booking_reversed';
      return existing ? (problemOfBookingNo(existing, command) ?? story) : bookWallet(story, command);
    case 'reverseBooking':
      return reverseBooking(story, command);
    case 'creditCase':
    case 'returnCase':
      return decideCase(story, command);
    case 'chargeCase':
    case 'writeOffCase':
      return endOutgoingCase(story, command);
    case 'claimRefund':
      return claimRefund(story, command);
    case 'applyRefund':
      return applyRefund(story, command);
    case 'resolveRefund':
      return resolveRefund(story, command);
    case 'draftSettlement':
    case 'approveSettlement':
    case 'paySettlement':
    case 'sendSettlement':
    case 'claimSettlementPayment':
    case 'applySettlementPayment':
    case 'confirmSettlement':
    case 'failSettlement':
      return decideSettlement(story, command);
    case 'recordChange':
      return (command.postings ?? []).reduce((told, one) => postDifference(told, command.merchantId, one), story);
    case 'requestApproval': {
      if (story.state.waiting) return 'approval_waits';
      const approval = requestedApproval(command, story.now);
      return story.add({ type: 'approval requested', approval, secrets: command.secrets });
    }
    case 'rejectApproval':
    case 'withdrawApproval':
    case 'failApproval':
      return closeApproval(story, command);
    default:
      return command satisfies never;
  }
}

/** A transfer of a reconciliation, between accounts of the platform. */
function postDifference(
  story: Story,
  merchantId: string,
  { debit, credit, amount }: NonNullable<RecordChange['postings']>[number],
): Story {
  const { currency } = story.state.wallet;
  const posted = { merchantId, orderNo: null, debit, credit, cause: 'reconciliation' } as const;
  return story.post({ ...posted, amount: Money.of(amount, currency) });
}

function closeApproval(story: Story, command: CloseApproval): Story | Rejection {
  const { approval } = story.state;
  if (!approval) return 'approval_decided';
  const closed = closedApproval(approval, command, story.now);
  return problemOfApproval(approval, story.now) ?? story.add({ type: 'approval decided', approval: closed });
}

/**
 * An order is created with the terms in force at its creation, by the database's clock, under the lock of the
 * merchant's wallet.
 */
function createOrder(story: Story, command: CreatePayin | CreatePayout): Story | Rejection {
  const order = priceAt(command.order, command.fees, story.now);
  if (typeof order === 'string') return order;
  return command.type === 'createPayin'
    ? createPayin(story, { ...command, order })
    : createPayout(story, { ...command, order });
}

/** The same order number is accepted only for the same command, whose answer was lost. */
function problemOfOrderNo(existing: Existing, order: Pick<Order, 'orderNo'>): Rejection | null {
  return existing.orderNo === order.orderNo ? null : 'merchant_order_no_exists';
}

/**
 * Writes an operator's decision into the audit chain of each merchant concerned, and consumes the approval that it
 * needed.
 */
function recordDecisions(story: Story, command: Command, { existing, approval }: State): Story {
  if (!('by' in command) || command.by === null) return story;
  const { by } = command;
  const { wallet, otherWallet } = story.state;
  const isApproved = namedApproval(command) !== null;
  const own = !existing || isApproved ? recordDecision(story, { ...command, by }, wallet) : story;
  const both = otherWallet ? recordDecision(own, { ...command, by }, otherWallet) : own;
  if (!isApproved || !approval) return both;
  return both.add({ type: 'approval decided', approval: executedApproval(approval, by, story.now) });
}
