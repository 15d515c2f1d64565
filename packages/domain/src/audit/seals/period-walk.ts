import { emptyTree, type MerkleTree } from '../../core/merkle.ts';
import { endOfPeriod, hashOfSeal, type LedgerEnd, nextPeriod, periodOf } from '../../core/period-seal.ts';
import { type Position, startOf } from '../position.ts';
import type { PositionSeal } from './stored-seals.ts';

/** The position up to which the rows of a merchant's next period were read. */
export interface PeriodWalk {
  sealNo: number;
  /** The hash of the previous seal. */
  previous: string;
  /** The previous period and this period; null if there is none yet. */
  lastPeriod: string | null;
  period: string | null;
  /** The beginning of the period, and the position up to which it was read. */
  from: Position;
  at: Position;
  /** The end of the period; null as long as the period must not be sealed yet. */
  until: LedgerEnd | null;
  /** The tree over the links that were read. */
  tree: MerkleTree;
  /** Whether a rule was violated in the period, and whether the period was begun again since then. */
  isFaulty: boolean;
  isRepeat: boolean;
}

const firstHash = '0'.repeat(64);

export function firstWalk(merchantId: string): PeriodWalk {
  const from = startOf(merchantId);
  const begun = { from, at: from, until: null, tree: emptyTree, isFaulty: false, isRepeat: false };
  return { sealNo: 1, previous: firstHash, lastPeriod: null, period: null, ...begun };
}

/** The walk that begins after this seal. */
export function walkAfter({ content, text }: { content: PositionSeal; text: string }): PeriodWalk {
  const { sealNo, period, to } = content;
  const begun = { from: to, at: to, until: null, tree: emptyTree, isFaulty: false, isRepeat: false };
  return { sealNo: sealNo + 1, previous: hashOfSeal(text), lastPeriod: period, period: null, ...begun };
}

/** The walk that reads the same period again from its beginning. */
export function repeated(walk: PeriodWalk): PeriodWalk {
  return { ...walk, at: walk.from, tree: emptyTree, isFaulty: false, isRepeat: true };
}

/**
 * The period of the rows that follow, by the time of the first. A late row belongs to the period after the last seal,
 * since its number does.
 */
export function periodFor({ lastPeriod }: PeriodWalk, firstAt: number): string {
  const period = periodOf(firstAt);
  return lastPeriod === null || period > lastPeriod ? period : nextPeriod(lastPeriod);
}

/** The time after the end of a month before it is sealed. Its last transactions may still commit, and clocks differ. */
const graceMs = 24 * 60 * 60_000;

/** Whether a period is over, and whether it may be sealed. */
export function stateOf(period: string, now: number): 'current' | 'over' | 'sealable' {
  const end = endOfPeriod(period);
  if (now < end) return 'current';
  return now < end + graceMs ? 'over' : 'sealable';
}
