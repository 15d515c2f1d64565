import type { BreakDetail } from './break-detail.ts';

export type Line = NonNullable<BreakDetail['line']>;

const possible: ReadonlySet<string> = new Set(['payin', 'unknown', 'adjustment']);

/**
 * The line of an open break that looks like a top-up that nobody has booked: money that came in without an order. Null: another break, or one whose
 * money was decided already. A top-up would credit that money a second time.
 */
export function lineOfTopUp({
  kind,
  state,
  line,
  names,
}: Pick<BreakDetail, 'kind' | 'state' | 'line' | 'names'>): Line | null {
  if (state !== 'OPEN' || kind !== 'MISSING_IN_LEDGER' || line === null || names !== null) return null;
  return line.direction === 'IN' && line.orderNo === null && possible.has(line.type) ? line : null;
}

/** A reference as the number of a booking, which has no blanks. */
export function bookingNoOf({ bankRef, channelRef }: Pick<Line, 'bankRef' | 'channelRef'>): string {
  return (bankRef ?? channelRef ?? '').replace(/[^!-~]+/g, '-').slice(0, 64);
}
