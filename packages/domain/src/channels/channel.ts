import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { OrderKind } from '../core/order.ts';

/**
 * An order as its channel needs it. `orderNo` is the idempotency key: a channel never creates two orders of the same
 * number.
 */
export interface ChannelOrder {
  kind: OrderKind;
  orderNo: string;
  country: string;
  currency: string;
  amount: string;
  /** The channel's own code for the bank, from the bank mapping; payouts and some payins. */
  bankCode?: string;
  /** Payer or payee as the channel needs it. Personal data: never logged. */
  party: { name?: string; account?: string; mobile?: string; email?: string; idNo?: string; ifsc?: string };
  /** The URL to which the channel reports results. */
  callbackUrl: string;
  /** How long a payin may stay open, in seconds. */
  expiresInSeconds?: number;
}

export interface ChannelOrderRef {
  kind: OrderKind;
  orderNo: string;
  channelRef?: string;
}

export type CallbackResult =
  | { ok: true; kind: OrderKind; orderNo: string; currency: string; answer: ChannelAnswer }
  | { ok: false; why: 'unauthentic' | 'malformed'; detail: string };

/**
 * The port that every channel adapter implements. No method throws for a failure of the network or the upstream: that
 * is an answer too. `signal` ends a call at the caller's deadline; the answer is then `unknown` / `no_answer`. `create`
 * may retry within the signal, always with the same `orderNo`.
 */
export interface Channel {
  create(order: ChannelOrder, signal: AbortSignal): Promise<ChannelAnswer>;
  query(order: ChannelOrderRef, signal: AbortSignal): Promise<ChannelAnswer>;
  cancel(order: ChannelOrderRef, signal: AbortSignal): Promise<ChannelAnswer>;
  /** Verifies and reads a callback. Pure: no I/O. Header names are in lower case. */
  parseCallback(headers: Record<string, string | string[] | undefined>, body: Uint8Array): CallbackResult;
}

/** Makes the adapter of a channel row. `credentials` are the decrypted secrets of that row. */
export type ChannelFactory = (settings: ChannelSettings) => Channel;

export interface ChannelSettings {
  channelId: string;
  baseUrl: string;
  credentials: Record<string, string>;
}
