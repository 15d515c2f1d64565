import type { Channel, ChannelSettings } from '@tidegate/domain/channels';
import type { ChannelTools } from '../provider/provider-adapter.ts';
import { examineCallback, parseCallback } from './callback.ts';
import { check } from './check.ts';
import { createPayin } from './create-payin.ts';
import { type Gateway, limitOfCreates, openRecentNumbers, type Waits } from './gateway.ts';
import { cancelPayin, queryPayin } from './query-payin.ts';
import { queryRefund, refundPayin } from './refund.ts';
import { readSettings } from './settings.ts';

/**
 * A create takes 6 s at most, of the 8 s that it may take (decisions 5.3). Then the payin counts as open. Payers who
 * take longer hold fewer connections than the HTTP client has for one host.
 */
export const defaultWaits: Waits = { prepareMs: 3_000, payerWaitMs: 3_000, maxConfirming: 200 };

/** The channel of one JazzCash account. */
export function openJazzCash(settings: ChannelSettings, tools: ChannelTools, waits: Partial<Waits> = {}): Channel {
  const parts = { tools, notified: openRecentNumbers() };
  const gateway: Gateway = { ...readSettings(settings), ...parts, ...defaultWaits, ...waits };
  return {
    creates: limitOfCreates(gateway.merchantId),
    create: (order, signal) => createPayin(gateway, order, signal),
    query: (order, signal) => queryPayin(gateway, order, signal),
    cancel: (order, signal) => cancelPayin(gateway, order, signal),
    parseCallback: (headers, body) => parseCallback(gateway, headers, body),
    examineCallback: (headers, body) => examineCallback(gateway, headers, body),
    check: (signal) => check(gateway, signal),
    refund: (refund, signal) => refundPayin(gateway, refund, signal),
    queryRefund: (refund, signal) => queryRefund(gateway, refund, signal),
  };
}
