import { breaker } from '@tidegate/domain/worker';

interface Shared {
  failures: number;
  /** Time from `performance.now()`; null: the breaker is closed. */
  probeAt: number | null;
}

/**
 * One breaker for all hosts of a merchant that have no breaker of their own, because too many of its hosts fail. It is
 * in memory: each worker opens it after ten failures, and then makes one attempt in `probeEvery` ms. There is at most
 * one entry for each merchant.
 */
export interface SharedBreakers {
  isOpen(merchantId: string): boolean;
  /** How many attempts an open breaker lets through now. */
  room(merchantId: string): 0 | 1;
  /** Claims the attempt that an open breaker lets through; false if it is already claimed. */
  takeProbe(merchantId: string): boolean;
  /** The probe was not made. */
  giveBack(merchantId: string): void;
  failed(merchantId: string): 'opened' | null;
  delivered(merchantId: string): 'closed' | null;
}

export function openSharedBreakers(probeEvery: number): SharedBreakers {
  const shared = new Map<string, Shared>();
  const probeAt = (merchantId: string): number | null => shared.get(merchantId)?.probeAt ?? null;
  const setProbe = (merchantId: string, at: number): void => {
    const known = shared.get(merchantId);
    if (known && known.probeAt !== null) known.probeAt = at;
  };
  const room = (merchantId: string): 0 | 1 => (performance.now() >= (probeAt(merchantId) ?? 0) ? 1 : 0);
  return {
    isOpen: (merchantId) => probeAt(merchantId) !== null,
    room,
    takeProbe(merchantId) {
      if (room(merchantId) === 0) return false;
      setProbe(merchantId, performance.now() + probeEvery);
      return true;
    },
    giveBack: (merchantId) => setProbe(merchantId, performance.now()),
    failed(merchantId) {
      const { failures, probeAt: open } = shared.get(merchantId) ?? { failures: 0, probeAt: null };
      const opens = open === null && failures + 1 >= breaker.failures;
      shared.set(merchantId, { failures: failures + 1, probeAt: opens ? performance.now() + probeEvery : open });
      return opens ? 'opened' : null;
    },
    delivered(merchantId) {
      const wasOpen = probeAt(merchantId) !== null;
      shared.delete(merchantId);
      return wasOpen ? 'closed' : null;
    },
  };
}
