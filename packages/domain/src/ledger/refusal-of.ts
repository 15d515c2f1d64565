import { mayHold } from '../sharing/fair-share.ts';
import type { Waiting } from './held-merchants.ts';

/** The part of the queue that creates may use. The rest is for reports of what has happened. */
const partOfCreates = 0.8;
/** The part of the queue that creates of one merchant may use whose wallet is held. Its other commands may use twice as much. */
const shareOfHeld = 0.1;

/** How many commands wait for a batch. */
export interface Queued {
  /** The most that may wait. */
  limit: number;
  all: number;
  ofMerchant: number;
  /** Another session holds the merchant's wallet. */
  isHeld: boolean;
}

/**
 * Whether a command that arrives is refused: `full` if no more may wait, `busy` if its merchant has its share of the places for
 * creates (docs/running/fair-shares.md). All other commands report
 * what has happened, or are decisions of operators. They are never refused because a merchant creates too much.
 */
export function refusalOf({ command }: Pick<Waiting, 'command'>, queued: Queued): 'full' | 'busy' | null {
  const { limit, all, ofMerchant, isHeld } = queued;
  const isCreate = command.type === 'createPayin' || command.type === 'createPayout';
  const limitOfHeld = limit * (isCreate ? shareOfHeld : 2 * shareOfHeld);
  if (all >= limit || (isHeld && ofMerchant >= limitOfHeld)) return 'full';
  return isCreate && !mayHold(ofMerchant, limit * partOfCreates - all) ? 'busy' : null;
}
