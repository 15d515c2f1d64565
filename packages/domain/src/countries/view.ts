import type { Order } from '../core/order.ts';

export interface Urls {
  payUrl: string;
}

/** Unix seconds; or ISO 8601 in UTC with milliseconds (decisions 5.7). */
export type TimePattern = 'unix' | 'iso8601';

/** Every field of an order that a merchant may see, and its form. Undefined fields are left out of the answer. */
const shown = {
  orderNo: (order: Order) => order.orderNo,
  merchantOrderNo: (order: Order) => order.merchantOrderNo,
  amount: (order: Order) => order.amount,
  feeAmount: (order: Order) => order.feeAmount,
  netAmount: (order: Order) => order.netAmount,
  status: (order: Order) => order.status,
  payUrl: (_: Order, urls: Urls) => (urls.payUrl === '' ? undefined : urls.payUrl),
  payQr: (order: Order) => order.payQr ?? undefined,
  /** Only payouts to bank accounts are offered (contract "Payout order"). */
  payoutMethod: () => 'BANK_TRANSFER',
  fulfillmentMode: (order: Order) => order.mode,
  /** Only for orders on the task market. A task has its order's number. */
  payoutTaskId: (order: Order) => (order.mode === 'market' ? taskIdOf(order.orderNo) : undefined),
  createdAt: (order: Order, _: Urls, form: TimePattern) =>
    form === 'iso8601' ? new Date(order.createdAt).toISOString() : Math.floor(order.createdAt / 1000),
  completedAt: (order: Order) =>
    order.status === 'completed' && order.completedAt !== null ? Math.floor(order.completedAt / 1000) : undefined,
  failureReason: (order: Order) =>
    order.status === 'failed' || order.status === 'timeout' ? (order.failureReason ?? undefined) : undefined,
};

/** The id of an order's task on the task market. */
function taskIdOf(orderNo: string): string {
  return `PT${orderNo.slice(2)}`;
}

export type ShownField = keyof typeof shown;
export type ShownValue<Field extends ShownField> = ReturnType<(typeof shown)[Field]>;

/** Shows an order to its merchant, and lists the possible fields. */
export interface View {
  (order: Order, urls?: Urls): object;
  readonly fields: readonly ShownField[];
  /** The form of `createdAt`. */
  readonly createdAt: TimePattern;
}

/** Makes the view with these fields, in this order. */
export function viewOf(fields: readonly ShownField[], { createdAt = 'unix' }: { createdAt?: TimePattern } = {}): View {
  const show = (order: Order, urls: Urls = { payUrl: '' }): object => {
    const view: Record<string, unknown> = {};
    for (const field of fields) {
      const value = shown[field](order, urls, createdAt);
      if (value !== undefined) view[field] = value;
    }
    return view;
  };
  return Object.assign(show, { fields, createdAt });
}
