import { useEffect, useEffectEvent } from 'react';
import { createStore } from '../state/store.ts';
import { approvalNews } from './approval-news.ts';

/** Counts the changes that this operator made here. */
const ownChanges = createStore(0);

/** Counts all known changes: own ones, and approvals that were decided. What was read before them may be old. */
export const knownChanges = createStore(0);

const count = () => knownChanges.set(knownChanges.get() + 1);
ownChanges.subscribe(count);
approvalNews.subscribe(count);

/** Notes that this operator changed something. */
export function noteOwnChange(): void {
  ownChanges.set(ownChanges.get() + 1);
}

/** Reads a page again when this operator has changed something, wherever they did it. */
export function useOwnChanges(read: () => void): void {
  const act = useEffectEvent(read);
  useEffect(() => ownChanges.subscribe(act), []);
}

/** Reads a page again when this operator has changed something, or an approval was requested or decided. */
export function useChanges(read: () => void): void {
  const act = useEffectEvent(read);
  useEffect(() => knownChanges.subscribe(act), []);
}
