import type { Announcement } from './changes.ts';

/** Messages of a cluster can overtake each other: one counts as missing only after this. */
const graceMs = 500;
/** Senders that are kept in mind: processes come and go. */
const mostSenders = 1_000;
/** More missing messages of one sender are not waited for. */
const mostAwaited = 1_000;

/** Which numbered messages of each sender did not come. */
export interface SequenceCheck {
  /** The first of a sender that is heard is where its count begins, unless it says that one before it was lost. `now` in milliseconds. */
  heard(announcement: Pick<Announcement, 'from' | 'no' | 'afterLoss'>, now: number): void;
  /** Whether something of what came before is missing for good. */
  isMissing(now: number): boolean;
  /** Begins anew. */
  reset(): void;
}

interface Count {
  highest: number;
  /** When each number was skipped. */
  awaited: Map<number, number>;
}

export function openSequenceCheck(): SequenceCheck {
  const senders = new Map<string, Count>();
  let isLost = false;
  return {
    heard: ({ from, no, afterLoss = false }, now) => {
      const count = senders.get(from);
      if (!count) {
        if (senders.size >= mostSenders) senders.clear();
        senders.set(from, { highest: no, awaited: new Map() });
        isLost ||= afterLoss;
        return;
      }
      count.awaited.delete(no);
      if (no - count.highest + count.awaited.size > mostAwaited) isLost = true;
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
