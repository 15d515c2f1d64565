import { z } from 'zod';
import { countries } from '../core/country.ts';
import { roles } from '../core/operator-rights.ts';
import { orderStatuses } from '../core/order.ts';
import { isTimeZone } from '../core/zone-time.ts';

// What lists can be narrowed to. Every text and every list is bounded here, once: whoever calls a list has its filter parsed by these.
// A part that is absent or null does not narrow. Times are Unix milliseconds, `From` inclusive, `To` exclusive.

const time = z.number().int().min(0).max(253_402_300_799_999);
const merchantId = z
  .string()
  .regex(/^[A-Z0-9-]{3,32}$/, 'must be a merchant number: 3 to 32 capital letters, digits, hyphens');
const merchantIds = z.array(merchantId).min(1).max(100).nullish();
const orderNo = z.string().regex(/^P[IO][0-9A-Z]{1,30}$/, 'must be PI or PO, then up to 30 digits and capital letters');
const channelId = z.string().regex(/^[a-z0-9-]{2,32}$/, 'must be a channel id: 2 to 32 small letters, digits, hyphens');
const amount = z.string().regex(/^(0|[1-9][0-9]{0,11})(\.[0-9]{1,2})?$/, 'must be an amount, e.g. "12.50"');
const text = z
  .string()
  .min(1)
  .max(128)
  .refine((value) => !value.includes('\0'), 'must not contain U+0000');
const country = z.enum(countries);
const kind = z.enum(['payin', 'payout']);
const orderStatus = z.enum(orderStatuses);
const created = { createdFrom: time.nullish(), createdTo: time.nullish() };

function anyOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).min(1).max(20).nullish();
}

export const orderFilter = z.strictObject({
  ...{ merchantIds, kind: kind.nullish(), statuses: anyOf(orderStatus), countries: anyOf(country) },
  ...{ channelIds: anyOf(channelId), amountFrom: amount.nullish(), amountTo: amount.nullish(), ...created },
  /** The merchant's own number; several merchants may have the same. */
  merchantOrderNo: z
    .string()
    .regex(/^[!-~]{1,64}$/, 'must be 1 to 64 visible ASCII characters')
    .nullish(),
  orderNo: orderNo.nullish(),
});
export type OrderFilter = z.infer<typeof orderFilter>;

/** `account`: on either side, e.g. `suspense` or `channel:sandbox`. */
export const transferFilter = z.strictObject({
  merchantId,
  account: text.nullish(),
  causes: anyOf(text),
  orderNo: orderNo.nullish(),
  ...created,
});
export type TransferFilter = z.infer<typeof transferFilter>;

const notificationState = z.enum(['pending', 'delivered', 'exhausted']);
export const notificationFilter = z.strictObject({
  ...{ merchantIds, orderNo: orderNo.nullish(), states: anyOf(notificationState), statuses: anyOf(orderStatus) },
  /** Name and port that it goes to, e.g. `shop.test:443`. */
  ...{ host: text.nullish(), ...created },
});
export type NotificationFilter = z.infer<typeof notificationFilter>;

/** `available`: nobody has claimed it. `claimed`: somebody pays it. `proven`: they say that they have. */
export const payoutTaskFilter = z.strictObject({
  merchantIds,
  state: z.enum(['available', 'claimed', 'proven']).nullish(),
  claimedBy: text.nullish(),
});
export type PayoutTaskFilter = z.infer<typeof payoutTaskFilter>;

export const stuckPayoutFilter = z.strictObject({ merchantIds, channelIds: anyOf(channelId) });
export type StuckPayoutFilter = z.infer<typeof stuckPayoutFilter>;

const caseState = z.enum(['open', 'credited', 'returned']);
const caseKind = z.enum([
  'late',
  'double',
  'wrong_amount',
  'parts_of_unpaid',
  'unmatched',
  'payout_returned',
  'payout_paid_again',
  'payout_wrong_amount',
  'payout_underpaid',
  'contradiction',
]);
export const moneyCaseFilter = z.strictObject({
  ...{
    merchantIds,
    states: anyOf(caseState),
    kinds: anyOf(caseKind),
    channelIds: anyOf(channelId),
    orderNo: orderNo.nullish(),
  },
  ...{ openedFrom: time.nullish(), openedTo: time.nullish() },
});
export type MoneyCaseFilter = z.infer<typeof moneyCaseFilter>;

export const auditRecordFilter = z.strictObject({
  /** `PLATFORM`: what concerns no merchant. */
  ...{ merchantIds, actor: text.nullish(), actions: anyOf(text), subject: text.nullish() },
  ...{ from: time.nullish(), to: time.nullish() },
});
export type AuditRecordFilter = z.infer<typeof auditRecordFilter>;

export const approvalFilter = z.strictObject({
  ...{ merchantIds, states: anyOf(z.enum(['pending', 'executed', 'rejected', 'expired', 'failed', 'withdrawn'])) },
  ...{ operations: anyOf(text), askedBy: text.nullish() },
});
export type ApprovalFilter = z.infer<typeof approvalFilter>;

export const auditFindingFilter = z.strictObject({
  merchantIds,
  states: anyOf(z.enum(['open', 'repaired', 'accepted'])),
  rules: anyOf(text),
});
export type AuditFindingFilter = z.infer<typeof auditFindingFilter>;

export const merchantFilter = z.strictObject({
  ...{ merchantIds, countries: anyOf(country), status: z.enum(['active', 'disabled']).nullish() },
  /** A part of the number or the name, whatever its case. */
  search: text.nullish(),
});
export type MerchantFilter = z.infer<typeof merchantFilter>;

export const operatorFilter = z.strictObject({ role: z.enum(roles).nullish(), enabled: z.boolean().nullish() });
export type OperatorFilter = z.infer<typeof operatorFilter>;

export const accountFilter = z.strictObject({
  merchantIds,
  accounts: anyOf(text),
  currencies: anyOf(z.enum(['CNY', 'THB', 'INR', 'PKR'])),
});
export type AccountFilter = z.infer<typeof accountFilter>;

/** By what figures are told apart. Currencies always are. */
export const dimensions = ['time', 'country', 'channel', 'merchant', 'status', 'kind'] as const;
export type Dimension = (typeof dimensions)[number];

const hour = 3_600_000;
/** With the hour by which clocks can make days longer. */
const longest = { hour: (7 * 24 + 1) * hour, day: (92 * 24 + 1) * hour };

export const figuresQuery = z
  .strictObject({
    /** Orders created from `from` to before `to` are counted, whatever hours and days these cut. */
    ...{ from: time, to: time, grain: z.enum(['hour', 'day']) },
    /** Whose hours and days tell orders apart by time; UTC unless named. */
    timeZone: z.string().refine(isTimeZone, 'must be the name of an IANA time zone, e.g. Asia/Kolkata').nullish(),
    by: z.array(z.enum(dimensions)).max(dimensions.length).nullish(),
    ...{
      merchantIds,
      kind: kind.nullish(),
      countries: anyOf(country),
      channelIds: anyOf(channelId),
      statuses: anyOf(orderStatus),
    },
    /** Whether to say how long completion took as well, which costs more. */
    withTimes: z.boolean().nullish(),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must lie after from' })
  .refine(({ from, to, grain }) => to - from <= longest[grain], {
    path: ['to'],
    error: 'must lie at most 92 days after from by day, and 7 days by hour',
  })
  .refine(({ by, withTimes, merchantIds: named }) => !withTimes || named != null || !by?.includes('merchant'), {
    path: ['withTimes'],
    error: 'needs merchantIds where merchants are told apart',
  });
export type FiguresQuery = z.infer<typeof figuresQuery>;
