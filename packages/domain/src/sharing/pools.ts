/**
 * Every pool that owners share through a fair queue, and what one part of it is. docs/running/fair-shares.md explains
 * the rule of each.
 */
export const sharedPools = {
  create_slots: 'payins that a process submits to one channel at once',
  call_rate: 'calls to one account of a provider',
  callback_queries: 'queries that callbacks caused a process to send to one channel at once',
  channel_questions: 'questions to channels for whose answer a process waits at once',
  payer_confirmations: 'creates that wait at one provider until the payer has confirmed',
  notification_jobs: 'first or later attempts at notifications that a worker makes at once',
  checkout_streams: 'checkout pages that a REST adapter keeps up to date at once',
  graphql_requests: 'GraphQL requests that an API executes at once',
  graphql_streams: 'GraphQL streams that an API keeps open at once',
  uploads: 'uploads of one kind that an API receives at once',
  previews: 'previews of statements that an API reads at once',
  downloads: 'downloads that an API sends at once',
} as const;
export type PoolName = keyof typeof sharedPools;

/** Receives what happens in shared pools. None of these may throw or wait. */
export interface PoolsObserver {
  /** An asker got its share after this wait. */
  poolServed?(pool: PoolName, waitedMs: number): void;
  poolRefused?(pool: PoolName): void;
  /** One more waits, or one less (-1). */
  poolWaiting?(pool: PoolName, change: number): void;
}

/** What happens in one pool. */
export function observePool(
  pool: PoolName,
  observer: PoolsObserver = {},
): { served(waitedMs: number): void; refused(): void; waiting(change: number): void } {
  return {
    served: (waitedMs) => observer.poolServed?.(pool, waitedMs),
    refused: () => observer.poolRefused?.(pool),
    waiting: (change) => observer.poolWaiting?.(pool, change),
  };
}
