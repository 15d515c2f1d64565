import type { Country, PayoutCountry } from './country.ts';

/** Anything that JSON can say. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };
type Optional<T> = T | undefined;

interface AnyOrder {
  /** Yours, and unique over your payins and payouts together: 1 to 64 visible ASCII characters. */
  merchantOrderNo: string;
  /** Decimal text, greater than 0, at most two decimals: `100`, `100.50`. Never a number: a double cannot hold money. */
  amount: string;
  /** Where notifications go: an absolute http or https URL of up to 512 characters. */
  notifyUrl?: Optional<string>;
}

/** China: `countryCode` and `currency` are filled in. */
export interface CnPayinRequest extends AnyOrder {
  countryCode?: Optional<'CN'>;
  currency?: Optional<'CNY'>;
  metadata?: Optional<PayinMetadata>;
}

/** Thailand. Without `notifyUrl` the merchant's default address is used. */
export interface ThPayinRequest extends AnyOrder {
  bankCode: 'QR';
  extJson: { accountNo: string; [key: string]: Json | undefined };
  remark?: Optional<string>;
  payer_mobile?: Optional<string>;
  payer_realname?: Optional<string>;
  payer_email?: Optional<string>;
  payer_id_no?: Optional<string>;
}

/** India: `countryCode` and `currency` are filled in. */
export interface InPayinRequest extends AnyOrder {
  notifyUrl: string;
  countryCode?: Optional<'IN'>;
  currency?: Optional<'INR'>;
  /** `payerName` and `payerMobile` are recommended. */
  metadata?: Optional<PayinMetadata>;
}

/** Pakistan. Without `notifyUrl` no notification is sent. */
export interface PkPayinRequest extends AnyOrder {
  /** 11 digits, starting with `03`. */
  payer_mobile: string;
  /** Recommended; `QRANDLAUNCH` gives a `payQr` as well. */
  bankCode?: Optional<string>;
  remark?: Optional<string>;
  payer_realname?: Optional<string>;
  payer_email?: Optional<string>;
  payer_id_no?: Optional<string>;
  extJson?: Optional<{ [key: string]: Json | undefined }>;
}

export interface PayinMetadata {
  /** Where the payer is led when the payment is over. */
  returnUrl?: Optional<string>;
  payerName?: Optional<string>;
  payerMobile?: Optional<string>;
  [key: string]: Json | undefined;
}

/** India, by bank transfer: `countryCode` and `currency` are filled in. */
export interface InPayoutRequest extends AnyOrder {
  countryCode?: Optional<'IN'>;
  currency?: Optional<'INR'>;
  receiverName: string;
  /** 6 to 34 letters or digits. */
  receiverAccount: string;
  receiverPhone?: Optional<string>;
  remark?: Optional<string>;
  metadata: {
    /** The branch's code, e.g. `HDFC0001234`. */
    ifsc: string;
    recipientEmail?: Optional<string>;
    recipientContact?: Optional<string>;
    [key: string]: Json | undefined;
  };
}

/** Pakistan. For `JAZZCASH` and `EASYPAISA` the money goes to `payee_mobile`, for banks to `payee_account`. */
export interface PkPayoutRequest extends AnyOrder {
  /** Capital letters: `JAZZCASH`, `EASYPAISA`, `HBL` … */
  bankCode: string;
  payee_realname: string;
  payee_account: string;
  payee_mobile?: Optional<string>;
  payee_email?: Optional<string>;
  payee_id_no?: Optional<string>;
  remark?: Optional<string>;
  extJson?: Optional<{ [key: string]: Json | undefined }>;
}

interface PayinRequests {
  CN: CnPayinRequest;
  TH: ThPayinRequest;
  IN: InPayinRequest;
  PK: PkPayinRequest;
}

interface PayoutRequests {
  IN: InPayoutRequest;
  PK: PkPayoutRequest;
}

/** What a country's payin is created with (contract "Create payin"). */
export type PayinRequest<C extends Country = Country> = PayinRequests[C];

/** What a country's payout is created with (contract "Create payout"). */
export type PayoutRequest<C extends PayoutCountry = PayoutCountry> = PayoutRequests[C];

/** A query names an order by exactly one of its two numbers. */
export type OrderNumber =
  | { orderNo: string; merchantOrderNo?: undefined }
  | { merchantOrderNo: string; orderNo?: undefined };
