import type { BlockList } from 'node:net';
import type { JsonObject } from '@tidegate/signature';
import type * as z from 'zod';
import type { Country, Currency } from '../core/country.ts';
import type { NotificationRule } from '../core/notification.ts';
import type { OrderDetails } from '../core/order.ts';
import type { TransitionRow } from '../core/transitions.ts';
import type { CheckoutWords } from './checkout-words.ts';
import type { View } from './view.ts';

/** What a merchant asks for, once its country's rules have been met. The amount has two decimals. */
export interface PayinRequest {
  merchantOrderNo: string;
  amount: string;
  bankCode: string | null;
  notifyUrl: string | null;
  details: OrderDetails;
}

/** A payout is asked for with the same things; its details name the payee. */
export type PayoutRequest = PayinRequest;

/** A field that cannot be taken, by its dotted path, and why. */
export interface Problem {
  path: string;
  reason: string;
}

export type Parsed<Request> = { ok: true; request: Request } | { ok: false; problems: Problem[] };

export interface ParseOptions {
  /** Fields that PK must not send are ignored instead of refused (decisions 4). */
  acceptDeprecatedFields: boolean;
  /** Networks beyond the public ones where notifications may go. */
  notifyNetworks: BlockList;
}

/** How a country reads a create. */
export interface CreateReader<Request> {
  /** Reads a request's body, as the signature package gives it. Names every bad field. */
  parse(value: JsonObject, options: ParseOptions): Parsed<Request>;
  /** What the reference is made of. */
  schema: z.ZodType<Request>;
}

/** Everything that a country's payins have of their own. */
export interface PayinRules extends CreateReader<PayinRequest> {
  /** `worker`: created and answered at once, the worker submits it. `request`: submitted before the answer. */
  submittedBy: 'worker' | 'request';
  /** Whether the merchant's default address stands in for a missing notifyUrl. */
  defaultNotifyUrl: boolean;
  notifications: NotificationRule;
  createView: View;
  queryView: View;
  /** All that may happen to such an order, from `new` to its end. */
  transitions: readonly TransitionRow[];
  /** A create that works, as the reference shows it. */
  example: object;
}

/** Everything that a country's payouts have of their own. The merchant's default address always stands in for a missing notifyUrl. */
export interface PayoutRules extends CreateReader<PayoutRequest> {
  notifications: NotificationRule;
  /** Whether the bank code must be one that an enabled channel maps (decisions 4). */
  mappingRequired: boolean;
  createView: View;
  queryView: View;
  /** All that may happen to such an order, from `new` to its end. */
  transitions: readonly TransitionRow[];
  /** A create that works, as the reference shows it. */
  example: object;
}

/** A merchant of the local sandbox. */
export interface DemoMerchant {
  merchantNo: string;
  name: string;
  /** How its payouts are carried; left out: it has none. */
  payoutMode?: 'upstream' | 'market';
}

/** What the local sandbox and `npm run demo` need to know. */
export interface CountryDemo {
  /** The first one pays through the sandbox channel. */
  merchants: readonly DemoMerchant[];
  /** A payin that works, without merchantOrderNo. */
  payin(notifyUrl: string): object;
  /** A payout that works, without merchantOrderNo and amount; null: the country has none. */
  payout: object | null;
  /** Bank codes that the sandbox channel and the task market carry. */
  bankCodes: { payin: readonly string[]; payout: readonly string[] };
}

/** Everything that makes a country. `index.ts` lists them all, and everything else in the service is derived from that list. */
export interface CountryDefinition {
  /** ISO 3166-1 alpha-2. */
  code: Country;
  /** In English, as `Thailand`. */
  name: string;
  /** ISO 4217; one per country. */
  currency: Currency;
  /** In English, as `Thai baht`. */
  currencyName: string;
  /** What the checkout page says to payers who read the country's language, by its ISO 639-1 code. English is always offered. */
  checkout: { language: string; words: CheckoutWords };
  payin: PayinRules;
  /** Null: the country has no payouts. */
  payout: PayoutRules | null;
  demo: CountryDemo;
}
