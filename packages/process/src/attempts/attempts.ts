import { type Budget, openFailureBudgets } from './failure-budgets.ts';
import { openSlowQueue } from './slow-queue.ts';
import { sourceOf } from './source-of.ts';

/** An attempt to be let in: with a signature, a token, a session, a code. It ends once. */
export interface Attempt {
  /** Does a part of the check, whose time counts. */
  measure<Result>(work: () => Result): Result;
  succeeded(): void;
  /** The time that it took is charged to its source. */
  failed(): void;
}

/**
 * Limits what callers without valid credentials cost, the same way in all processes (ADR 0031). Each process counts by
 * itself. No attempt is refused because of others: one from a source that has failed too often has to wait.
 */
export interface Attempts {
  /**
   * Begins an attempt from this address (as `clientAddress` returns it). A light one, which costs hardly more than its
   * refusal would, never waits. The answer is a promise only if the attempt waits.
   */
  begin(address: string | null, options?: { isLight?: boolean }): Attempt | Promise<Attempt>;
  /** Number of waiting attempts. */
  waiting(): number;
}

export interface AttemptsOptions {
  /** What a failed attempt is charged in addition to its measured time, in ms. */
  failureMs: number;
  /**
   * Charge it when an attempt begins, and return it if the attempt succeeds. For attempts that wait for others, so that
   * a source cannot begin many at the same time.
   */
  isChargedAhead?: boolean;
  ofSource?: Budget;
  /** Default: only each source has a budget. */
  ofAll?: Budget;
  maxWaiting?: number;
  /** Called for each attempt that has to wait. */
  delayed?: () => void;
  /** Milliseconds. */
  now?: () => number;
}

/** A source may fail for 100 ms of processor time at once, and then for 5 ms each second. */
const usualBudget: Budget = { burstMs: 100, perSecondMs: 5 };
/** The share of a process's time for all attempts that had to wait. */
const share = 0.1;
/** About 1 MB for the sources of a process. */
const capacity = 10_000;
const usualMaxWaiting = 1_000;

export function openAttempts(options: AttemptsOptions): Attempts {
  const { failureMs, isChargedAhead = false, ofSource = usualBudget, ofAll, delayed } = options;
  const { now = () => performance.now(), maxWaiting = usualMaxWaiting } = options;
  const budgets = openFailureBudgets({ ofSource, ofAll, capacity, now });
  // The expected time is the limit for one request, or what a failure is charged.
  const expectedMs = Math.max(1, failureMs);
  const queue = openSlowQueue({ share, expectedMs, maxWaiting, now });
  const open = (source: string, done?: (ms: number) => void): Attempt => {
    let tookMs = 0;
    const aheadMs = isChargedAhead ? failureMs : 0;
    if (isChargedAhead) budgets.charge(source, aheadMs);
    return {
      measure: (work) => {
        const from = now();
        try {
          return work();
        } finally {
          tookMs += now() - from;
        }
      },
      succeeded: () => {
        if (isChargedAhead) budgets.charge(source, -aheadMs);
        done?.(0);
      },
      failed: () => {
        budgets.charge(source, tookMs + failureMs - aheadMs);
        done?.(tookMs + failureMs);
      },
    };
  };
  return {
    begin: (address, { isLight = false } = {}) => {
      const source = sourceOf(address);
      if (isLight || !budgets.isUsedUp(source)) return open(source);
      delayed?.();
      return queue.enter(source).then(({ done }) => open(source, done));
    },
    waiting: queue.waiting,
  };
}
