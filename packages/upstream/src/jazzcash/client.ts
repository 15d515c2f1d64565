import type { Channel, ChannelSettings } from '@tidegate/domain/channels';
import type { ChannelTools } from '../provider-adapter.ts';
import { examineCallback, parseCallback } from './callback.ts';
import { check } from './check.ts';
import { createPayin } from './create-payin.ts';
import { type Gateway, openRecentNumbers } from './gateway.ts';
import { cancelPayin, queryPayin } from './query-payin.ts';
import { queryRefund, refundPayin } from './refund.ts';
import { readSettings } from './settings.ts';

/** How long a create waits, and how many wait; tests take less. */
export interface Waits {
  patienceMs: number;
  mostConfirming: number;
}

/**
 * A payer has 6.5 s to confirm before the payin counts as open: less than a create may take (decisions 5.3). Those who
 * take longer hold fewer connections than the HTTP client has for one host.
 */
const defaultWaits: Waits = { patienceMs: 6_500, mostConfirming: 200 };

/** The channel of one JazzCash account. */
export function openJazzCash(settings: ChannelSettings, tools: ChannelTools, waits: Partial<Waits> = {}): Channel {
  const parts = { tools, notified: openRecentNumbers(), confirming: { count: 0 } };
  const gateway: Gateway = { ...readSettings(settings), ...parts, ...defaultWaits, ...waits };
  return {
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
