import type { Channel, ChannelAnswer, ChannelOrder } from '@tidegate/domain/channels';
import { expect, vi } from 'vitest';
import type { SeenRequest } from './faulty-upstream.ts';

/** What a channel's own test brings so that the contract can be run against it. */
export interface ContractSubject {
  /** A working upstream that this channel speaks to. */
  url: string;
  channelAt(baseUrl: string): Channel;
  /** A fresh order that the working upstream treats so. `is_paid`: soon after it was taken, in one payment. */
  orderThat(fate: 'stays_open' | 'is_paid' | 'is_refused'): ChannelOrder;
  /** How many payments the upstream made or took under a number; undefined if it has no such order. */
  paymentsUpstream(orderNo: string): Promise<number | undefined>;
  /** The callbacks that the upstream has sent about an order so far. */
  callbacks(orderNo: string): { headers: Record<string, string | string[] | undefined>; body: Uint8Array }[];
  /** Headers that a real reply of this upstream would prove itself with; so that bad replies are judged by what they say. */
  proveReply(request: SeenRequest, status: number, body: string): Record<string, string>;
  tearDown(): Promise<void>;
}

export const AMPLE_MS = 5_000;

/** A signal that no working call meets. */
export const ample = (): AbortSignal => AbortSignal.timeout(AMPLE_MS);

export const NO_ANSWER = { outcome: 'unknown', why: 'no_answer', detail: expect.stringMatching(/./) };

/** Waits until a query says that an order is paid. */
export async function paid(
  channel: Channel,
  order: ChannelOrder,
): Promise<Extract<ChannelAnswer, { outcome: 'paid' }>> {
  return vi.waitFor(async () => {
    const answer = await channel.query(order, ample());
    if (answer.outcome !== 'paid') throw new Error(`still ${answer.outcome}`);
    return answer;
  }, AMPLE_MS);
}
