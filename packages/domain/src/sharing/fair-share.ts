/** An owner may hold this many times what is free. */
const timesFree = 3;

/**
 * Whether an owner that holds `held` of a pool may have one more, while `free` are free. One owner alone gets three
 * quarters of the pool, and the more owners there are the less each gets (the dynamic thresholds of network switches).
 * The last free one is kept for an owner that holds none.
 */
export function mayHold(held: number, free: number): boolean {
  return held === 0 ? free > 0 : held < timesFree * (free - 1);
}
