/** The facts that decide whether a day can be closed. */
export interface DayFacts {
  /** Whether a statement covers the day. */
  isCovered: boolean;
  /** Whether the statements show only the beginning of the day. */
  isPart: boolean;
  /** Whether the day waits to be matched. */
  isDue: boolean;
  /** Whether the day ended at least ten minutes ago. */
  isOver: boolean;
  /** Whether the ledger expects a payment that is neither matched nor a break. */
  isUnexplained: boolean;
  /** Whether the balances of statements before and after it do not continue, so that money moved that none shows. */
  hasGap: boolean;
  /** The open breaks of the day itself. */
  openBreaks: number;
  /** The sum of the amounts of the open breaks, without their signs, as decimal text. */
  difference: string;
  /** Statements of the channel that wait for their import. */
  waitingFiles: number;
  /** Statements that are expected for the day and have not arrived: the format, and the last error. */
  awaited: readonly string[];
  /** Whether transfers of the day are not yet among the expected payments. */
  isBehind: boolean;
}

/** Why a day cannot be closed, as a text for operators: the first problem; null if it can be closed. */
export function problemOfClosing(day: DayFacts): string | null {
  return problemsOfClosing(day)[0] ?? null;
}

/** Everything that has to be done before a day can be closed, as texts for operators. */
export function problemsOfClosing(day: DayFacts): string[] {
  const isMatching = day.isDue || day.isBehind;
  const problems: [isOne: boolean, text: string][] = [
    [!day.isOver, 'the day is not over, or ended less than ten minutes ago'],
    [day.openBreaks > 0, `${day.openBreaks} breaks are open, over ${day.difference}`],
    [!day.isCovered && day.isUnexplained, 'no statement covers the day'],
    [day.isPart, 'the statement shows only a part of the day: import one of the whole day'],
    [day.hasGap && day.openBreaks === 0, 'the next statement does not open with the balance of this day'],
    ...day.awaited.map((format): [boolean, string] => [true, `the statement ${format} has not come`]),
    [day.waitingFiles > 0, 'a statement waits for its import'],
    [isMatching, 'the day is being matched: try again in a moment'],
    [day.isCovered && day.isUnexplained && !isMatching, 'a payment of the ledger is neither matched nor a break'],
  ];
  return problems.filter(([isOne]) => isOne).map(([, text]) => text);
}
