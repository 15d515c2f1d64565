import type { BreakDetailQuery, BreakKind } from '../generated/documents.generated.ts';

/** A break as its page reads it. */
export type BreakDetail = NonNullable<BreakDetailQuery['reconciliationBreak']>;

/** The subject of its audit records and approvals. */
export function subjectOfBreak(breakNo: number | string): string {
  return `break ${breakNo}`;
}

/** What happened. */
const breakStories: Readonly<Record<BreakKind, string>> = {
  MISSING_AT_CHANNEL: 'The ledger expects this movement, and no statement shows it.',
  MISSING_IN_LEDGER: 'The statement shows money that the ledger does not have.',
  AMOUNT: 'Statement and ledger have the same movement with different amounts.',
  CURRENCY: 'The statement shows another currency than the country has.',
  STATUS: 'The channel was paid, or paid, for an order that is still open here.',
  DUPLICATE: 'The same movement is there a second time.',
  FEE: 'The channel charged this.',
  LATE_REVERSAL: 'Money of an earlier movement came back, and the ledger does not know it.',
  UNPARSED: 'A row of the file cannot be read.',
  BALANCE: 'The statement does not open with the balance with which the one before has closed.',
};

/** What an operator has to find out, and what a decision does, while the break is open. */
const breakTasks: Readonly<Record<BreakKind, string>> = {
  MISSING_AT_CHANNEL: 'The next file may. If none will, post the difference.',
  MISSING_IN_LEDGER: 'Posted, a payment enters as if the channel had reported it.',
  AMOUNT: 'Ask the channel which one is right.',
  CURRENCY: 'Nothing is converted or posted. Ask the channel, then write it off.',
  STATUS: 'Posted, the order completes.',
  DUPLICATE: 'If the file only repeats it, link it. If money moved twice, post it.',
  FEE: 'Compare it with its price list, then post it.',
  LATE_REVERSAL: 'Posted, it opens a case.',
  UNPARSED: 'Look into the file, or get a better one, then write it off.',
  BALANCE:
    'Import the missing statement. If the balance was wrong in the file, link it. If money moved that no statement will show, post it.',
};

/** A refund is no return of a payout: it opens no case, and no wallet pays it. */
const refund = {
  story: 'The channel refunded an earlier payment, and the ledger does not know it.',
  task: 'Posted, it goes to the variance account: no case opens, and no wallet pays it. If its merchant has to bear it, correct that wallet against the variance too.',
};

/** What happened; of an open break also what an operator has to find out. */
export function storyOfBreak({ kind, state, line }: Pick<BreakDetail, 'kind' | 'state' | 'line'>): string {
  const isRefund = kind === 'LATE_REVERSAL' && line?.type === 'refund';
  const story = isRefund ? refund.story : breakStories[kind];
  if (state !== 'OPEN') return story;
  return `${story} ${isRefund ? refund.task : breakTasks[kind]}`;
}
