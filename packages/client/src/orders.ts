import type { Country, PayoutCountry } from './country.ts';

interface PayinStatuses {
  CN: 'created' | 'processing' | 'completed' | 'failed' | 'cancelled';
  TH: 'created' | 'processing' | 'partial_paid' | 'completed' | 'failed' | 'timeout' | 'cancelled';
  IN: 'created' | 'processing' | 'completed' | 'failed' | 'timeout' | 'cancelled';
  PK: 'created' | 'processing' | 'completed' | 'failed' | 'cancelled';
}

interface PayoutStatuses {
  IN: 'created' | 'processing' | 'completed' | 'failed' | 'timeout' | 'cancelled';
  PK: 'created' | 'market_available' | 'processing' | 'completed' | 'failed' | 'cancelled';
}

/** Contract "States and transitions". */
export type PayinStatus<C extends Country = Country> = PayinStatuses[C];
export type PayoutStatus<C extends PayoutCountry = PayoutCountry> = PayoutStatuses[C];

/** Amounts are text with two decimals. A payin's net is amount minus fee, a payout's amount plus fee. */
interface AnyOrder<Status> {
  /** The service's number: `PI…` or `PO…`. */
  orderNo: string;
  merchantOrderNo: string;
  amount: string;
  feeAmount: string;
  netAmount: string;
  status: Status;
}

interface CreatedAt<C extends Country> {
  /** Unix seconds; in Pakistan ISO 8601 in UTC (decisions 5.7). */
  createdAt: C extends 'PK' ? string : number;
}

interface HowToPay<C extends Country> {
  /** The page where the payer pays. */
  payUrl?: C extends 'CN' ? never : string;
  /** What a QR code holds. */
  payQr?: C extends 'TH' | 'PK' ? string : never;
}

interface Ending {
  /** Unix seconds; only of a completed order. */
  completedAt?: number;
  /** Only of an order that failed or timed out, and not in Thailand. */
  failureReason?: string;
}

/** What creating a payin gives (decisions 5.8). */
export type Payin<C extends Country = Country> = AnyOrder<PayinStatus<C>> & CreatedAt<C> & HowToPay<C>;

/** What querying a payin gives; in Thailand without `payUrl` and `payQr`. */
export type PayinState<C extends Country = Country> = Payin<C> & Ending;

interface PayoutRoute<C extends PayoutCountry> {
  payoutMethod?: C extends 'IN' ? 'BANK_TRANSFER' | 'PROMPTPAY' : never;
  fulfillmentMode?: C extends 'IN' ? 'upstream' : never;
  /** Only on the task market. */
  payoutTaskId?: C extends 'PK' ? string : never;
}

export type Payout<C extends PayoutCountry = PayoutCountry> = AnyOrder<PayoutStatus<C>> & CreatedAt<C> & PayoutRoute<C>;

export type PayoutState<C extends PayoutCountry = PayoutCountry> = Payout<C> & Ending;

/**
 * An order that was created now, or that an earlier attempt had created whose answer was lost. In the second case `recovered` is
 * true and its fields are those of a query: it may have gone on since, and in Thailand `payUrl` and `payQr` are missing.
 */
export type Created<Order> = Order & { recovered: boolean };
