/** What decides whether a day can be closed. */
export interface DayFacts {
  isCovered: boolean;
  isDue: boolean;
  isOver: boolean;
  /** Whether the ledger expects a payment that is neither matched nor a break. */
  isUnexplained: boolean;
  openBreaks: number;
  /** The amounts of the open breaks without their signs, decimal text. */
  difference: string;
  /** Statements of the channel that wait for their import. */
  waitingFiles: number;
  /** Whether transfers of the day are not expected yet. */
  isBehind: boolean;
}

/** Why a day cannot be closed, in words for operators; null if it can. */
export function problemOfClosing(day: DayFacts): string | null {
  if (!day.isOver) return 'the day is not over for ten minutes';
  if (day.openBreaks > 0) return `${day.openBreaks} breaks are open, over ${day.difference}`;
  if (!day.isCovered && day.isUnexplained) return 'no statement covers the day';
  if (day.waitingFiles > 0) return 'a statement waits for its import';
  if (day.isDue || day.isBehind) return 'the day is being matched: try again in a moment';
  return day.isUnexplained ? 'a payment of the ledger is neither matched nor a break' : null;
}
