import { hash } from 'node:crypto';
import type { OrderKind } from './order.ts';

/** Crockford's base 32: digits and capitals without I, L, O and U. Texts of equal length sort like their numbers. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const prefixes: Record<OrderKind, string> = { payin: 'PI', payout: 'PO' };

/**
 * A service order number of 27 characters (decisions 5.1): `PI` or `PO`, 9 characters of time (ms, sortable), 4 of the
 * merchant's tag, 12 random ones (60 bits). `random` has at least 12 random bytes.
 */
export function makeOrderNo(kind: OrderKind, merchantId: string, now: number, random: Uint8Array): string {
  return makeNumber(prefixes[kind], merchantId, now, random);
}

/** The number of a refund, made like an order number: `RF`, time, the merchant's tag, 12 random characters. */
export function makeRefundNo(merchantId: string, now: number, random: Uint8Array): string {
  return makeNumber('RF', merchantId, now, random);
}

/** The number of a settlement at the channel that pays it, made like an order number: `SP`, time, tag, 12 random characters. */
export function makePaymentNo(merchantId: string, now: number, random: Uint8Array): string {
  return makeNumber('SP', merchantId, now, random);
}

/** Whether this is the number of a payout. */
export function isPayoutNo(orderNo: string): boolean {
  return orderNo.startsWith(prefixes.payout);
}

/** Whether a channel names the payment of a settlement. */
export function isPaymentNo(text: string): boolean {
  return /^SP[0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}

/** The numbers of orders, refunds and settlement payments in a text of a bank, each once. */
export function numbersIn(text: string): string[] {
  const found = text.match(/(?<![0-9A-Za-z])(?:PI|PO|RF|SP)[0-9A-HJKMNP-TV-Z]{25}(?![0-9A-Za-z])/g);
  return [...new Set(found)];
}

function makeNumber(prefix: string, merchantId: string, now: number, random: Uint8Array): string {
  let text = prefix;
  for (let place = 8; place >= 0; place--) text += alphabet[Math.floor(now / 32 ** place) % 32];
  text += merchantTag(merchantId);
  for (let i = 0; i < 12; i++) text += alphabet[(random[i] ?? 0) % 32];
  return text;
}

/**
 * Four characters that lead from an order number to its merchant, without an index over all merchants' orders. Not
 * unique.
 */
export function merchantTag(merchantId: string): string {
  const bits = hash('sha256', merchantId, 'buffer').readUInt32BE(0);
  return [27, 22, 17, 12].map((shift) => alphabet[(bits >>> shift) & 31]).join('');
}

/** The merchant's tag in a well-formed order number; null for other text. */
export function tagOfOrderNo(orderNo: string): string | null {
  return /^P[IO][0-9A-HJKMNP-TV-Z]{25}$/.test(orderNo) ? orderNo.slice(11, 15) : null;
}
