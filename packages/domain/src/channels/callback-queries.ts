import type { OrderRef } from '../core/order.ts';
import { type FairSlots, openFairSlots } from '../sharing/fair-slots.ts';
import type { PoolsObserver } from '../sharing/pools.ts';

/** How many queries that callbacks caused this process sends to one channel at once, and how long one waits, in ms. */
const maxAtOnce = 8;
const maxWaitMs = 1_000;

/** Queries that callbacks cause. They are few at once, so that a burst of callbacks leaves room for orders. */
export interface CallbackQueries {
  /**
   * Runs `query` for an order, when it is the turn of its merchant. Callers for the same order of the same channel share
   * one run. Null: there was no turn in time.
   */
  run<Result>(channelId: string, order: OrderRef, query: () => Promise<Result>): Promise<Result | null>;
}

export function openCallbackQueries(observer?: PoolsObserver): CallbackQueries {
  const opened = new Map<string, { slots: FairSlots; running: Map<string, Promise<unknown>> }>();
  const openChannel = () => ({
    slots: openFairSlots({ pool: 'callback_queries', slots: maxAtOnce, ...(observer && { observer }) }),
    running: new Map<string, Promise<unknown>>(),
  });
  const runInTurn = async <Result>(slots: FairSlots, owner: string, query: () => Promise<Result>) => {
    const slot = await slots.take({ owner, priority: 'poll', maxWaitMs, isPatient: true });
    if (!slot.ok) return null;
    try {
      return await query();
    } finally {
      slot.release();
    }
  };
  return {
    run<Result>(channelId: string, { merchantId, orderNo }: OrderRef, query: () => Promise<Result>) {
      const ofChannel = opened.get(channelId) ?? openChannel();
      const { slots, running } = ofChannel;
      const same = running.get(orderNo);
      if (same) return same as Promise<Result | null>;
      opened.set(channelId, ofChannel);
      const run = runInTurn(slots, merchantId, query).finally(() => {
        running.delete(orderNo);
        if (running.size === 0) opened.delete(channelId);
      });
      running.set(orderNo, run);
      return run;
    },
  };
}
