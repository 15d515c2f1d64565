/** `perSecond` calls on average, and at most `burst` at once. */
export interface CallRate {
  perSecond: number;
  burst: number;
  /** A call that would have to wait longer is refused at once, and takes no time from others. At most 8 s, the default. */
  maxWaitMs?: number;
}

/** Limits how often an account of a provider is called, over all processes. */
export interface CallLimiter {
  /**
   * Waits until the account may be called again. False: that would take longer than `maxWaitMs`, or `signal` ended
   * first. Then the call must not be sent. `account` tells accounts apart and contains no secret.
   */
  take(account: string, rate: CallRate, signal: AbortSignal): Promise<boolean>;
}
