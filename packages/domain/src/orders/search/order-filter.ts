import { matchingText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';
import { currencyOf } from '../../countries/index.ts';
import {
  amount,
  anyOf,
  channelId,
  country,
  created,
  kind,
  merchantIds,
  orderNo,
  orderStatus,
  text,
  time,
} from '../../lists/filter-parts.ts';

/** The columns by which orders can be sorted. Each is a list with its own cursors. */
export const orderLists = {
  created: 'orders',
  completed: 'orders_by_completion',
  amount: 'orders_by_amount',
} as const;
export type OrderSort = keyof typeof orderLists;
export type OrderList = (typeof orderLists)[OrderSort];

const merchantOrderNo = matchingText(64, /^[!-~]{1,64}$/, 'must be 1 to 64 visible ASCII characters');
/** Shorter beginnings would match most orders. */
const beginning = 3;
const currency = z.enum(Object.values(currencyOf));

/** Filter of the list of orders. All parts are optional and combined with AND. */
export const orderFilter = z.strictObject({
  merchantIds,
  kind: kind.nullish(),
  statuses: anyOf(orderStatus),
  countries: anyOf(country),
  channelIds: anyOf(channelId),
  amountFrom: amount.nullish(),
  amountTo: amount.nullish(),
  ...created,
  /** The merchant's own number; several merchants may have the same. */
  merchantOrderNo: merchantOrderNo.nullish(),
  merchantOrderNoStartsWith: merchantOrderNo.min(beginning).nullish(),
  orderNo: orderNo.nullish(),
  orderNoStartsWith: orderNo.nullish(),
  channelRef: text.nullish(),
  bankReference: text.nullish(),
  currencies: anyOf(currency),
  bankCodes: anyOf(text),
  failureReasons: anyOf(text),
  completedFrom: time.nullish(),
  completedTo: time.nullish(),
  notificationStates: anyOf(z.enum(['pending', 'delivered', 'exhausted'])),
  account: text.nullish(),
  phone: text.nullish(),
  partyName: text.min(2).nullish(),
  /** Free text, read by `readSearch`. */
  search: text.nullish(),
});
export type OrderFilter = z.infer<typeof orderFilter>;

/** The parts that contain personal data. They are only for callers who may read personal data. */
export const personalParts = ['account', 'phone', 'partyName'] as const satisfies (keyof OrderFilter)[];
