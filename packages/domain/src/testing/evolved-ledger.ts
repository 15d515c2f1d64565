import { evolve, type LedgerEvent } from '../core/events.ts';
import type { Order } from '../core/order.ts';
import type { MoneyCase, Payment } from '../core/payment.ts';
import type { Refund } from '../core/refund.ts';
import { stateOf } from '../core/state.ts';
import type { Wallet } from '../core/wallet.ts';
import { orderRules } from '../countries/index.ts';
import type { LedgerAccess } from '../ledger/ledger-access.ts';
import { type Commit, openLedgerWriter } from '../ledger/writer.ts';

/** One merchant in the database, without the last link of its chain, which the writer adds to a whole batch. */
interface Holding {
  wallet: Wallet;
  /** Orders by order number. */
  orders: Record<string, Order>;
  payments: Record<string, readonly Payment[]>;
  transitionCounts: Record<string, number>;
  cases: readonly MoneyCase[];
  /** Refunds by refund number. */
  refunds: Record<string, Refund>;
}

/**
 * A ledger writer, and the state that `evolve` derives from its events. After each commit both must be equal, so the
 * written rows are what was decided. No other code may write these merchants between `load` and the comparison.
 */
export class EvolvedLedger {
  readonly commit: Commit;
  readonly #domain: LedgerAccess;
  #holdings: Record<string, Holding> = {};

  constructor(domain: LedgerAccess, options: { batchesAtOnce: number; batchSize: number; scheduleScale: number }) {
    this.#domain = domain;
    const { pool } = domain.database;
    const committed = ({ events }: { events: readonly LedgerEvent[] }): void => {
      for (const event of events) this.#take(event);
    };
    const writer = openLedgerWriter({
      ...options,
      pool,
      sql: domain.sql,
      queueLimit: 5_000,
      rules: orderRules,
      committed,
    });
    this.commit = writer.commit;
  }

  /** Loads these merchants from the database. */
  async load(merchantIds: readonly string[]): Promise<void> {
    this.#holdings = await this.#read(merchantIds);
  }

  get evolved(): Record<string, Holding> {
    return this.#holdings;
  }

  stored(): Promise<Record<string, Holding>> {
    return this.#read(Object.keys(this.#holdings));
  }

  #take(event: LedgerEvent): void {
    const { merchantId = '', orderNo } = rowOf(event);
    const holding = this.#holdings[merchantId];
    if (!holding) return;
    const { wallet, orders, payments, transitionCounts, cases, refunds } = holding;
    const before = stateOf(wallet, {
      cases,
      order: orders[orderNo ?? ''] ?? null,
      payments: payments[orderNo ?? ''] ?? [],
      transitionCount: transitionCounts[orderNo ?? ''] ?? 0,
    });
    const after = evolve(before, event);
    holding.wallet = after.wallet;
    holding.cases = after.cases;
    if (after.refund) refunds[after.refund.refundNo] = after.refund;
    if (!orderNo) return;
    if (after.order) orders[orderNo] = after.order;
    if (after.payments.length > 0) payments[orderNo] = bySeq(after.payments);
    if (after.transitionCount > 0) transitionCounts[orderNo] = after.transitionCount;
  }

  async #read(merchantIds: readonly string[]): Promise<Record<string, Holding>> {
    const holdings = await Promise.all(merchantIds.map((merchantId) => this.#readOne(merchantId)));
    return Object.fromEntries(holdings.map((holding) => [holding.wallet.merchantId, holding]));
  }

  async #readOne(merchantId: string): Promise<Holding> {
    const { sql } = this.#domain;
    const rows = async <Row extends object>(text: string, values: unknown[]): Promise<Row[]> =>
      (await this.#domain.database.pool.query<Row>(text, values)).rows;
    const named = await rows<{ no: string }>(
      'select order_no as no from orders where merchant_id = $1 union select order_no from payment where merchant_id = $1',
      [merchantId],
    );
    const keys = [named.map(() => merchantId), named.map(({ no }) => no)];
    const [found] = await rows<Wallet & { now?: number }>(sql.lockWallets.text, [[merchantId]]);
    if (!found) throw new Error(`no wallet of ${merchantId}`);
    const { now: _, ...wallet } = found;
    const numbers = Array.from({ length: wallet.lastCaseNo }, (_, i) => i + 1);
    const counts = await rows<{ orderNo: string; count: number }>(sql.transitionCounts.text, keys);
    const payments = await rows<Payment>(sql.paymentsByOrder.text, keys);
    const cases = await rows<MoneyCase>(sql.casesByNo.text, [numbers.map(() => merchantId), numbers]);
    const orders = await rows<Order>(sql.ordersByKey.text, keys);
    const refundNos = await rows<{ no: string }>('select refund_no as no from refund where merchant_id = $1', [
      merchantId,
    ]);
    const refundKeys = [refundNos.map(() => merchantId), refundNos.map(({ no }) => no)];
    const refunds = await rows<Refund>(sql.refundsByNo.text, refundKeys);
    return {
      wallet: { ...wallet, lastBatchNo: 0, lastBatchHash: '' },
      orders: Object.fromEntries(orders.map((order) => [order.orderNo, order])),
      payments: Object.fromEntries(Map.groupBy(bySeq(payments), ({ orderNo }) => orderNo)),
      transitionCounts: Object.fromEntries(counts.map(({ orderNo, count }) => [orderNo, count])),
      cases: cases.sort((a, b) => a.caseNo - b.caseNo),
      refunds: Object.fromEntries(refunds.map((refund) => [refund.refundNo, refund])),
    };
  }
}

const bySeq = (payments: readonly Payment[]): Payment[] => payments.toSorted((a, b) => a.seq - b.seq);

/** The merchant and the order, if any, of the row in an event. */
function rowOf(event: LedgerEvent): { merchantId?: string; orderNo?: string | null } {
  switch (event.type) {
    case 'order created':
      return event.order;
    case 'order moved':
      return event.transition;
    case 'order changed':
      return event;
    case 'entry made':
      return event.entry;
    case 'transfer posted':
      return event.transfer;
    case 'payment recorded':
      return event.payment;
    case 'case opened':
      return event.opened;
    case 'case closed':
      return event.closed;
    case 'case reserved':
      return event.reserved;
    case 'case repaid':
      return event.repaid;
    case 'refund requested':
    case 'refund changed':
      return { merchantId: event.refund.merchantId };
    case 'settlement written':
      return { merchantId: event.settlement.merchantId };
    case 'notification due':
      return event.notification;
    case 'audit recorded':
      return event.record as { merchantId: string };
    case 'approval requested':
    case 'approval decided':
      return event.approval as { merchantId: string };
    case 'limit used':
      return {};
    default:
      return event satisfies never;
  }
}
