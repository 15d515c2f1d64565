import type { ApplyReport, BookWallet, ClaimWork, Command, CreatePayout } from '../core/commands.ts';
import type { OperatorCommand } from '../core/operator-commands.ts';
import type { OrderStatus } from '../core/order.ts';
import { cents } from './ledger-model.ts';

// What should become of payouts, on both routes, and of what operators decide about them: said once more, one command after the
// other, whole cents in numbers, no database and no clock: all waits are none, or so long that they never end.

export interface ModelPayout {
  orderNo: string;
  mode: 'upstream' | 'market';
  status: OrderStatus;
  total: number;
  net: number;
  known: Set<string>;
  /** Whether a channel's own payment settled it. */
  paidByChannel: boolean;
  claimedBy: string | null;
  proved: boolean;
  next: 'submit' | 'poll' | 'expire' | null;
  isDue: boolean;
  tries: number;
  creditedBack: boolean;
}

export interface ModelCase {
  kind: 'payout_returned' | 'payout_paid_again';
  order: ModelPayout;
  amount: number;
  state: 'open' | 'credited' | 'returned';
}

export interface PayoutModel {
  merchantId: string;
  country: 'IN' | 'PK';
  available: number;
  frozen: number;
  /** Signed: what the platform holds for it, less what went out by mistake. */
  suspense: number;
  payouts: Map<string, ModelPayout>;
  merchantOrderNos: Map<string, string>;
  /** By booking number: what was booked. */
  bookings: Map<string, string>;
  cases: ModelCase[];
  decisions: number;
}

const isOpen = ({ status }: ModelPayout): boolean => ['created', 'processing', 'market_available'].includes(status);

/** Applies a command; gives `ok`, or the refusal that it should meet. */
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
  const taken = model.merchantOrderNos.get(merchantOrderNo);
  if (taken !== undefined) return taken === orderNo ? 'ok' : 'merchant_order_no_exists';
  const net = cents(order.netAmount);
  if (model.available < net) return 'balance_insufficient';
  model.available -= net;
  model.frozen += net;
  model.merchantOrderNos.set(merchantOrderNo, orderNo);
  const isMarket = mode === 'market';
  model.payouts.set(orderNo, {
    ...{ orderNo, mode: isMarket ? 'market' : 'upstream', total: cents(order.amount), net, known: new Set() },
    status: isMarket ? 'market_available' : model.country === 'IN' ? 'processing' : 'created',
    ...{ paidByChannel: false, claimedBy: null, proved: false, creditedBack: false },
    ...{ next: isMarket ? null : 'submit', isDue: !isMarket, tries: 0 },
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
  const { kind, order, amount } = found;
  if (type === 'creditCase') {
    if (kind === 'payout_paid_again') return 'case_not_creditable';
    if (order.creditedBack) return 'wallet_entry_once';
    order.creditedBack = true;
    model.available += amount;
  }
  model.suspense -= kind === 'payout_returned' ? amount : -amount;
  found.state = type === 'creditCase' ? 'credited' : 'returned';
  return 'ok';
}

type OrderCommand = Exclude<Extract<Command, { ref: unknown }>, { type: 'reroute' | 'confirmFunds' }>;

function onOrder(model: PayoutModel, order: ModelPayout, command: Command): string {
  const asked = command as OrderCommand;
  switch (asked.type) {
    case 'applyReport':
      return report(model, order, asked);
    case 'claimWork':
      return takeWork(order, asked);
    case 'cancelOrder': {
      if (!isOpen(order)) return 'transition_impossible';
      if (order.mode === 'market' && order.status === 'processing') return 'task_claimed';
      const unsent = order.status === 'market_available' || (order.next === 'submit' && order.tries === 0);
      if (asked.confirmedBy === 'nothing_sent' && !unsent) return 'already_sent';
      return release(model, order, 'cancelled');
    }
    case 'resolvePayout':
      if (order.mode === 'market') return 'operation_not_available';
      if (asked.by.approver === null) return 'second_operator_needed';
      if (!isOpen(order)) return 'transition_impossible';
      return asked.outcome === 'paid' ? settle(model, order) : release(model, order, 'failed');
    default:
      return order.mode === 'market' ? onTask(model, order, asked) : 'operation_not_available';
  }
}

function takeWork(order: ModelPayout, { action, lease }: ClaimWork): string {
  if (order.next !== action || !order.isDue) return 'not_due';
  order.isDue = lease === 0;
  order.tries += 1;
  return 'ok';
}

function end(order: ModelPayout, status: OrderStatus): string {
  Object.assign(order, { status, next: null, isDue: false, tries: 0 });
  return 'ok';
}

function settle(model: PayoutModel, order: ModelPayout): string {
  model.frozen -= order.net;
  return end(order, 'completed');
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
  const told = 'payments' in answer ? (answer.payments ?? []) : [];
  const isMarket = order.mode === 'market';
  const tellsOfPayments = isMarket || answer.outcome === 'paid' || answer.outcome === 'returned';
  if (tellsOfPayments) takePayments(model, order, told);
  if (isMarket) return 'ok';
  if (answer.outcome === 'accepted' && order.status === 'created') order.status = 'processing';
  if (answer.outcome === 'returned' && order.status === 'completed' && !order.known.has(answer.returned.reference)) {
    order.known.add(answer.returned.reference);
    model.suspense += cents(answer.returned.amount);
    model.cases.push({ kind: 'payout_returned', order, amount: cents(answer.returned.amount), state: 'open' });
  }
  const ends: Partial<Record<typeof answer.outcome, OrderStatus>> = {
    ...{ refused: 'failed', failed: 'failed', timed_out: model.country === 'IN' ? 'timeout' : 'failed' },
    ...(during !== 'callback' && { closed: 'cancelled' }),
  };
  const status = ends[answer.outcome];
  if (status && isOpen(order)) release(model, order, status);
  if (!isOpen(order) || (during === 'callback' && order.next !== 'submit')) return 'ok';
  order.next = answer.outcome === 'unknown' && answer.why === 'not_found' ? 'submit' : 'poll';
  order.isDue = true;
  return 'ok';
}

function takePayments(
  model: PayoutModel,
  order: ModelPayout,
  told: readonly { reference: string; amount: string }[],
): void {
  const asked = told.find(({ reference, amount }) => !order.known.has(reference) && cents(amount) === order.total);
  const settles = isOpen(order) || (order.status === 'completed' && !order.paidByChannel);
  if (asked && settles && order.mode === 'upstream') {
    if (isOpen(order)) settle(model, order);
    order.paidByChannel = true;
    order.known.add(asked.reference);
  }
  if (isOpen(order) && order.mode === 'upstream') return;
  for (const { reference, amount } of told) {
    if (order.known.has(reference)) continue;
    order.known.add(reference);
    model.suspense -= cents(amount);
    model.cases.push({ kind: 'payout_paid_again', order, amount: cents(amount), state: 'open' });
  }
}
