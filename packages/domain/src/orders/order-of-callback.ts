import type { CallbackResult } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import type { Order } from '../core/order.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { LedgerReadAccess } from '../ledger/index.ts';
import { findOrderByNumber } from './find-order.ts';
import { readOrderHistory } from './read-order-history.ts';

/**
 * The order of a callback, and where it is, as seen from the channel that sent the callback:
 *
 * - `here`: at this channel.
 * - `rerouted`: at another channel, after this one refused it. Its payer may still have paid here.
 * - `elsewhere`: at another channel, and it was never at this one.
 * - `nowhere`: no order has this number, kind and currency.
 */
export type OrderOfCallback =
  | { place: 'here' | 'rerouted' | 'elsewhere'; order: Order }
  | { place: 'nowhere'; order: null };

/** Finds the order that a callback of this channel is about. A callback that asks for a query names no currency. */
export async function findOrderOfCallback(
  domain: LedgerReadAccess & DatabaseAccess & DirectoryAccess,
  channelId: string,
  callback: Extract<CallbackResult, { type: 'report' | 'query' }>,
): Promise<OrderOfCallback> {
  const order = await findOrderByNumber(domain, callback.orderNo);
  if (!order || order.kind !== callback.kind) return { place: 'nowhere', order: null };
  if (callback.type === 'report' && order.currency !== callback.currency) return { place: 'nowhere', order: null };
  if (order.channelId === channelId) return { place: 'here', order };
  const { transitions } = await readOrderHistory(domain, order);
  const hasRefused = transitions.some(
    ({ trigger, detail }) => trigger === 'rerouted' && detail?.startsWith(`${channelId} refused`),
  );
  return { place: hasRefused ? 'rerouted' : 'elsewhere', order };
}
