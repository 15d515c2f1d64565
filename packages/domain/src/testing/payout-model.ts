import type { ApplyReport, BookWallet, ClaimWork, Command, CreatePayout, ReverseBooking } from '../core/commands.ts';
import type { EndClaim, EndOutgoingCase, OperatorCommand, ProveTask } from '../core/operator-commands.ts';
import type { OrderStatus } from '../core/order.ts';
import { cents } from './ledger-model.ts';
import {
  dispute,
  end,
  isOpen,
  isOutgoing,
  leftOfCase,
  type ModelCase,
  type ModelPayout,
  open,
  type PayoutModel,
  repay,
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
    case 'reverseBooking':
      return reverse(model, command);
    case 'creditCase':
    case 'returnCase':
      return closeCase(model, command);
    case 'chargeCase':
    case 'writeOffCase':
      return endOutgoing(model, command);
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
    proofRef: null,
    asked: false,
    claimants: new Set(),
    returned: 0,
    next: isMarket ? null : 'submit',
    isDue: !isMarket,
    tries: 0,
  });
  return 'ok';
}

function book(model: PayoutModel, { bookingNo, entry, kind = 'bank', amount }: BookWallet): string {
  if (model.bookings.has(`REVERSAL/${bookingNo}`)) return 'booking_reversed';
  const before = model.bookings.get(bookingNo);
  if (before !== undefined) return before === `${entry} ${amount} ${kind}` ? 'booked before' : 'booking_no_taken';
  if (model.available + cents(amount) < 0) return 'balance_insufficient';
  model.bookings.set(bookingNo, `${entry} ${amount} ${kind}`);
  model.available += cents(amount);
  return 'ok';
}

function reverse(model: PayoutModel, { bookingNo, reverses, by }: ReverseBooking): string {
  if (model.bookings.has(bookingNo)) return 'booking_reversed';
  const [, amount] = model.bookings.get(reverses)?.split(' ') ?? [];
  if (amount === undefined) return 'booking_not_found';
  if (reverses.startsWith('REVERSAL/')) return 'booking_not_reversible';
  if (model.available - cents(amount) < 0) return 'balance_insufficient';
  if (by.approver === null) return 'second_operator_needed';
  model.bookings.set(bookingNo, `ADJUSTMENT ${-cents(amount) / 100} reversal`);
  model.available -= cents(amount);
  return 'ok';
}

function endOutgoing(model: PayoutModel, { type, caseNo, by }: EndOutgoingCase): string {
  const found = model.cases[caseNo - 1];
  if (!found) return 'case_not_found';
  if (found.state !== 'open') return 'case_closed';
  if (!isOutgoing(found) || isOpen(found.order)) return 'case_not_chargeable';
  const isCharged = type === 'chargeCase';
  const left = leftOfCase(found);
  if (isCharged && model.available < left) return 'balance_insufficient';
  if (by.approver === null) return 'second_operator_needed';
  if (isCharged) model.available -= left;
  model.suspense += left;
  found.state = isCharged ? 'charged' : 'written_off';
  return 'ok';
}

function closeCase(
  model: PayoutModel,
  { type, caseNo }: { type: 'creditCase' | 'returnCase'; caseNo: number },
): string {
  const found = model.cases[caseNo - 1];
  if (!found) return 'case_not_found';
  if (found.state !== 'open') return 'case_closed';
  if (type === 'creditCase') return creditReturn(model, found);
  const { kind, order } = found;
  if (kind !== 'contradiction') model.suspense -= isOutgoing(found) ? -leftOfCase(found) : found.amount;
  found.state = 'returned';
  if (kind === 'contradiction') order.disputed = false;
  return 'ok';
}

/** Open cases over what had left are repaid first, then those who bear it. A completed payout's merchant gets at most its amount; the rest stays a case. */
function creditReturn(model: PayoutModel, found: ModelCase): string {
  const { kind, order, amount } = found;
  if (kind === 'contradiction' || isOutgoing(found) || isOpen(order)) return 'case_not_creditable';
  const isBorne = (one: ModelCase): boolean => one.order === order && ['charged', 'written_off'].includes(one.state);
  const borne = kind === 'payout_returned' ? model.cases.filter(isBorne) : [];
  const most = order.status === 'completed' ? order.total - order.returned : 0;
  const out = kind === 'payout_returned' ? openOutgoing(model, order) : [];
  const toGive = [...out, ...borne].reduce((sum, one) => sum + leftOfCase(one), 0);
  if (most === 0 && toGive === 0) return 'case_not_creditable';
  const unpaid = repay(out, amount);
  const left = repay(borne, unpaid, (one, part) => {
    if (one.state === 'charged') model.available += part;
  });
  const credited = Math.min(most, left);
  order.returned += credited;
  model.available += credited;
  model.suspense -= unpaid - (left - credited);
  found.state = 'credited';
  if (left > credited) open(model, order, kind, left - credited);
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
      return leftOf(model, order) > 0 ? 'money_left' : release(model, order, 'cancelled');
    }
    case 'resolvePayout':
      if (order.mode === 'market' && (orderCommand.outcome !== 'paid' || leftOf(model, order) === 0))
        return 'operation_not_available';
      if (order.mode === 'market' && order.status === 'processing') return 'task_claimed';
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
  const borne = openOutgoing(model, order);
  order.evidence = borne.length === 0;
  if (order.evidence) return settle(model, order);
  let left = order.total;
  for (const one of borne) {
    one.state = 'credited';
    if (leftOfCase(one) > left) open(model, order, 'payout_paid_again', leftOfCase(one) - left);
    left -= Math.min(left, leftOfCase(one));
  }
  if (left > 0) open(model, order, 'payout_underpaid', left);
  model.suspense += order.total;
  return settle(model, order);
}

const openOutgoing = ({ cases }: PayoutModel, order: ModelPayout): ModelCase[] =>
  cases.filter((one) => one.order === order && one.state === 'open' && isOutgoing(one));

/** What left for an order that is not settled, and did not come back. */
function leftOf(model: PayoutModel, order: ModelPayout): number {
  return openOutgoing(model, order).reduce((sum, one) => sum + leftOfCase(one), 0);
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
      if (leftOf(model, order) > 0) return 'money_left';
      Object.assign(order, { status: 'processing', claimedBy: command.by.actor, proved: false });
      order.claimants.add(command.by.actor);
      wait(command.lease);
      return 'ok';
    case 'endClaim':
      return isClaimed ? endClaim(order, command, isMine) : 'task_not_available';
    case 'proveTask':
      if (!isClaimed || !isMine) return proveLate(model, order, command);
      if (order.proved) return 'proof_pending';
      Object.assign(order, { proved: true, proofRef: command.proof.reference, asked: false, next: null, isDue: false });
      return 'ok';
    default:
      if (!isClaimed || !order.proved) return 'proof_missing';
      if (isMine) return 'second_operator_needed';
      if (command.type === 'acceptProof') return settle(model, order);
      Object.assign(order, { proved: false, proofRef: null });
      wait(command.lease);
      return 'ok';
  }
}

function endClaim(order: ModelPayout, { by }: EndClaim, isMine: boolean): string {
  if (!by) {
    if (order.proved) return 'proof_pending';
    if (order.next !== 'expire' || order.tries === 0) return 'not_due';
    Object.assign(order, { asked: true, next: null, isDue: false, tries: 0 });
    return 'ok';
  }
  if (!isMine && !order.asked) return 'not_your_task';
  if (order.proved) return 'proof_pending';
  if (!isMine && by.approver === null) return 'second_operator_needed';
  Object.assign(order, { status: 'market_available', claimedBy: null, asked: false, next: null, isDue: false });
  return 'ok';
}

/** The task is theirs again if nobody else has it or has paid it; otherwise what they paid is a case. */
function proveLate(model: PayoutModel, order: ModelPayout, { by, proof }: ProveTask): string {
  if (!order.claimants.has(by.actor)) return order.status === 'processing' ? 'not_your_task' : 'task_not_available';
  if (order.out.has(proof.reference) || order.proofRef === proof.reference) return 'proof_reference_used';
  // Each of them proves one payment at most.
  if (order.out.size + order.back.size >= order.claimants.size) return 'task_not_available';
  if (order.status === 'market_available' && leftOf(model, order) === 0) {
    const proved = { proved: true, proofRef: proof.reference };
    Object.assign(order, { status: 'processing', claimedBy: by.actor, ...proved, next: null, isDue: false });
    return 'ok';
  }
  if (by.approver === null) return 'second_operator_needed';
  order.out.set(proof.reference, order.total);
  model.suspense -= order.total;
  open(model, order, 'payout_paid_again', order.total);
  return 'ok';
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
  // What is known to have left contradicts an unpaid end.
  if (status && isOpen(order) && leftOf(model, order) > 0) dispute(model, order);
  else if (status && isOpen(order)) release(model, order, status);
  const unpaid = /failed|refused|closed|timed_out/.test(answer.outcome) && reported.length === 0;
  if (before === 'completed' && unpaid) dispute(model, order);
  const onlyPaid = answer.outcome === 'paid' && reported.length === 0 && order.out.size + order.back.size === 0;
  if (['failed', 'timeout', 'cancelled'].includes(before) && onlyPaid) dispute(model, order);
  if (!isOpen(order) || (during === 'callback' && order.next !== 'submit')) return 'ok';
  const hasMoved = order.out.size + order.back.size > 0;
  const isMissing = answer.outcome === 'unknown' && answer.why === 'not_found';
  order.next = isMissing && !hasMoved ? 'submit' : 'poll';
  order.isDue = true;
  return 'ok';
}
