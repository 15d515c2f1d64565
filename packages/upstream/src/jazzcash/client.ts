import type { Channel, ChannelSettings } from '@tidegate/domain/channels';
import type { ChannelTools } from '../provider-adapter.ts';
import { examineCallback, parseCallback } from './callback.ts';
import { check } from './check.ts';
import { createPayin } from './create-payin.ts';
import { type Gateway, openRecentNumbers } from './gateway.ts';
import { cancelPayin, queryPayin } from './query-payin.ts';
import { queryRefund, refundPayin } from './refund.ts';
import { readSettings } from './settings.ts';

/** The payer has this long to confirm before a payin counts as open: less than a create may take (decisions 5.3). */
const defaultPatienceMs = 6_500;

/** The channel of one JazzCash account. */
export function openJazzCash(
  settings: ChannelSettings,
  tools: ChannelTools,
  patienceMs: number = defaultPatienceMs,
): Channel {
  const gateway: Gateway = { ...readSettings(settings), tools, notified: openRecentNumbers(), patienceMs };
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
