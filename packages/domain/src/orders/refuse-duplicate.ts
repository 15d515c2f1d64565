import { canonicalJson } from '../core/ledger-batch.ts';
import type { Order } from '../core/order.ts';
import type { Result } from '../core/rejection.ts';
import type { OrderReadAccess } from '../ledger/index.ts';
import type { PlannedOrder } from './plan-order.ts';

export type RefusedOrder = Extract<Result<Order>, { ok: false }>;

type Planned = Pick<PlannedOrder, 'order' | 'isByDefault'>;

/** What a merchant asked for. It never changes, and the ledger chain covers it. */
type Asked = Pick<Order, 'kind' | 'amount' | 'bankCode' | 'notifyUrl' | 'details'>;

/**
 * The refusal of a merchant order number that is used already. Its detail says whether the existing order was created by the same request, so that a
 * merchant whose answer was lost does not take another payee's order for its own. No detail: the order cannot be read now.
 */
export async function refuseDuplicate({ orders }: OrderReadAccess, planned: Planned): Promise<RefusedOrder> {
  const { order } = planned;
  const existing = await orders.byMerchantOrderNo(order.merchantId, order.merchantOrderNo);
  const refused = { ok: false, rejection: 'merchant_order_no_exists' } as const;
  return existing ? { ...refused, detail: isSame(existing, planned) ? 'same request' : 'another request' } : refused;
}

/** The default address may change between a request and its repeat, which names none either time. */
function isSame(existing: Asked, { order, isByDefault }: Planned): boolean {
  const asked = isByDefault ? { ...order, notifyUrl: existing.notifyUrl } : order;
  return askedBy(existing) === askedBy(asked);
}

function askedBy({ kind, amount, bankCode, notifyUrl, details }: Asked): string {
  return canonicalJson({ kind, amount, bankCode, notifyUrl, details });
}
