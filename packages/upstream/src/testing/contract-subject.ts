import type {
  Channel,
  ChannelAdapter,
  ChannelAnswer,
  ChannelMode,
  ChannelOrder,
  ModeSettings,
} from '@tidegate/domain/channels';
import { expect, vi } from 'vitest';
import type { SeenRequest } from './faulty-upstream.ts';

/** What an adapter says about the mode of accounts, and cases for it: settings by their mode, with a name each. */
export interface ModeSubject extends Pick<ChannelAdapter, 'modeOf' | 'offers'> {
  cases: Readonly<Partial<Record<ChannelMode, Readonly<Record<string, ModeSettings>>>>>;
}

/** What a channel's own test provides for the contract test. */
export interface ContractSubject {
  /** The URL of a working upstream for this channel. */
  url: string;
  channelAt(baseUrl: string): Channel;
  /** A new order with this behaviour of the upstream. `is_paid`: soon after it was accepted, in one payment. */
  orderThat(fate: 'stays_open' | 'is_paid' | 'is_refused'): ChannelOrder;
  /** The number of payments under an order number at the upstream; undefined if it has no such order. */
  paymentsUpstream(orderNo: string): Promise<number | undefined>;
  /** The upstream's callbacks about an order so far. */
  callbacks(orderNo: string): { headers: Record<string, string | string[] | undefined>; body: Uint8Array }[];
  /** Headers that authenticate a real reply of this upstream, so that bad replies are refused for their content. */
  proveReply(request: SeenRequest, status: number, body: string): Record<string, string>;
  /** The provider has no idempotency key: after a lost answer the adapter searches before it creates again. */
  searchesBeforeRepeating?: true;
  /** Callbacks prove no result, so that the adapter always answers `query`. */
  callbacksOnlyAsk?: true;
  /** The provider closes no open payin: `cancel` says how it is, and it stays open. */
  cannotClose?: true;
  /** What proves a callback is in its body, so that its headers do not matter. */
  provesCallbacksInBody?: true;
  /** How long a callback is believed, in ms, because the provider repeats it for so long. Default: 5 minutes. */
  callbackLifetimeMs?: number;
  tearDown(): Promise<void>;
}

export const LONG_DEADLINE_MS = 10_000;

/** A signal that ends after every working call. */
export const longDeadline = (): AbortSignal => AbortSignal.timeout(LONG_DEADLINE_MS);

export const NO_ANSWER = { outcome: 'unknown', why: 'no_answer', detail: expect.stringMatching(/./) };

/** Waits until a query returns that an order is paid. */
export async function paid(
  channel: Channel,
  order: ChannelOrder,
): Promise<Extract<ChannelAnswer, { outcome: 'paid' }>> {
  return vi.waitFor(async () => {
    const answer = await channel.query(order, longDeadline());
    if (answer.outcome !== 'paid') throw new Error(`still ${answer.outcome}`);
    return answer;
  }, LONG_DEADLINE_MS);
}
