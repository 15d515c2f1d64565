import type { ApplyReport, BookWallet, ClaimWork, Command, CreatePayout } from '../core/commands.ts';
import type { OperatorCommand } from '../core/operator-commands.ts';
import type { OrderStatus } from '../core/order.ts';
import { cents } from './ledger-model.ts';
import {
  dispute,
  end,
  isOpen,
  isOutgoing,
  type ModelPayout,
  open,
  type PayoutModel,
  settle,
  takePayments,
  takeReturned,
} from './payout-movements-model.ts';

// A second, simple model of payouts on both routes and of operators' decisions: one command after the other, whole
// cents in numbers, no database and no clock. All waits are zero or endless.

/** Applies a command. Returns `ok`, or the expected refusal. */
export function applyToPayouts(model: PayoutModel, command: Command): string {
  const answer = answerOf(model, command);
  const repeated = command.type === 'bookWallet' && answer === 'booked before';
  if (answer === 'ok' && 'by' in command && command.by !== null) model.decisions += 1;
  return repeated ? 'ok' : answer;
}

function answerOf(model: PayoutModel, command: Command): string {
  switch (command.type) {
    case 'createPayout':
      return create(model, command);
    case 'bookWallet':
      return book(model, command);
    case 'creditCase':
    case 'returnCase':
      return closeCase(model, command);
    default: {
      if (!('ref' in command)) throw new Error(`the model knows no ${command.type}`);
      const order = model.payouts.get(command.ref.orderNo);
      return order ? onOrder(model, order, command) : 'order_not_found';
    }
  }
}

function create(model: PayoutModel, { order }: CreatePayout): string {
  const { orderNo, merchantOrderNo, mode } = order;
  const existing = model.merchantOrderNos.get(merchantOrderNo);
  if (existing !== undefined) return existing === orderNo ? 'ok' : 'merchant_order_no_exists';
  const net = cents(order.netAmount);
  if (model.available < net) return 'balance_insufficient';
  model.available -= net;
  model.frozen += net;
  model.merchantOrderNos.set(merchantOrderNo, orderNo);
  const isMarket = mode === 'market';
  model.payouts.set(orderNo, {
    orderNo,
    mode: isMarket ? 'market' : 'upstream',
    total: cents(order.amount),
    net,
    out: new Map(),
    back: new Map(),
    status: isMarket ? 'market_available' : model.country === 'IN' ? 'processing' : 'created',
    paidByChannel: false,
    evidence: false,
    disputed: false,
    claimedBy: null,
    proved: false,
    creditedBack: false,
    next: isMarket ? null : 'submit',
    isDue: !isMarket,
    tries: 0,
  });
  return 'ok';
}

function book(model: PayoutModel, { bookingNo, entry, amount }: BookWallet): string {
  const before = model.bookings.get(bookingNo);
  if (before !== undefined) return before === `${entry} ${amount}` ? 'booked before' : 'booking_no_taken';
  if (model.available + cents(amount) < 0) return 'balance_insufficient';
  model.bookings.set(bookingNo, `${entry} ${amount}`);
  model.available += cents(amount);
  return 'ok';
}

function closeCase(
  model: PayoutModel,
  { type, caseNo }: { type: 'creditCase' | 'returnCase'; caseNo: number },
): string {
  const found = model.cases[caseNo - 1];
  if (!found) return 'case_not_found';
  if (found.state !== 'open') return 'case_closed';
  const { kind, order } = found;
  // A payout's merchant gets at most its amount; the rest stays a case.
  const amount = type === 'creditCase' ? Math.min(found.amount, order.total) : found.amount;
  if (type === 'creditCase') {
    if (kind === 'contradiction' || isOutgoing(found)) return 'case_not_creditable';
    if (order.status !== 'completed') return 'case_not_creditable';
    if (order.creditedBack) return 'wallet_entry_once';
    order.creditedBack = true;
  }
  // At most the payout's amount goes to the merchant. The rest becomes a new case.
  const credited = type === 'creditCase' ? Math.min(amount, order.total) : 0;
  if (credited > 0) model.available += credited;
  if (credited > 0 && credited < amount) open(model, order, kind, amount - credited);
  const decided = credited > 0 ? credited : amount;
  if (kind !== 'contradiction') model.suspense -= isOutgoing(found) ? -decided : decided;
  found.state = type === 'creditCase' ? 'credited' : 'returned';
  if (found.amount > amount) open(model, order, kind, found.amount - amount);
  return 'ok';
}

type OrderCommand = Exclude<Extract<Command, { ref: unknown }>, { type: 'reroute' | 'confirmFunds' }>;

function onOrder(model: PayoutModel, order: ModelPayout, command: Command): string {
  const orderCommand = command as OrderCommand;
  switch (orderCommand.type) {
    case 'applyReport':
      return report(model, order, orderCommand);
    case 'claimWork':
      return takeWork(order, orderCommand);
    case 'cancelOrder': {
      if (!isOpen(order)) return 'transition_impossible';
      if (order.mode === 'market' && order.status === 'processing') return 'task_claimed';
      const unsent = order.status === 'market_available' || (order.next === 'submit' && order.tries === 0);
      if (orderCommand.confirmedBy === 'nothing_sent' && !unsent) return 'already_sent';
      return release(model, order, 'cancelled');
    }
    case 'resolvePayout':
      if (order.mode === 'market') return 'operation_not_available';
      if (!isOpen(order)) return 'transition_impossible';
      if (orderCommand.by.approver === null) return 'second_operator_needed';
      return orderCommand.outcome === 'paid' ? settleByEvidence(model, order) : release(model, order, 'failed');
    default:
      return order.mode === 'market' ? onTask(model, order, orderCommand) : 'operation_not_available';
  }
}

function takeWork(order: ModelPayout, { action, lease }: ClaimWork): string {
  if (order.next !== action || !order.isDue) return 'not_due';
  order.isDue = lease === 0;
  order.tries += 1;
  return 'ok';
}

function settleByEvidence(model: PayoutModel, order: ModelPayout): string {
  const borne = model.cases.filter((one) => one.order === order && one.state === 'open' && isOutgoing(one));
  order.evidence = borne.length === 0;
  if (order.evidence) return settle(model, order);
  let left = order.total;
  for (const one of borne) {
    one.state = 'credited';
    if (one.amount > left) open(model, order, 'payout_paid_again', one.amount - left);
    left -= Math.min(left, one.amount);
  }
  if (left > 0) open(model, order, 'payout_underpaid', left);
  model.suspense += order.total;
  return settle(model, order);
}

function release(model: PayoutModel, order: ModelPayout, status: OrderStatus): string {
  model.frozen -= order.net;
  model.available += order.net;
  return end(order, status);
}

type TaskCommand = Extract<
  OperatorCommand,
  { type: 'claimTask' | 'endClaim' | 'proveTask' | 'acceptProof' | 'rejectProof' }
>;

function onTask(model: PayoutModel, order: ModelPayout, command: TaskCommand): string {
  const isClaimed = order.status === 'processing';
  const isMine = command.by !== null && order.claimedBy === command.by.actor;
  const wait = (lease: number): void => void Object.assign(order, { next: 'expire', isDue: lease === 0, tries: 0 });
  switch (command.type) {
    case 'claimTask':
      if (order.status !== 'market_available') return 'task_not_available';
      Object.assign(order, { status: 'processing', claimedBy: command.by.actor, proved: false });
      wait(command.lease);
      return 'ok';
    case 'endClaim':
      if (!isClaimed) return 'task_not_available';
      if (command.by && !isMine) return 'not_your_task';
      if (order.proved) return 'proof_pending';
      if (!command.by && order.tries === 0) return 'not_due';
      Object.assign(order, { status: 'market_available', claimedBy: null, next: null, isDue: false });
      return 'ok';
    case 'proveTask':
      if (!isClaimed) return 'task_not_available';
      if (!isMine) return 'not_your_task';
      if (order.proved) return 'proof_pending';
      Object.assign(order, { proved: true, next: null, isDue: false });
      return 'ok';
    default:
      if (!isClaimed || !order.proved) return 'proof_missing';
      if (isMine) return 'second_operator_needed';
      if (command.type === 'acceptProof') return settle(model, order);
      order.proved = false;
      wait(command.lease);
      return 'ok';
  }
}

function report(model: PayoutModel, order: ModelPayout, { channelId, answer, during }: ApplyReport): string {
  if (channelId !== 'fake') return 'not_this_channel';
  const reported = 'payments' in answer ? (answer.payments ?? []) : [];
  const before = order.status;
  const isMarket = order.mode === 'market';
  takePayments(model, order, reported);
  if (answer.outcome === 'returned') takeReturned(model, order, answer.returned);
  if (isMarket) return 'ok';
  if (answer.outcome === 'accepted' && order.status === 'created') order.status = 'processing';
  const ends: Partial<Record<typeof answer.outcome, OrderStatus>> = {
    refused: 'failed',
    failed: 'failed',
    timed_out: model.country === 'IN' ? 'timeout' : 'failed',
    ...(during !== 'callback' && { closed: 'cancelled' }),
  };
  const status = ends[answer.outcome];
  if (status && isOpen(order)) release(model, order, status);
  const unpaid = /failed|refused|closed|timed_out/.test(answer.outcome) && reported.length === 0;
  if (before === 'completed' && unpaid) dispute(model, order);
  const onlyPaid = answer.outcome === 'paid' && reported.length === 0 && order.out.size + order.back.size === 0;
  if (['failed', 'timeout', 'cancelled'].includes(before) && onlyPaid) dispute(model, order);
  if (!isOpen(order) || (during === 'callback' && order.next !== 'submit')) return 'ok';
  order.next = answer.outcome === 'unknown' && answer.why === 'not_found' ? 'submit' : 'poll';
  order.isDue = true;
  return 'ok';
}
