import type { Domain, Order, OrderRef } from '@tidegate/domain';
import { loadOrders, unrestricted } from '@tidegate/domain/lists';
import DataLoader from 'dataloader';

const batchLimit = 500;

/** Reads orders as they are now; null for one that is not there. Whose they are is for the caller to look at. */
export type ReadOrders = (refs: readonly OrderRef[]) => Promise<(Order | null)[]>;

/** Streams hear of the same orders at the same time: what all of them ask for in one turn is one statement, each order once. */
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
