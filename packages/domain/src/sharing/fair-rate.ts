import { observePool, type PoolName, type PoolsObserver } from './pools.ts';
import type { Priority } from './priority.ts';
import { type Asking, WaitingLine } from './waiting-line.ts';

/** What asks for a turn: the most urgent work that waits here, and how many owners wait. */
export interface Claim {
  priority: Priority;
  owners: number;
}

export interface ClaimAnswer {
  /** 0: one turn is granted. Otherwise: when to ask again. */
  waitMs: number;
  /** How many more turns could be had at once. */
  ready: number;
  /** How far apart the turns of this process are after those. */
  perTurnMs: number;
}

export interface FairRateOptions {
  pool: PoolName;
  /** Asks for one turn, from a bucket of this process or one that processes share. Must not throw. */
  claim(claim: Claim): Promise<ClaimAnswer>;
  /** How many may wait for a turn; default 1,000. */
  places?: number;
  observer?: PoolsObserver;
}

/** A turn: the right to do something once. It is used within a second, or given back. */
export interface Turn {
  /** Uses the turn. False: it was used or given back before. */
  use(): boolean;
  /** Gives an unused turn to the next one that waits here. */
  giveBack(): void;
}

export type TakenTurn = { ok: true; turn: Turn } | { ok: false; retryAfterMs: number };

/** A rate that owners share: one turn after the other. */
export interface FairRate {
  /** Waits for a turn. Refused at once if that would take longer than the asker may wait, as far as known. */
  take(asking: Asking): Promise<TakenTurn>;
  readonly waiting: number;
}

/** How long a turn that was given back is kept for the next one, in ms. */
const spareMs = 1_000;
/** A claim is renewed after this time in ms, because who waits may have changed. */
const maxPauseMs = 250;

/** Opens a rate. While anything waits, it claims one turn at a time, and gives it to whom it belongs at that moment. */
export function openFairRate({ pool, claim, places = 1_000, observer }: FairRateOptions): FairRate {
  const observed = observePool(pool, observer);
  const line = new WaitingLine<Turn>({ places }, observed.waiting);
  let isClaiming = false;
  let spareUntil = 0;
  /** When the next turn is expected, and how far apart turns are, as of the last claim. */
  let next = { at: 0, ready: 0, perTurnMs: 0 };

  const makeTurn = (): Turn => turnThat(serve);
  /** Gives one turn to the next one, who may have given up meanwhile. */
  const serve = (): void => {
    if (!line.serve(makeTurn)) spareUntil = performance.now() + spareMs;
  };
  const claimTurns = async (): Promise<void> => {
    isClaiming = true;
    for (let { priority } = line.queue; priority !== null; { priority } = line.queue) {
      const { waitMs, ready, perTurnMs } = await claim({ priority, owners: line.queue.owners });
      const untilNext = waitMs > 0 ? waitMs : ready > 0 ? 0 : perTurnMs;
      next = { at: performance.now() + untilNext, ready, perTurnMs };
      if (waitMs <= 0) serve();
      else await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, maxPauseMs)));
    }
    isClaiming = false;
  };
  const expectedMs = ({ owner, priority }: Asking): number => {
    const untilNext = Math.max(0, next.at - performance.now());
    // Without anyone who waits nothing is known of what other processes used meanwhile.
    if (line.queue.size === 0) return 0;
    return Math.ceil(untilNext + Math.max(0, line.queue.turnsBefore(owner, priority) - next.ready) * next.perTurnMs);
  };
  const refuse = (retryAfterMs: number): TakenTurn => {
    observed.refused();
    return { ok: false, retryAfterMs };
  };
  return {
    async take(asking) {
      if (asking.signal?.aborted) return refuse(0);
      if (performance.now() < spareUntil && line.queue.size === 0) {
        spareUntil = 0;
        observed.served(0);
        return { ok: true, turn: makeTurn() };
      }
      const expected = expectedMs(asking);
      if (expected > asking.maxWaitMs && !asking.isPatient) return refuse(expected - asking.maxWaitMs);
      const since = performance.now();
      const waiting = line.wait(asking);
      if (!isClaiming) void claimTurns();
      const turn = await waiting;
      if (!turn) return refuse(Math.max(expectedMs(asking), next.at - performance.now()));
      observed.served(performance.now() - since);
      return { ok: true, turn };
    },
    get waiting() {
      return line.queue.size;
    },
  };
}

function turnThat(passOn: () => void): Turn {
  let isOpen = true;
  const close = (): boolean => {
    const wasOpen = isOpen;
    isOpen = false;
    return wasOpen;
  };
  return {
    use: close,
    giveBack: () => {
      if (close()) passOn();
    },
  };
}

/** A bucket of this process alone: at most `burst` turns at once, and `perSecond` on average (the algorithm GCRA). */
export function claimLocally({ perSecond, burst }: { perSecond: number; burst: number }): FairRateOptions['claim'] {
  const perTurnMs = 1_000 / perSecond;
  let dueAt = 0;
  return async () => {
    const now = performance.now();
    const due = Math.max(dueAt, now);
    const waitMs = Math.max(0, due - now - perTurnMs * (burst - 1));
    if (waitMs === 0) dueAt = due + perTurnMs;
    const ready = Math.max(0, Math.floor(burst - (dueAt - now) / perTurnMs));
    return { waitMs: Math.ceil(waitMs), ready: waitMs > 0 ? 0 : ready, perTurnMs };
  };
}
