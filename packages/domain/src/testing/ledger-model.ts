import type { ApplyReport, BookWallet, Command } from '../core/commands.ts';
import type { Country } from '../core/country.ts';
import type { OrderKind, OrderStatus } from '../core/order.ts';

// A second, simple model of merchants' orders and money: one command after the other, whole cents in numbers, no
// database. The model-based test compares it with the ledger.

export interface ModelOrder {
  kind: OrderKind;
  country: Country;
  status: OrderStatus;
  total: number;
  net: number;
  /** The payments that count for the order so far. */
  paid: number;
  /** What left for a payout and did not settle it. */
  left: number;
  known: Set<string>;
  /** Whether the channel has confirmed that it has the order. */
  taken: boolean;
  /** Every status that it has reached. */
  reached: OrderStatus[];
}

export interface ModelMerchant {
  merchantId: string;
  country: Country;
  available: number;
  frozen: number;
  /** Signed: money in suspense, less what was paid out by mistake. */
  suspense: number;
  orders: Map<string, ModelOrder>;
  orderNos: Set<string>;
  /** The bookings by booking number. */
  bookings: Map<string, string>;
}

export const cents = (amount: string): number => Math.round(Number(amount) * 100);
const ends: OrderStatus[] = ['completed', 'failed', 'timeout', 'cancelled'];
const isOpen = (order: ModelOrder): boolean => !ends.includes(order.status);
const unpaid = (country: Country): OrderStatus => (country === 'TH' || country === 'IN' ? 'timeout' : 'cancelled');

/** Applies a command. Returns `ok` or the expected refusal; null if either is possible (claims depend on the time). */
export function applyToModel(merchant: ModelMerchant, command: Command): string | null {
  switch (command.type) {
    case 'createPayin':
    case 'createPayout':
      return create(merchant, command);
    case 'bookWallet':
      return book(merchant, command);
    case 'applyReport': {
      const order = merchant.orders.get(command.ref.orderNo);
      if (!order) return 'order_not_found';
      if (order.kind === 'payin') reportPayin(merchant, order, command);
      else reportPayout(merchant, order, command);
      return 'ok';
    }
    default:
      return null;
  }
}

function create(merchant: ModelMerchant, command: Extract<Command, { order: unknown }>): string {
  const { orderNo, merchantOrderNo, kind, amount, netAmount } = command.order;
  if (merchant.orderNos.has(merchantOrderNo)) return 'merchant_order_no_exists';
  const net = cents(netAmount);
  if (kind === 'payout' && merchant.available < net) return 'balance_insufficient';
  if (kind === 'payout') {
    merchant.available -= net;
    merchant.frozen += net;
  }
  merchant.orderNos.add(merchantOrderNo);
  const { country } = merchant;
  const status = country === 'IN' ? 'processing' : 'created';
  const money = { total: cents(amount), net, paid: 0, left: 0 };
  merchant.orders.set(orderNo, { kind, country, status, ...money, known: new Set(), taken: false, reached: [status] });
  return 'ok';
}

function book(merchant: ModelMerchant, { bookingNo, entry, amount }: BookWallet): string {
  const before = merchant.bookings.get(bookingNo);
  if (before !== undefined) return before === `${entry} ${amount}` ? 'ok' : 'booking_no_taken';
  if (merchant.available + cents(amount) < 0) return 'balance_insufficient';
  merchant.bookings.set(bookingNo, `${entry} ${amount}`);
  merchant.available += cents(amount);
  return 'ok';
}

function reach(order: ModelOrder, status: OrderStatus): void {
  order.status = status;
  order.reached.push(status);
}

function reportPayin(merchant: ModelMerchant, order: ModelOrder, { answer, during }: ApplyReport): void {
  const { outcome } = answer;
  const wasTaken = order.taken;
  if (outcome !== 'unknown' && outcome !== 'refused') order.taken = true;
  if (outcome === 'accepted' && order.status === 'created') reach(order, 'processing');
  const reported = 'payments' in answer ? (answer.payments ?? []) : [];
  const fresh = reported.filter(
    ({ reference }, i) => !order.known.has(reference) && reported.findIndex((t) => t.reference === reference) === i,
  );
  fresh.forEach(({ reference, amount }, i) => {
    order.known.add(reference);
    const due = order.total - order.paid;
    const sums = fresh.slice(i).map((_, n, rest) => rest.slice(0, n + 1).reduce((sum, p) => sum + cents(p.amount), 0));
    const comesToTotal = sums.includes(due);
    if (isOpen(order) && cents(amount) === due) {
      merchant.suspense -= order.paid;
      merchant.available += order.net;
      order.paid = order.total;
      reach(order, 'completed');
    } else {
      merchant.suspense += cents(amount);
      const counts = order.country === 'TH' && cents(amount) < due && (outcome !== 'paid' || comesToTotal);
      if (!isOpen(order) || !counts) return;
      order.paid += cents(amount);
      reach(order, 'partial_paid');
    }
  });
  const end = isOpen(order) ? endOf(order, wasTaken, answer, during) : null;
  if (end) reach(order, end);
}

function endOf(
  order: ModelOrder,
  wasTaken: boolean,
  answer: ApplyReport['answer'],
  during: ApplyReport['during'],
): OrderStatus | null {
  const isPart = order.status === 'partial_paid';
  switch (answer.outcome) {
    case 'refused':
      return isPart ? null : 'failed';
    case 'failed':
      return isPart ? (during === 'expiry' ? 'timeout' : null) : 'failed';
    case 'timed_out':
      return unpaid(order.country);
    case 'closed':
      // A callback only echoes our own close request.
      return during === 'callback' ? null : unpaid(order.country);
    case 'unknown':
      if (during === 'create' && !wasTaken) return unpaid(order.country) === 'timeout' ? 'timeout' : 'failed';
      return during === 'expiry' && answer.why === 'not_found' ? unpaid(order.country) : null;
    default:
      return during === 'expiry' ? unpaid(order.country) : null;
  }
}

function reportPayout(merchant: ModelMerchant, order: ModelOrder, { answer, during }: ApplyReport): void {
  const { outcome } = answer;
  if (outcome === 'accepted' && order.status === 'created') reach(order, 'processing');
  const reported = 'payments' in answer ? (answer.payments ?? []) : [];
  const expected = reported.find(
    ({ reference, amount }) => !order.known.has(reference) && cents(amount) === order.total,
  );
  if (expected && isOpen(order)) {
    merchant.frozen -= order.net;
    order.known.add(expected.reference);
    reach(order, 'completed');
  }
  // All other outgoing money is on suspense, whatever the order's status.
  for (const { reference, amount } of reported) {
    if (order.known.has(reference)) continue;
    order.known.add(reference);
    merchant.suspense -= cents(amount);
    order.left += cents(amount);
  }
  const released: Partial<Record<typeof outcome, OrderStatus>> = {
    refused: 'failed',
    failed: 'failed',
    timed_out: order.country === 'IN' ? 'timeout' : 'failed',
    closed: 'cancelled',
  };
  const end = released[outcome];
  // What is known to have left contradicts an unpaid end.
  if (!end || !isOpen(order) || order.left > 0 || (outcome === 'closed' && during === 'callback')) return;
  merchant.frozen -= order.net;
  merchant.available += order.net;
  reach(order, end);
}
