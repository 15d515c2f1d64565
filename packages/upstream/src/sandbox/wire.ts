import { boundedText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';

/**
 * The sandbox upstream's own API, as it goes over the wire. Amounts are text with two decimals.
 *
 * - `POST /orders` with wireCreate: 200 wireOrder, or 400, 409, 422 wireError
 * - `GET /orders/{orderNo}`: 200 wireOrder, or 404 wireError
 * - `POST /orders/{orderNo}/cancel`: 200 wireOrder (its current state), or 404 wireError
 * - callback: wireCallback, answered with 200
 */
const amount = boundedText(18).regex(/^(0|[1-9][0-9]{0,14})\.[0-9]{2}$/);
const positiveAmount = amount.refine((text) => /[1-9]/.test(text), 'must be greater than 0');
const orderNo = boundedText(64).regex(/^[A-Za-z0-9_-]{1,64}$/);
const kind = z.enum(['payin', 'payout']);
const country = boundedText(2).regex(/^[A-Z]{2}$/);
const currency = boundedText(3).regex(/^[A-Z]{3}$/);
const text = boundedText(512);

const wirePayment = z.object({ reference: boundedText(128).min(1), amount: positiveAmount });

const payments = z
  .array(wirePayment)
  .max(100)
  .refine((all) => new Set(all.map((one) => one.reference)).size === all.length, 'a reference appears twice');
const somePayments = payments.refine((all) => all.length > 0, 'must not be empty');

const about = { orderNo, kind, country, currency, amount: positiveAmount, upstreamId: boundedText(64).min(1) };

/** Shown to the payer. For a partly paid order they ask for the rest. */
const waysToPay = { payLink: z.exactOptional(text), qr: z.exactOptional(text) };

export const wireOrder = z.discriminatedUnion('status', [
  z.object({ ...about, status: z.literal('pending'), ...waysToPay }),
  z.object({ ...about, status: z.literal('part_paid'), payments: somePayments, ...waysToPay }),
  z.object({ ...about, status: z.literal('paid'), payments: somePayments }),
  z.object({ ...about, status: z.literal('failed'), reason: text }),
  z.object({ ...about, status: z.literal('timed_out'), reason: text, payments }),
  z.object({ ...about, status: z.literal('closed') }),
  z.object({ ...about, status: z.literal('returned'), payments: somePayments, returned: wirePayment, reason: text }),
]);

export const wireCreate = z.object({
  orderNo,
  kind,
  country,
  currency,
  amount: positiveAmount,
  bankCode: z.exactOptional(text),
  party: z.record(boundedText(32), text),
  callbackUrl: boundedText(1_024).pipe(z.url({ protocol: /^https?$/ })),
  expiresInSeconds: z.exactOptional(z.int().positive()),
});

export const wireCallback = z.object({
  callbackId: boundedText(128).min(1),
  /** The time of this state, ISO 8601. */
  occurredAt: boundedText(40).pipe(z.iso.datetime()),
  order: wireOrder,
});

const WIRE_ERRORS = [
  'unauthorized',
  'invalid_order',
  'order_refused',
  'order_conflict',
  'order_unknown',
  'order_not_open',
  'internal',
] as const;

export const wireError = z.object({ code: z.enum(WIRE_ERRORS), message: text });

export type WirePayment = z.infer<typeof wirePayment>;
export type WireOrder = z.infer<typeof wireOrder>;
export type WireCreate = z.infer<typeof wireCreate>;
export type WireCallback = z.infer<typeof wireCallback>;
export type WireErrorCode = (typeof WIRE_ERRORS)[number];
