/** The limit for all incomplete bodies together, in bytes: a thousand of the largest. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The incomplete bodies, and their memory. */
export interface UnfinishedBodies {
  /** Adds received bytes. If the total is too large, the body that has been read for the longest time is given up. */
  add(giveUp: () => void, bytes: number): void;
  /** Removes a body that is complete, or was given up. */
  remove(giveUp: () => void): void;
}

/**
 * Limits the memory that unauthenticated senders can use, because bodies are read before the signature is verified. A
 * sender at a normal speed is done long before its body is the oldest.
 */
export function openUnfinishedBodies(maxBytes = MAX_BYTES): UnfinishedBodies {
  // Each body is identified by the function that gives it up. A Map keeps the order in which the bodies began.
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
        if (total <= maxBytes) break;
        remove(giveUpOldest);
        giveUpOldest();
      }
    },
    remove,
  };
}
