import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { OrderKind } from '../core/order.ts';
import type { RefundAnswer } from '../core/refund-answer.ts';
import type { LimitedAccount } from './call-limiter.ts';

/** An order that the channel may have: what a query or a cancel needs. */
export interface ChannelOrderRef {
  kind: OrderKind;
  orderNo: string;
  country: string;
  currency: string;
  /** The amount that the payer, or the service, has to pay; decimal text with two decimals. */
  amount: string;
  /** When we created the order, in Unix milliseconds. */
  createdAt: number;
  channelRef?: string;
}

/**
 * An order as its channel needs it. `orderNo` is the idempotency key: a channel never creates two orders of the same
 * number.
 */
export interface ChannelOrder extends ChannelOrderRef {
  /** The channel's own code for the bank, from the bank mapping; payouts and some payins. */
  bankCode?: string;
  /** Payer or payee as the channel needs it. Personal data: never logged. */
  party: { name?: string; account?: string; mobile?: string; email?: string; idNo?: string; ifsc?: string };
  /** The URL to which the channel reports results. */
  callbackUrl: string;
  /** How long a payin may stay open, in seconds. */
  expiresInSeconds?: number;
  /**
   * How long the caller waits for the answer, in milliseconds. An adapter that needs longer refuses at once, before it
   * sends anything: `refused`, `isUnsent`.
   */
  answerWithinMs?: number;
}

/** How a callback is answered after it was stored, where the provider wants more than HTTP 200 and `OK`. */
export interface CallbackReply {
  contentType: string;
  body: string;
}

export type CallbackResult =
  /** The callback proves what happened to this order. */
  | {
      type: 'report';
      kind: OrderKind;
      orderNo: string;
      currency: string;
      answer: ChannelAnswer;
      reply?: CallbackReply;
    }
  /** Something happened to this order, but the callback does not prove what: the order is queried at once. */
  | { type: 'query'; kind: OrderKind; orderNo: string; reply?: CallbackReply }
  /** Authentic, and about nothing that changes an order, for example a test event. */
  | { type: 'nothing'; detail: string; reply?: CallbackReply }
  | { type: 'refused'; why: 'unauthentic' | 'malformed'; detail: string };

/** The headers of a callback, names in lower case. */
export type CallbackHeaders = Record<string, string | string[] | undefined>;

/** One step of a check of a channel: what was checked, and what was found. */
export interface CheckedStep {
  step: 'reach' | 'credentials' | 'clock' | 'certificate' | 'callback';
  isOk: boolean;
  detail: string;
}

/** One step of verifying a callback, written for support engineers. Contains no secret. */
export interface ExaminedStep {
  step: string;
  isOk: boolean;
  detail: string;
}

/** A picture of a QR code that a payer can scan. */
export interface QrImage {
  contentType: 'image/png' | 'image/svg+xml';
  bytes: Uint8Array;
}

/** A payment of a payin that is refunded to its payer. `refundNo` is the idempotency key. */
export interface ChannelRefund extends ChannelOrderRef {
  refundNo: string;
  /** The channel's reference of the payment. */
  reference: string;
  /** Amount to refund, decimal text with two decimals; at most the payment. */
  refundAmount: string;
  reason: string;
}

/** The statement to fetch: its format (packages/statements), and the channel's own day, `YYYY-MM-DD`. */
export interface StatementRequest {
  format: string;
  day: string;
}

export type FetchedStatement =
  /** The file, as the channel gives it. Reading it throws if the transfer breaks; then nothing of it may be used. */
  | { outcome: 'ready'; bytes: AsyncIterable<Uint8Array> }
  /** The channel has no statement for this day: not yet, or never, because nothing happened. */
  | { outcome: 'not_ready'; detail: string }
  | { outcome: 'unknown'; detail: string };

/**
 * The port that every channel adapter implements. No method throws for a failure of the network or the upstream: that
 * is an answer too. `signal` ends a call at the caller's deadline; the answer is then `unknown` / `no_answer`. `create`
 * may retry within the signal, always with the same `orderNo`.
 */
export interface Channel {
  /**
   * The account whose rate the first call of a create uses. Its turn then comes before the order is created. Left out:
   * creates have no limit.
   */
  readonly creates?: LimitedAccount;
  create(order: ChannelOrder, signal: AbortSignal): Promise<ChannelAnswer>;
  query(order: ChannelOrderRef, signal: AbortSignal): Promise<ChannelAnswer>;
  cancel(order: ChannelOrderRef, signal: AbortSignal): Promise<ChannelAnswer>;
  /** Verifies and reads a callback. Pure: no I/O. */
  parseCallback(headers: CallbackHeaders, body: Uint8Array): CallbackResult;
  /** When certificates among its credentials expire: the name of each credential, and Unix milliseconds. */
  readonly expiries?: readonly { credential: string; at: number }[];
  /**
   * Fetches the QR code of an open payin where the provider gives it only as an image, to which `payLink` leads. The
   * checkout page then shows it from our own address. Null: it does not come now.
   */
  qrImage?(payLink: string, signal: AbortSignal): Promise<QrImage | null>;
  /** Explains how `parseCallback` verifies this callback, step by step. Pure. */
  examineCallback?(headers: CallbackHeaders, body: Uint8Array): ExaminedStep[];
  /** Checks address, credentials, clock and certificates with harmless calls. Creates and changes nothing. */
  check?(signal: AbortSignal): Promise<CheckedStep[]>;
  /**
   * Refunds a payment. The same `refundNo` never moves money twice. Implement it together with `queryRefund`, or
   * neither.
   */
  refund?(refund: ChannelRefund, signal: AbortSignal): Promise<RefundAnswer>;
  /** Queries a refund. A `not_found` without `maySendAgain` is left to people. */
  queryRefund?(refund: ChannelRefund, signal: AbortSignal): Promise<RefundAnswer>;
  /** Fetches the statement of a day. `signal` also ends its transfer. Changes nothing. */
  fetchStatement?(request: StatementRequest, signal: AbortSignal): Promise<FetchedStatement>;
}

/**
 * Makes the adapter of a channel row. `credentials` are the decrypted secrets of that row. Throws `UnusableSettings` at
 * once for settings that cannot be used. Calls nothing: `set-channel` opens a channel to check what was entered.
 */
export type ChannelFactory = (settings: ChannelSettings) => Channel;

export interface ChannelSettings {
  channelId: string;
  baseUrl: string;
  credentials: Record<string, string>;
  memory: ChannelMemory;
}

/**
 * What an adapter stores between calls, for one channel, in the database: ids that the provider gave, such as that of a
 * beneficiary. Keys are at most 200 characters and contain no personal data (use a keyed hash); values at most 1,000. What
 * is about a refund says so in its key: the database lets no REST adapter store it. Read values by a schema
 * (`readStored`).
 */
export interface ChannelMemory {
  read(key: string): Promise<string | null>;
  /**
   * Stores a value unless the key has one. Returns what is stored: with two writers, both get the first one's. `about`:
   * it is needed for one order only, so it may be purged long after. Everything else is kept permanently: a beneficiary,
   * and what proves that a refund was sent.
   */
  remember(key: string, value: string, about?: 'order'): Promise<string>;
}
