import type { Chosen } from './choose-seals.ts';
import { beginWalk, type VerifyWalk } from './verify-seals.ts';

/** Snapshots that are read at the same time, and seals and rows of each. */
const lanes = 2;
const sealsPerLane = 40;
const rowsPerLane = 8_000;

/**
 * The walks of one step by their snapshots, each seal of another merchant: first those that were begun, then chosen
 * ones as far as there is room. Returns also the chosen ones that have to wait.
 */
export function fillWalks(
  begun: readonly VerifyWalk[],
  chosen: readonly Chosen[],
): { lanes: VerifyWalk[][]; waiting: Chosen[] } {
  const filled = Array.from({ length: lanes }, (): { walks: VerifyWalk[]; rows: number } => ({ walks: [], rows: 0 }));
  const merchants = new Set<string>();
  const place = (walk: VerifyWalk, rows: number): boolean => {
    const lane = filled.toSorted((a, b) => a.rows - b.rows || a.walks.length - b.walks.length)[0];
    if (!lane || merchants.has(walk.merchantId)) return false;
    if (lane.walks.length > 0 && (lane.rows + rows > rowsPerLane || lane.walks.length >= sealsPerLane)) return false;
    merchants.add(walk.merchantId);
    lane.walks.push(walk);
    lane.rows += rows;
    return true;
  };
  for (const walk of begun) place(walk, 0);
  for (const lane of filled) lane.rows = lane.walks.length > 0 ? rowsPerLane / 2 : 0;
  const waiting = chosen.filter((seal) => !place(beginWalk(seal), seal.rows));
  return { lanes: filled.map(({ walks }) => walks).filter((walks) => walks.length > 0), waiting };
}
