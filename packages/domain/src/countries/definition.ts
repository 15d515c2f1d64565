import type { BlockList } from 'node:net';
import type { JsonObject } from '@tidegate/signature';
import type * as z from 'zod';
import type { Country, Currency } from '../core/country.ts';
import type { NotificationRule } from '../core/notification.ts';
import type { OrderDetails } from '../core/order.ts';
import type { PayeeProblem } from '../core/payee-problem.ts';
import type { TransitionRow } from '../core/transitions.ts';
import type { CheckoutWords } from './checkout-words.ts';
import type { View } from './view.ts';

/** A merchant's request, after the country's schema has accepted it. The amount has two decimals. */
export interface PayinRequest {
  merchantOrderNo: string;
  amount: string;
  bankCode: string | null;
  notifyUrl: string | null;
  details: OrderDetails;
}

/** A payout request has the same fields. Its details name the payee. */
export type PayoutRequest = PayinRequest;

/** A refused field, by its dotted path, and the reason. */
export interface Problem {
  path: string;
  reason: string;
}

export type Parsed<Request> = { ok: true; request: Request } | { ok: false; problems: Problem[] };

export interface ParseOptions {
  /** Fields that PK must not send are ignored instead of refused (decisions 4). */
  acceptDeprecatedFields: boolean;
  /** Private networks to which notifications may go. */
  notifyNetworks: BlockList;
}

/** Reads a country's create requests. */
export interface CreateReader<Request> {
  /** Reads the body as parsed by the signature package. Reports every bad field. */
  parse(value: JsonObject, options: ParseOptions): Parsed<Request>;
  /** For the OpenAPI document. */
  schema: z.ZodType<Request>;
}

/** The rules of a country's payins. */
export interface PayinRules extends CreateReader<PayinRequest> {
  /** `worker`: created and answered at once, the worker submits it. `request`: submitted before the answer. */
  submittedBy: 'worker' | 'request';
  /** Whether the merchant's default address replaces a missing notifyUrl. */
  defaultNotifyUrl: boolean;
  notifications: NotificationRule;
  createView: View;
  queryView: View;
  /** All transitions of such an order, from `new` to its final status. */
  transitions: readonly TransitionRow[];
  /** A valid create request, shown in the reference. */
  example: object;
}

/** The rules of a country's payouts. The merchant's default address always replaces a missing notifyUrl. */
export interface PayoutRules extends CreateReader<PayoutRequest> {
  notifications: NotificationRule;
  /** Whether an enabled channel has to map the bank code (decisions 4). */
  mappingRequired: boolean;
  /** The paths of the fields that a provider may be unable to carry. */
  paths: Readonly<Record<PayeeProblem['field'], string>>;
  createView: View;
  queryView: View;
  /** All transitions of such an order, from `new` to its final status. */
  transitions: readonly TransitionRow[];
  /** A valid create request, shown in the reference. */
  example: object;
}

/** A merchant of the local sandbox. */
export interface DemoMerchant {
  merchantNo: string;
  name: string;
  /** How its payouts are processed. Absent: it has none. */
  payoutMode?: 'upstream' | 'market';
}

/** Data for the local sandbox and `npm run demo`. */
export interface CountryDemo {
  /** The payouts of the first one go through the sandbox channel. */
  merchants: readonly DemoMerchant[];
  /** A valid payin without merchantOrderNo. */
  payin(notifyUrl: string): object;
  /** A valid payout without merchantOrderNo and amount; null: the country has none. */
  payout: object | null;
  /** Bank codes of the sandbox channel and the task market. */
  bankCodes: { payin: readonly string[]; payout: readonly string[] };
}

/**
 * All rules of one country. `index.ts` lists the countries. Everything else in the service is derived from that list.
 */
export interface CountryDefinition {
  /** ISO 3166-1 alpha-2. */
  code: Country;
  /** In English, for example `Thailand`. */
  name: string;
  /** ISO 4217; one per country. */
  currency: Currency;
  /** In English, for example `Thai baht`. */
  currencyName: string;
  /** The digits before a phone number of the country, for example `66`. */
  dialCode: string;
  /** IANA name of the zone whose days are the country's, as `Asia/Bangkok`. */
  timeZone: string;
  /** The texts of the checkout page in the country's language, by its ISO 639-1 code. English is always offered. */
  checkout: { language: string; words: CheckoutWords };
  payin: PayinRules;
  /** Null: the country has no payouts. */
  payout: PayoutRules | null;
  demo: CountryDemo;
}
