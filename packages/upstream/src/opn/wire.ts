import { boundedText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';

// Objects of Opn's API, version 2019-05-29: https://docs.omise.co/charges-api, search-api, refunds-api, events-api.
// Strict for what decides about money. Everything else may be missing or new.

/** Sent with every call, so that answers keep this form whatever the account's default version is. */
export const apiVersion = '2019-05-29';

const chargeIdPattern = /^chrg_(test_)?[0-9a-z]{1,64}$/;
export const isChargeId = (text: string): boolean => chargeIdPattern.test(text);

const chargeId = boundedText(4_096).regex(chargeIdPattern);
const refundId = boundedText(74).regex(/^rfnd_(test_)?[0-9a-z]{1,64}$/);
const satang = z.int().nonnegative();
const currency = boundedText(3)
  .regex(/^[A-Za-z]{3}$/)
  .toUpperCase();
const metadata = z.record(boundedText(4_096), z.unknown()).nullish();
const text = boundedText(1_000);

const scannableCode = z.object({
  image: z.object({ download_uri: text.nullish() }).nullish(),
  /** The text of the QR code. Not documented; null in all examples that were found. */
  raw_data: z.unknown(),
});

export const wireCharge = z.object({
  object: z.literal('charge'),
  id: chargeId,
  livemode: z.boolean(),
  amount: satang,
  currency,
  status: boundedText(64),
  paid: z.boolean(),
  metadata,
  created_at: boundedText(40).nullish(),
  failure_code: boundedText(100).nullish(),
  refundable: z.boolean().nullish(),
  source: z.object({ type: boundedText(64), scannable_code: scannableCode.nullish() }).nullish(),
});

export const wireSearch = z.object({
  object: z.literal('search'),
  scope: z.literal('charge'),
  query: boundedText(4_096),
  total_pages: z.int().nonnegative(),
  data: z.array(wireCharge).max(100),
});

export const wireRefund = z.object({
  object: z.literal('refund'),
  id: refundId,
  charge: chargeId,
  amount: satang,
  currency,
  status: boundedText(64).nullish(),
  metadata,
});

export const wireRefunds = z.object({
  object: z.literal('list'),
  total: z.int().nonnegative(),
  data: z.array(wireRefund).max(100),
});

export const wireError = z.object({ object: z.literal('error'), code: boundedText(100) });

export const wireAccount = z.object({
  object: z.literal('account'),
  livemode: z.boolean().nullish(),
  webhook_uri: boundedText(2_000).nullish(),
});

/** An event is written in the account's default version, so only what all versions share is read. */
export const wireEvent = z.object({
  object: z.literal('event'),
  key: boundedText(100),
  data: z.object({ object: boundedText(64), id: boundedText(100), livemode: z.boolean().nullish(), metadata }),
});

export type WireCharge = z.infer<typeof wireCharge>;
export type WireRefund = z.infer<typeof wireRefund>;

/**
 * The metadata that assigns a charge to an order. The description has the order number too, because searches look
 * there.
 */
export const chargeMetadata = (channelId: string, orderNo: string) => ({
  tidegate_order: orderNo,
  tidegate_channel: channelId,
});
