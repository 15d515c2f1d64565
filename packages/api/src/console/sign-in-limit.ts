import { LRUCache } from 'lru-cache';

/** The most failed attempts of one address within a minute. */
const maxOfAddress = 20;
/** The most attempts that are checked at the same time, of all addresses together. */
const maxAtOnce = 50;
const windowMs = 60_000;
/** Most addresses in memory; the address that was seen longest ago is dropped first. */
const capacity = 10_000;

/** An attempt to sign in, which ends once. One that fails counts against its address for a minute. */
export interface Attempt {
  succeeded(): void;
  failed(): void;
}

/** Limits attempts to sign in. Each process counts by itself. */
export interface SignInLimit {
  /** Begins an attempt; null if too many failed a moment ago, or too many are being checked now. */
  begin(address: string): Attempt | null;
}

export function openSignInLimit(now: () => number = () => performance.now()): SignInLimit {
  const windows = new LRUCache<string, { since: number; counted: number }>({ max: capacity });
  let atOnce = 0;
  const windowOf = (address: string) => {
    const known = windows.get(address);
    if (known && now() - known.since < windowMs) return known;
    const opened = { since: now(), counted: 0 };
    windows.set(address, opened);
    return opened;
  };
  return {
    begin: (address) => {
      const window = windowOf(address);
      if (atOnce >= maxAtOnce || window.counted >= maxOfAddress) return null;
      // Counted before the result is known, so that parallel attempts are limited too.
      atOnce += 1;
      window.counted += 1;
      return {
        succeeded: () => {
          atOnce -= 1;
          window.counted -= 1;
        },
        failed: () => {
          atOnce -= 1;
        },
      };
    },
  };
}
