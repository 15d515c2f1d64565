import { boundedText, matchingText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';
import { orderStatuses } from '../core/order.ts';
import { countries } from '../countries/index.ts';

// The parts of list filters. Every text and every array has its bound here, and each list parses its filter with its
// own schema. A part that is absent or null does not restrict. Times are Unix milliseconds, `From` inclusive, `To`
// exclusive.

export const time = z.number().int().min(0).max(253_402_300_799_999);
export const merchantId = matchingText(
  32,
  /^[A-Z0-9-]{3,32}$/,
  'must be a merchant number: 3 to 32 upper-case letters, digits, hyphens',
);
export const merchantIds = z.array(merchantId).min(1).max(100).nullish();
export const orderNo = matchingText(
  32,
  /^P[IO][0-9A-Z]{1,30}$/,
  'must be PI or PO, then up to 30 digits and upper-case letters',
);
export const channelId = matchingText(
  32,
  /^[a-z0-9-]{2,32}$/,
  'must be a channel id: 2 to 32 lower-case letters, digits, hyphens',
);
export const amount = matchingText(15, /^(0|[1-9][0-9]{0,11})(\.[0-9]{1,2})?$/, 'must be an amount, e.g. "12.50"');
export const text = boundedText(128)
  .min(1)
  .refine((value) => !value.includes('\0'), 'must not contain U+0000');
export const country = z.enum(countries);
export const kind = z.enum(['payin', 'payout']);
export const orderStatus = z.enum(orderStatuses);
export const created = { createdFrom: time.nullish(), createdTo: time.nullish() };

export function anyOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).min(1).max(20).nullish();
}
