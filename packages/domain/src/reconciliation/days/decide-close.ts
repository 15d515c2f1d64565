/** The facts that decide whether a day can be closed. */
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
  /** Formats that are expected for the day and have not arrived, each with what is known about it. */
  awaited: readonly string[];
  /** Whether transfers of the day are not expected yet. */
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
    [!day.isOver, 'the day is not over for ten minutes'],
    [day.openBreaks > 0, `${day.openBreaks} breaks are open, over ${day.difference}`],
    [!day.isCovered && day.isUnexplained, 'no statement covers the day'],
    ...day.awaited.map((format): [boolean, string] => [true, `the statement ${format} has not come`]),
    [day.waitingFiles > 0, 'a statement waits for its import'],
    [isMatching, 'the day is being matched: try again in a moment'],
    [day.isCovered && day.isUnexplained && !isMatching, 'a payment of the ledger is neither matched nor a break'],
  ];
  return problems.filter(([isOne]) => isOne).map(([, text]) => text);
}
