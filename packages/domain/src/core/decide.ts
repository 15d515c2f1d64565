import { executedApproval, problemOfApproval } from './approval.ts';
import { bookWallet } from './book-wallet.ts';
import { decideCase } from './case.ts';
import { type BookWallet, type Command, namedApproval } from './commands.ts';
import type { Circumstances, Draft } from './draft.ts';
import { decideTask } from './market.ts';
import { cancelOrder, confirmFunds, recordDecision, resolvePayout } from './operator-decisions.ts';
import type { Order } from './order.ts';
import { applyPayinReport, createPayin } from './payin.ts';
import { applyPayoutReport, createPayout } from './payout.ts';
import type { Rejection } from './rejection.ts';
import { bookUnmatched } from './unmatched.ts';
import { claimWork, reroute } from './work.ts';

/** The order that has the new one's merchant order number already, or what was booked under a wallet booking's number. */
export interface Taken {
  orderNo: string;
  booked?: { entry: string; amount: string };
}

/**
 * The pure heart of the write seam: applies one command to its draft, or says why not, and then the draft is as it was.
 * Commands may come twice, since an answer can get lost after the commit: the second time has no further effect.
 * What an operator decided leaves an audit record.
 */
export function decide(draft: Draft, command: Command, taken: Taken | null, on: Circumstances): Rejection | null {
  const approved = namedApproval(command) !== null;
  const unapproved = approved ? problemOfApproval(draft.approval, on.now) : null;
  if (unapproved) return unapproved;
  const rejection =
    'ref' in command ? decideOnOrder(draft, command, on) : decideWithoutOrder(draft, command, taken, on);
  if (rejection !== null || !('by' in command) || command.by === null) return rejection;
  if (taken === null || approved) recordDecision(draft, { ...command, by: command.by }, on.now);
  if (draft.otherWallet) {
    const other = { ...draft, wallet: draft.otherWallet };
    recordDecision(other, { ...command, by: command.by }, on.now);
    draft.otherWallet = other.wallet;
  }
  if (approved && draft.approval) {
    draft.approval = executedApproval(draft.approval, command.by, on.now);
    draft.changedApprovals.push(draft.approval);
  }
  return null;
}

type OrderCommand = Extract<Command, { ref: unknown }>;

function decideOnOrder(draft: Draft, command: OrderCommand, on: Circumstances): Rejection | null {
  const { order } = draft;
  if (!order) return 'order_not_found';
  switch (command.type) {
    case 'applyReport':
      if (order.channelId !== command.channelId) return 'not_this_channel';
      if (order.kind === 'payin') applyPayinReport(draft, order, command, on);
      else applyPayoutReport(draft, order, command, on);
      return null;
    case 'claimWork':
      return claimWork(order, command, on);
    case 'reroute':
      return reroute(draft, order, command, on);
    case 'cancelOrder':
      return cancelOrder(draft, order, command, on);
    case 'confirmFunds':
      return confirmFunds(draft, order, command, on);
    case 'resolvePayout':
      return resolvePayout(draft, order, command, on);
    case 'claimTask':
    case 'endClaim':
    case 'proveTask':
    case 'acceptProof':
    case 'rejectProof':
      return decideTask(draft, order, command, on);
    default:
      return command satisfies never;
  }
}

function decideWithoutOrder(
  draft: Draft,
  command: Exclude<Command, OrderCommand>,
  taken: Taken | null,
  on: Circumstances,
): Rejection | null {
  switch (command.type) {
    case 'createPayin':
      if (taken) return whoseNumber(taken, command.order);
      createPayin(draft, command, on);
      return null;
    case 'createPayout':
      return taken ? whoseNumber(taken, command.order) : createPayout(draft, command, on);
    case 'bookUnmatched':
      bookUnmatched(draft, command, on);
      return null;
    case 'bookWallet':
      return taken ? whoseBooking(taken, command) : bookWallet(draft, command, on);
    case 'creditCase':
    case 'returnCase':
      return decideCase(draft, command, on);
    case 'recordChange':
      return null;
    default:
      return command satisfies never;
  }
}

/** The same booking again changes nothing; another one cannot have its number. */
function whoseBooking({ booked }: Taken, { entry, amount }: BookWallet): Rejection | null {
  return booked?.entry === entry && booked.amount === amount ? null : 'booking_no_taken';
}

/** The same order number can only be this very command, whose answer was lost. */
function whoseNumber(taken: Taken, order: Pick<Order, 'orderNo'>): Rejection | null {
  return taken.orderNo === order.orderNo ? null : 'merchant_order_no_exists';
}
