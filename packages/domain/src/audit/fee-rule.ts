import type { Currency } from '../core/country.ts';
import { type FeeTerms, feeOn } from '../core/fee.ts';
import { Money } from '../core/money.ts';
import type { OrderKind } from '../core/order.ts';
import type { Read } from './snapshot.ts';
import type { Violation } from './violation.ts';

export const feeRuleName = 'fee and net amount follow from the terms kept on the order';

interface Priced {
  merchantId: string;
  orderNo: string;
  kind: OrderKind;
  currency: Currency;
  amount: string;
  feeAmount: string;
  netAmount: string;
  feeTerms: FeeTerms;
}

/** Computes fee and net amount of these orders again (decisions 3.3), with the rounding that priced them. `keys`: merchants and order numbers. */
export async function checkFees(read: Read, keys: readonly [string[], string[]]): Promise<Violation[]> {
  const orders = await read<Priced>(pricedSql, [...keys]);
  return orders.flatMap((order) => {
    const detail = problemOf(order);
    return detail === null ? [] : [{ rule: feeRuleName, merchantId: order.merchantId, subject: order.orderNo, detail }];
  });
}

function problemOf(order: Priced): string | null {
  const amount = Money.of(order.amount, order.currency);
  let fee: Money;
  try {
    fee = feeOn(amount, order.feeTerms);
  } catch {
    return 'its terms cannot be computed';
  }
  const net = order.kind === 'payin' ? amount.minus(fee) : amount.plus(fee);
  if (fee.toString() === order.feeAmount && net.toString() === order.netAmount) return null;
  return `fee ${order.feeAmount} and net ${order.netAmount}; its terms give ${fee} and ${net}`;
}

const pricedSql = `select o.merchant_id as "merchantId", o.order_no as "orderNo", o.kind, o.currency, o.amount::text, o.fee_amount::text as "feeAmount",
    o.net_amount::text as "netAmount", o.fee_terms as "feeTerms"
  from unnest($1::text[], $2::text[]) as k(m, n) cross join lateral (
    select * from orders o where o.merchant_id = k.m and o.order_no = k.n offset 0) o`;
