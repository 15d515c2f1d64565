import type { Domain, Order, OrderRef } from '@tidegate/domain';
import { loadOrders, unrestricted } from '@tidegate/domain/lists';
import DataLoader from 'dataloader';

const batchLimit = 500;

/** Reads orders in their current state; null for a missing one. The caller checks who may see them. */
export type ReadOrders = (refs: readonly OrderRef[]) => Promise<(Order | null)[]>;

/**
 * Several streams receive the same changes at the same time. The orders that they ask for in one tick are read by one
 * statement, each order once.
 */
export function openOrderReader(domain: Domain): ReadOrders {
  const loader = new DataLoader<OrderRef, Order | null, string>(
    (refs) => {
      // Later requests read again.
      loader.clearAll();
      return loadOrders(domain, unrestricted, refs);
    },
    { maxBatchSize: batchLimit, cacheKeyFn: ({ merchantId, orderNo }) => `${merchantId} ${orderNo}` },
  );
  return (refs) => Promise.all(refs.map((ref) => loader.load(ref)));
}
