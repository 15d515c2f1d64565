import type { Announcement } from './changes.ts';

/** Messages on a cluster can overtake each other. A message counts as missing only after this time. */
const graceMs = 500;
/** The most senders in memory, because processes come and go. */
const maxSenders = 1_000;
/** The most missing messages of one sender that are waited for. */
const maxAwaited = 1_000;

/** Finds missing numbers in each sender's messages. */
export interface SequenceCheck {
  /**
   * Notes a received number. The first one of a sender begins its count. If it reports an earlier loss, `isMissing` is
   * true at once. From a known sender this report is ignored. `now` in milliseconds.
   */
  receive(announcement: Pick<Announcement, 'from' | 'no' | 'afterLoss'>, now: number): void;
  /** Whether an earlier message is finally missing. */
  isMissing(now: number): boolean;
  /** Drops all numbers, and begins again. */
  reset(): void;
}

interface Count {
  highest: number;
  /** The time at which each number was skipped. */
  awaited: Map<number, number>;
}

export function openSequenceCheck(): SequenceCheck {
  const senders = new Map<string, Count>();
  let isLost = false;
  return {
    receive: ({ from, no, afterLoss = false }, now) => {
      const count = senders.get(from);
      if (!count) {
        if (senders.size >= maxSenders) senders.clear();
        senders.set(from, { highest: no, awaited: new Map() });
        isLost ||= afterLoss;
        return;
      }
      count.awaited.delete(no);
      if (no - count.highest + count.awaited.size > maxAwaited) isLost = true;
      else for (let skipped = count.highest + 1; skipped < no; skipped += 1) count.awaited.set(skipped, now);
      count.highest = Math.max(count.highest, no);
    },
    isMissing: (now) =>
      isLost ||
      [...senders.values()].some(({ awaited }) => [...awaited.values()].some((since) => now - since > graceMs)),
    reset: () => {
      isLost = false;
      senders.clear();
    },
  };
}
