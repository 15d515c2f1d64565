import type { JsonObject } from '@tidegate/signature';
import { type Refusal, refuse } from '../request/envelope.ts';
import { invalidParameters } from '../request/refusals.ts';
import type { OrderNumber } from '../request/rest-domain.ts';

export const ORDER_NO = /^P[IO][0-9A-Z]{1,30}$/;
export const MERCHANT_ORDER_NO = /^[\x21-\x7e]{1,64}$/;

/**
 * Reads a query's order number: exactly one of `orderNo` and `merchantOrderNo` (decisions 4). An `orderNo` that this
 * service cannot have created is not found.
 */
export function readOrderNumber({ orderNo, merchantOrderNo }: JsonObject): OrderNumber | Refusal {
  if ((orderNo === undefined) === (merchantOrderNo === undefined)) {
    return invalidParameters([{ path: 'orderNo', reason: 'or merchantOrderNo is needed, exactly one of the two' }]);
  }
  if (orderNo !== undefined)
    return ORDER_NO.test(String(orderNo)) ? { orderNo: String(orderNo) } : refuse('order_not_found');
  if (MERCHANT_ORDER_NO.test(String(merchantOrderNo))) return { merchantOrderNo: String(merchantOrderNo) };
  return invalidParameters([{ path: 'merchantOrderNo', reason: 'must be 1 to 64 visible ASCII characters' }]);
}
