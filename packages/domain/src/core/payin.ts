import type { ChannelAnswer, ChannelPayment } from './channel-answer.ts';
import type { ApplyReport, CreatePayin } from './commands.ts';
import { type Circumstances, type Draft, enterWallet, move, openCase, post, recordTransition } from './draft.ts';
import { channelAccount } from './ledger.ts';
import { Money } from './money.ts';
import { isTerminal, type Order } from './order.ts';
import type { CaseKind } from './payment.ts';
import { schedulePayin, watchForLateMoney } from './payin-schedule.ts';
import { transition, type Trigger } from './transitions.ts';

/** What the merchant and the payer are told; a channel's own words stay with the operators (the channels are hidden from merchants). */
const failureReasons: Partial<Record<Trigger, string>> = {
  channel_refused: 'rejected by the payment channel',
  channel_failed: 'payment failed',
  channel_unanswered: 'the payment channel did not answer in time',
  unpaid: 'not paid in time',
};

/** Puts a new payin into the draft: created, and where its country says so already processing. */
export function createPayin(draft: Draft, command: CreatePayin, on: Circumstances): void {
  const order: Order = {
    ...command.order,
    status: 'created',
    paidAmount: '0.00',
    channelRef: null,
    payLink: null,
    payQr: null,
    failureReason: null,
    nextAction: 'submit',
    nextActionAt: on.now + command.submitAfter,
    attempt: 0,
    expiresAt: on.now + Math.round(command.expiresIn * on.scheduleScale),
    createdAt: on.now,
    updatedAt: on.now,
    completedAt: null,
  };
  draft.order = order;
  recordTransition(draft, order, 'new', 'created', 'created', { actor: 'merchant' }, on.now);
  move(draft, order, 'begun', { actor: 'merchant' }, on);
}

/** Applies what the channel said of a payin. Hearing the same thing twice, late or out of order changes nothing more. */
export function applyPayinReport(draft: Draft, order: Order, report: ApplyReport, on: Circumstances): void {
  const { answer } = report;
  const actor = `channel:${report.channelId}`;
  acknowledge(draft, order, answer, actor, on);
  const payments = 'payments' in answer ? (answer.payments ?? []) : [];
  for (const payment of payments) takePayment(draft, order, payment, answer.outcome === 'paid', actor, on);
  const trigger = endingOf(order, report);
  if (trigger) end(draft, order, trigger, { actor, detail: describe(answer) }, on);
  if (isTerminal(order.status)) watchForLateMoney(order, report, trigger, on);
  else schedulePayin(order, on);
}

/** The first sign that the channel has the order: keep its reference, and move on from `created`. */
function acknowledge(draft: Draft, order: Order, answer: ChannelAnswer, actor: string, on: Circumstances): void {
  if (answer.outcome === 'unknown' || answer.outcome === 'refused') return;
  order.channelRef ??= answer.channelRef ?? order.orderNo;
  if (answer.outcome !== 'accepted') return;
  order.payLink ??= answer.payLink ?? null;
  order.payQr ??= answer.payQr ?? null;
  move(draft, order, 'channel_accepted', { actor }, on);
}

/** Books one payment, once: for the order where it fits, else to suspense with a case. */
function takePayment(draft: Draft, order: Order, told: ChannelPayment, final: boolean, actor: string, on: Circumstances): void {
  if (draft.payments.some((known) => known.reference === told.reference)) return;
  const amount = Money.of(told.amount, order.currency);
  const total = Money.of(order.amount, order.currency);
  const paid = Money.of(order.paidAmount, order.currency).plus(amount);
  const record = (use: 'credited' | 'part' | 'suspense'): void => {
    const { merchantId, orderNo } = order;
    const payment = { merchantId, orderNo, reference: told.reference, channelId: order.channelId, amount: told.amount, use, receivedAt: on.now };
    draft.payments.push(payment);
    draft.added.payments.push(payment);
  };
  const setAside = (kind: CaseKind, detail: string): void => {
    record('suspense');
    post(draft, channelAccount(order.channelId), 'suspense', amount, 'suspense_in', order.orderNo, on.now);
    openCase(draft, { kind, orderNo: order.orderNo, channelId: order.channelId, reference: told.reference, amount, detail }, on.now);
  };
  const allowed = (trigger: Trigger): boolean => transition('payin', order.country, order.status, trigger) !== null;

  if (order.status === 'completed') setAside('double', 'the order is completed already');
  else if (isTerminal(order.status)) setAside('late', `the order is ${order.status}`);
  else if (paid.equals(total) && allowed('paid')) {
    record('credited');
    complete(draft, order, amount, actor, on);
  } else if (paid.isLessThan(total) && allowed('part_paid')) {
    record('part');
    order.paidAmount = paid.toString();
    post(draft, channelAccount(order.channelId), 'suspense', amount, 'payin_part', order.orderNo, on.now);
    move(draft, order, 'part_paid', { actor, detail: `${told.amount} came` }, on);
    if (final) flagShortPayment(draft, order, told, amount, on);
  } else setAside('wrong_amount', `${told.amount} came, ${total.minus(Money.of(order.paidAmount, order.currency))} was due`);
}

/** The channel calls a part the final payment: it counts as a part, and an operator shall look at it. */
function flagShortPayment(draft: Draft, order: Order, told: ChannelPayment, amount: Money, on: Circumstances): void {
  const detail = `the channel says paid, with ${order.paidAmount} of ${order.amount}`;
  openCase(draft, { kind: 'wrong_amount', orderNo: order.orderNo, channelId: order.channelId, reference: told.reference, amount, detail }, on.now);
}

/** The whole amount is there: credits net to the wallet and the fee to the platform, parts out of suspense. */
function complete(draft: Draft, order: Order, last: Money, actor: string, on: Circumstances): void {
  const { currency, orderNo, merchantOrderNo } = order;
  const net = Money.of(order.netAmount, currency);
  const fee = Money.of(order.feeAmount, currency);
  const channel = channelAccount(order.channelId);
  if (order.paidAmount === '0.00') {
    post(draft, channel, 'available', net, 'payin', orderNo, on.now);
    post(draft, channel, 'fee_revenue', fee, 'payin_fee', orderNo, on.now);
  } else {
    post(draft, channel, 'suspense', last, 'payin_part', orderNo, on.now);
    post(draft, 'suspense', 'available', net, 'payin_parts_credited', orderNo, on.now);
    post(draft, 'suspense', 'fee_revenue', fee, 'payin_fee', orderNo, on.now);
  }
  const entry = { type: 'PAYIN', availableChange: net, frozenChange: Money.zero(currency), orderNo, merchantOrderNo, remark: null, bookingNo: null } as const;
  if (!enterWallet(draft, entry, on.now)) throw new Error(`a credit of ${net} cannot be refused`);
  order.paidAmount = order.amount;
  move(draft, order, 'paid', { actor }, on);
}

/** What the answer means for an order that its payments did not complete. */
function endingOf(order: Order, { answer, during }: ApplyReport): Trigger | null {
  if (isTerminal(order.status)) return null;
  switch (answer.outcome) {
    case 'refused':
      return 'channel_refused';
    case 'failed':
      return 'channel_failed';
    case 'timed_out':
    case 'closed':
      return 'unpaid';
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

function end(draft: Draft, order: Order, trigger: Trigger, by: { actor: string; detail?: string }, on: Circumstances): void {
  if (transition('payin', order.country, order.status, trigger) === null) return;
  order.failureReason = failureReasons[trigger] ?? null;
  const parts = Money.of(order.paidAmount, order.currency);
  move(draft, order, trigger, by, on);
  if (parts.isZero() || draft.payments.every((payment) => payment.use !== 'part')) return;
  const detail = `${parts} of ${order.amount} came before the order ended ${order.status}`;
  openCase(draft, { kind: 'parts_of_unpaid', orderNo: order.orderNo, channelId: order.channelId, reference: null, amount: parts, detail }, on.now);
}

function describe(answer: ChannelAnswer): string {
  switch (answer.outcome) {
    case 'failed':
    case 'timed_out':
    case 'refused':
    case 'returned':
      return answer.reason.slice(0, 200);
    case 'unknown':
      return `${answer.why}: ${answer.detail}`.slice(0, 200);
    default:
      return answer.outcome;
  }
}
