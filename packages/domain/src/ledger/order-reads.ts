import type { Order } from '../core/order.ts';
import type { Statement } from '../database/columns.ts';
import { openLookUp } from '../database/look-up.ts';
import type { Reading } from '../database/reading.ts';
import type { Statements } from './queries.ts';

/** Reads merchants' orders by their numbers; null for an unknown one. Concurrent reads share a statement. */
export interface OrderReads {
  byNo(merchantId: string, orderNo: string): Promise<Order | null>;
  byMerchantOrderNo(merchantId: string, merchantOrderNo: string): Promise<Order | null>;
}

export interface OrderReadAccess {
  /** Plain reads, for order queries. */
  orders: OrderReads;
}

/** Each kind of number has a statement for one, planned once, and a statement for many, planned at each call. */
export function openOrderReads(reading: Reading, sql: Statements): OrderReads {
  const openBy = (number: 'orderNo' | 'merchantOrderNo', one: Statement, many: Statement) => {
    // Neither number has a blank in it.
    const keyOf = (merchantId: string, no: string): string => `${merchantId} ${no}`;
    const find = openLookUp<Order>(async (keys) => {
      const pairs = keys.map((key) => key.split(' '));
      const [first] = pairs;
      const merchants = pairs.map(([merchantId]) => merchantId);
      const numbers = pairs.map(([, no]) => no);
      const query = keys.length === 1 && first ? { ...one, values: first } : { ...many, values: [merchants, numbers] };
      const { rows } = await reading.query<Order>(query);
      return new Map(rows.map((order) => [keyOf(order.merchantId, order[number]), order]));
    });
    return (merchantId: string, no: string) => find(keyOf(merchantId, no));
  };
  return {
    byNo: openBy('orderNo', sql.orderByNo, sql.ordersByKey),
    byMerchantOrderNo: openBy('merchantOrderNo', sql.orderByMerchantOrderNo, sql.ordersByMerchantOrderNo),
  };
}
