// Fair shares of everything that merchants share (docs/running/fair-shares.md).

export { FairQueue } from '../sharing/fair-queue.ts';
export {
  claimLocally,
  type FairRate,
  type FairRateOptions,
  openFairRate,
  type TakenTurn,
  type Turn,
} from '../sharing/fair-rate.ts';
export { mayHold } from '../sharing/fair-share.ts';
export { type FairSlots, openFairSlots, type TakenSlot } from '../sharing/fair-slots.ts';
export { type PoolName, type PoolsObserver, sharedPools } from '../sharing/pools.ts';
export { headStart, type Priority, platform, priorities } from '../sharing/priority.ts';
export type { Asking } from '../sharing/waiting-line.ts';
