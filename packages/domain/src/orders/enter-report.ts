import type { ChannelAccess } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { OrderKind } from '../core/order.ts';
import type { Telemetry } from '../core/telemetry.ts';
import { withoutOrder } from '../core/unmatched.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { LedgerAccess, LedgerReadAccess } from '../ledger/index.ts';
import { bookUnmatched } from './book-unmatched.ts';
import { findOrderByNumber } from './find-order.ts';

/** A report that a statement proves about an order of the channel. */
export interface ProvenReport {
  channelId: string;
  kind: OrderKind;
  /** Null: the statement names no order. */
  orderNo: string | null;
  currency: string;
  answer: ChannelAnswer;
}

/**
 * Books what a statement proves as if the channel had reported it. A payment is booked once by its reference, whether
 * the channel or the statement reports it first. Money that belongs to no order goes to suspense with a case.
 */
export async function enterReport(
  domain: LedgerAccess & LedgerReadAccess & DatabaseAccess & ChannelAccess & DirectoryAccess & Telemetry,
  { channelId, kind, orderNo, currency, answer }: ProvenReport,
): Promise<void> {
  const order = orderNo === null ? null : await findOrderByNumber(domain, orderNo);
  if (order?.kind === kind && order.currency === currency) {
    const { merchantId } = order;
    const ref = { merchantId, orderNo: order.orderNo };
    const applied = await domain.commit({ type: 'applyReport', ref, channelId, answer, during: 'query' });
    if (applied.ok) return;
  }
  await bookUnmatched(domain, channelId, { kind, orderNo: orderNo ?? withoutOrder, currency, answer });
}
