import { fromCents, toCents } from '../fake-provider/cents.ts';
import type { WireOrder } from '../sandbox/wire.ts';
import { MAX_AMOUNT_CHARACTERS, promptPayPayload } from './promptpay.ts';
import { type OrderState, paidCents, type StoredOrder } from './state.ts';

/** No phone line can have this number. So a sandbox code that is scanned with a real banking app moves no money. */
const SANDBOX_PAYEE = { type: 'mobile', number: '0000000000' } as const;

/** An order as the API shows it. Payers reach this server at `publicUrl`. */
export function viewOf(order: StoredOrder, state: OrderState, publicUrl: string): WireOrder {
  const { orderNo, kind, country, currency, amount, upstreamId } = order;
  const about = { orderNo, kind, country, currency, amount, upstreamId };
  const payments = [...state.payments];
  const { status, reason } = state;
  switch (status) {
    case 'pending':
      return { ...about, status, ...waysToPay(order, amount, publicUrl) };
    case 'part_paid':
      return { ...about, status, payments, ...waysToPay(order, restOf(order, state), publicUrl) };
    case 'paid':
      return { ...about, status, payments };
    case 'failed':
      return { ...about, status, reason };
    case 'timed_out':
      return { ...about, status, reason, payments };
    case 'closed':
      return { ...about, status };
    case 'returned': {
      if (!state.returned) throw new Error(`order ${orderNo} was returned without a reference`);
      return { ...about, status, payments, reason, returned: state.returned };
    }
    default:
      return status satisfies never;
  }
}

/**
 * How a payer pays `amount`. A payin has a pay link. Thai ones also have a PromptPay code, and `QRANDLAUNCH` ones a
 * code for a wallet app. Codes contain no host name, because merchants see them and channels stay hidden from
 * merchants.
 */
function waysToPay(order: StoredOrder, amount: string, publicUrl: string): { payLink?: string; qr?: string } {
  if (order.kind === 'payout') return {};
  const payLink = `${publicUrl}/pay/${order.orderNo}`;
  if (order.bankCode === 'QRANDLAUNCH')
    return { payLink, qr: `sandboxpay:${order.orderNo}?am=${amount}&cu=${order.currency}` };
  if (order.country !== 'TH' || amount.length > MAX_AMOUNT_CHARACTERS) return { payLink };
  return { payLink, qr: promptPayPayload(SANDBOX_PAYEE, amount) };
}

/** The amount left to pay of a partly paid order. */
export function restOf(order: StoredOrder, state: OrderState): string {
  return fromCents(toCents(order.amount) - paidCents(state));
}
