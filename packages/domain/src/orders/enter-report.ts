import type { ChannelAccess } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { OrderKind } from '../core/order.ts';
import { isPaymentNo } from '../core/order-number.ts';
import type { Payment } from '../core/payment.ts';
import { isSameMovement } from '../core/proven-payment.ts';
import type { SettlementPaymentRef } from '../core/settlement.ts';
import type { Telemetry } from '../core/telemetry.ts';
import { withoutOrder } from '../core/unmatched.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { LedgerAccess, LedgerReadAccess } from '../ledger/index.ts';
import { bookUnmatched, movementsOf } from './book-unmatched.ts';
import { findOrderByNumber } from './find-order.ts';
import { paymentsOfReferenceSql, settlementOfPaymentSql } from './queries.ts';

/** A report that a statement proves about an order of the channel. */
export interface ProvenReport {
  channelId: string;
  kind: OrderKind;
  /** Null: the statement names no order. */
  orderNo: string | null;
  currency: string;
  answer: ChannelAnswer;
  /** The line that proves it, as `file/row/part`. */
  line: string;
  /** How many such payments of the order other lines explain. */
  explained: number;
  /** Whether its reference is the channel's own, which is never used again. */
  isOwnReference: boolean;
}

/**
 * Books what a statement proves as if the channel had reported it. A payment is booked once, whether the channel or the
 * statement reports it first: the channel's first report of the same amount confirms it, and a line over what the channel
 * has reported meanwhile books nothing, both also under another reference.
 * Money that belongs to no order goes to suspense with a case. So a line that names no order, but has the channel's reference of an order's payment, books
 * nothing: the ledger has that payment.
 */
export async function enterReport(
  domain: LedgerAccess & LedgerReadAccess & DatabaseAccess & ChannelAccess & DirectoryAccess & Telemetry,
  report: ProvenReport,
): Promise<void> {
  const { channelId, kind, orderNo, currency, answer, line, explained } = report;
  const proof = { line, explained };
  const settlement = await settlementOf(domain, { channelId, kind, orderNo, currency });
  if (settlement && orderNo !== null) {
    const payment = { ...settlement, paymentNo: orderNo, answer, during: 'query', ...proof } as const;
    const applied = await domain.commit({ type: 'applySettlementPayment', ...payment });
    if (applied.ok) return;
  }
  const order = orderNo === null ? null : await findOrderByNumber(domain, orderNo);
  if (order?.kind === kind && order.currency === currency) {
    const { merchantId } = order;
    const ref = { merchantId, orderNo: order.orderNo };
    const applied = await domain.commit({ type: 'applyReport', ref, channelId, answer, during: 'query', ...proof });
    if (applied.ok) return;
  }
  if (orderNo === null && (await isOfKnownOrder(domain, report))) return;
  await bookUnmatched(domain, channelId, { kind, orderNo: orderNo ?? withoutOrder, currency, answer, line, explained });
}

/** The settlement that the channel pays under this number; null: there is none. */
async function settlementOf(
  { database }: DatabaseAccess,
  { channelId, kind, orderNo, currency }: Pick<ProvenReport, 'channelId' | 'kind' | 'orderNo' | 'currency'>,
): Promise<SettlementPaymentRef | null> {
  if (kind !== 'payout' || orderNo === null || !isPaymentNo(orderNo)) return null;
  const { rows } = await database.pool.query<SettlementPaymentRef & { channelId: string; currency: string }>(
    settlementOfPaymentSql,
    [orderNo],
  );
  const [found] = rows;
  if (found?.channelId !== channelId || found.currency !== currency) return null;
  const { merchantId, seq, settlementNo } = found;
  return { merchantId, seq, settlementNo };
}

/** Whether the channel's reference of the report is that of a payment of an order. */
async function isOfKnownOrder(
  { database }: DatabaseAccess,
  { channelId, kind, currency, answer, line, isOwnReference }: ProvenReport,
): Promise<boolean> {
  if (!isOwnReference) return false;
  const [movement] = movementsOf(kind, answer);
  if (!movement) return false;
  const { rows } = await database.pool.query<Pick<Payment, 'use' | 'line'>>(paymentsOfReferenceSql, [
    movement.reference,
    channelId,
    movement.direction,
    currency,
  ]);
  return rows.some((known) => isSameMovement(known, line));
}
