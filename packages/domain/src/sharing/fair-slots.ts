import { mayHold } from './fair-share.ts';
import { observePool, type PoolName, type PoolsObserver } from './pools.ts';
import { type Asking, WaitingLine } from './waiting-line.ts';

export interface FairSlotsOptions {
  pool: PoolName;
  /** How many may be in use at once. */
  slots: number;
  /** How many one owner may use at once, whatever is free; beyond, it is refused at once. Default: what `mayHold` allows. */
  slotsPerOwner?: number;
  /** How many may wait for one; default 1,000. */
  places?: number;
  observer?: PoolsObserver;
}

/** `release` frees the slot; calling it again does nothing. `retryAfterMs`: when to ask again, as far as known. */
export type TakenSlot = { ok: true; release: () => void } | { ok: false; retryAfterMs: number };

/** A number of slots that owners share. */
export interface FairSlots {
  /**
   * Takes a slot, or waits for one. An owner that holds its share already waits for one of its own, so that there is
   * room for owners that hold none.
   */
  take(asking: Asking): Promise<TakenSlot>;
  /** Takes a slot without waiting. Those that wait already come first. */
  takeNow(owner: string): TakenSlot;
  /** How many this owner uses. */
  heldBy(owner: string): number;
  readonly inUse: number;
  readonly waiting: number;
}

/** How long a slot is thought to be held until the first was released, in ms. */
const firstGuessMs = 1_000;
/** How much the last hold counts in the average. */
const lastCounts = 0.1;

/** Opens a pool of slots, for one process. */
export function openFairSlots(options: FairSlotsOptions): FairSlots {
  const { pool, slots, slotsPerOwner = slots, places = 1_000, observer } = options;
  const observed = observePool(pool, observer);
  const held = new Map<string, number>();
  const line = new WaitingLine<() => void>({ places }, observed.waiting);
  let inUse = 0;
  let averageMs = firstGuessMs;
  const heldBy = (owner: string): number => held.get(owner) ?? 0;
  const isFree = (owner: string): boolean => heldBy(owner) < slotsPerOwner && mayHold(heldBy(owner), slots - inUse);
  const give = (owner: string): (() => void) => {
    const since = performance.now();
    let isReleased = false;
    held.set(owner, heldBy(owner) + 1);
    inUse++;
    return () => {
      if (isReleased) return;
      isReleased = true;
      averageMs += (performance.now() - since - averageMs) * lastCounts;
      inUse--;
      if (heldBy(owner) > 1) held.set(owner, heldBy(owner) - 1);
      else held.delete(owner);
      while (inUse < slots && line.serve(give, isFree));
    };
  };
  /** When an owner that asks now can expect a slot: one of its own share, or the next of all. */
  const expectedMs = ({ owner, priority }: Pick<Asking, 'owner' | 'priority'>): number => {
    const ofOwn = line.queue.waitingOf(owner) + 1;
    return Math.ceil(
      heldBy(owner) > 0
        ? (ofOwn * averageMs) / heldBy(owner)
        : ((line.queue.turnsBefore(owner, priority) + 1) * averageMs) / slots,
    );
  };
  const refuse = (asking: Pick<Asking, 'owner' | 'priority'>): TakenSlot => {
    observed.refused();
    return { ok: false, retryAfterMs: expectedMs(asking) };
  };
  const takeNow = (owner: string): TakenSlot | null => {
    if (!isFree(owner) || line.queue.waitingOf(owner) > 0) return null;
    observed.served(0);
    return { ok: true, release: give(owner) };
  };
  return {
    takeNow: (owner) => takeNow(owner) ?? refuse({ owner, priority: 'create' }),
    async take(asking) {
      if (asking.signal?.aborted || heldBy(asking.owner) >= slotsPerOwner) return refuse(asking);
      const taken = takeNow(asking.owner);
      if (taken) return taken;
      if (expectedMs(asking) > asking.maxWaitMs && !asking.isPatient) return refuse(asking);
      const since = performance.now();
      const release = await line.wait(asking);
      if (!release) return refuse(asking);
      observed.served(performance.now() - since);
      return { ok: true, release };
    },
    heldBy,
    get inUse() {
      return inUse;
    },
    get waiting() {
      return line.queue.size;
    },
  };
}
