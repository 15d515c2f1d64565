import { LRUCache } from 'lru-cache';

/** The processor time that failed attempts may take, in ms: at once, and each second from then on. */
export interface Budget {
  burstMs: number;
  perSecondMs: number;
}

/** A budget in use. It may be overdrawn by the attempt that used it up. */
interface Account {
  leftMs: number;
  since: number;
}

export interface FailureBudgets {
  isUsedUp(source: string): boolean;
  /** A negative charge returns an earlier one. */
  charge(source: string, ms: number): void;
}

export interface FailureBudgetsOptions {
  ofSource: Budget;
  /** Of all sources together, because an attacker can have many. Default: no limit. */
  ofAll?: Budget | undefined;
  /** Most sources in memory. The one that failed longest ago is dropped first. */
  capacity: number;
  now: () => number;
}

/** The processor time of failed attempts, by source. A source that never failed takes no memory. */
export function openFailureBudgets({ ofSource, ofAll, capacity, now }: FailureBudgetsOptions): FailureBudgets {
  const accounts = new LRUCache<string, Account>({ max: capacity });
  const all: Account = { leftMs: ofAll?.burstMs ?? 0, since: now() };
  return {
    isUsedUp: (source) => {
      const account = accounts.peek(source);
      return (account !== undefined && isEmpty(account, ofSource, now())) || (!!ofAll && isEmpty(all, ofAll, now()));
    },
    charge: (source, ms) => {
      const account = accounts.get(source) ?? { leftMs: ofSource.burstMs, since: now() };
      take(account, ofSource, now(), ms);
      accounts.set(source, account);
      if (ofAll) take(all, ofAll, now(), ms);
    },
  };
}

function refilled({ leftMs, since }: Account, { burstMs, perSecondMs }: Budget, now: number): number {
  return Math.min(burstMs, leftMs + ((now - since) / 1_000) * perSecondMs);
}

function isEmpty(account: Account, budget: Budget, now: number): boolean {
  return refilled(account, budget, now) <= 0;
}

/** The debt has a limit too: a source is within its budget again soon after its failures end. */
function take(account: Account, budget: Budget, now: number, ms: number): void {
  account.leftMs = Math.min(budget.burstMs, Math.max(-budget.burstMs, refilled(account, budget, now) - ms));
  account.since = now;
}
