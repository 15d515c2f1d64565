import type { TakenTurn } from '../sharing/fair-rate.ts';
import type { Asking } from '../sharing/waiting-line.ts';

/** `perSecond` calls on average, and at most `burst` at once. */
export interface CallRate {
  perSecond: number;
  burst: number;
  /** A call that would have to wait longer is refused at once, and takes no time from others. At most 8 s, the default. */
  maxWaitMs?: number;
}

/** The account whose rate a call uses. `account` tells accounts apart and contains no secret. */
export interface LimitedAccount {
  account: string;
  rate: CallRate;
}

/** Limits how often an account of a provider is called, over all processes. For adapters. */
export interface CallLimiter {
  /**
   * Waits until the account may be called again. Merchants share the account fairly: the owner of the call and its
   * priority come from the context that `callChannel` sets. False: that would take longer than `maxWaitMs`, or `signal`
   * ended first. Then the call must not be sent.
   */
  take(account: string, rate: CallRate, signal: AbortSignal): Promise<boolean>;
}

/** Takes the turn of a call before there is anything to send. */
export interface CallTurns {
  turn(of: LimitedAccount, asking: Asking): Promise<TakenTurn>;
}
