/** Of all bodies together that have not come to their end, in bytes: a thousand of the largest. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Bodies that are being read, and how much of them is in memory. */
export interface UnfinishedBodies {
  /** More has come of a body. Where that is too much, the body that has been read for the longest is given up first. */
  add(giveUp: () => void, bytes: number): void;
  /** It is read, or given up: its bytes no longer count here. */
  remove(giveUp: () => void): void;
}

/**
 * Limits the memory that unauthenticated senders can use: bodies are read before the signature can be verified.
 * A sender at a usual pace is done long before its body is the oldest.
 */
export function openUnfinishedBodies(mostBytes = MOST_BYTES): UnfinishedBodies {
  // By what gives each up, in the order in which they began.
  const unfinished = new Map<() => void, number>();
  let total = 0;
  const remove = (giveUp: () => void): void => {
    total -= unfinished.get(giveUp) ?? 0;
    unfinished.delete(giveUp);
  };
  return {
    add(giveUp, bytes) {
      unfinished.set(giveUp, (unfinished.get(giveUp) ?? 0) + bytes);
      total += bytes;
      for (const giveUpOldest of unfinished.keys()) {
        if (total <= mostBytes) break;
        remove(giveUpOldest);
        giveUpOldest();
      }
    },
    remove,
  };
}
