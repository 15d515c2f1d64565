import type { OrderRef } from '@tidegate/domain';
import { loadOrders } from '@tidegate/domain/lists';
import type { ApiContext } from '../graphql/context.ts';
import { loaded, partsOf } from '../graphql/loaded.ts';
import { scopeOf } from '../graphql/paging.ts';

/** Loads a field of an order type, by `keyOf(merchantId, orderNo)`. */
export const orderByNumber = {
  load: async (keys: string[], context: ApiContext) =>
    loaded(await loadOrders(context.domain, scopeOf(context), keys.map(orderRefOf))),
};

export function orderRefOf(key: string): OrderRef {
  const [merchantId, orderNo] = partsOf(key);
  return { merchantId, orderNo };
}

/** The identifying fields of an order. */
export function refOfOrder({ merchantId, orderNo }: OrderRef): OrderRef {
  return { merchantId, orderNo };
}
