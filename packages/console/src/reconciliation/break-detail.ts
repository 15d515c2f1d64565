import type { BreakDetailQuery, BreakKind } from '../generated/documents.generated.ts';

/** A break as its page reads it. */
export type BreakDetail = NonNullable<BreakDetailQuery['reconciliationBreak']>;

/** The subject of its audit records and approvals. */
export function subjectOfBreak(breakNo: number | string): string {
  return `break ${breakNo}`;
}

/** What happened, and what an operator has to find out. */
export const breakStories: Readonly<Record<BreakKind, string>> = {
  MISSING_AT_CHANNEL:
    'The ledger expects this movement, and no statement shows it. The next file may. If none will, post the difference.',
  MISSING_IN_LEDGER:
    'The statement shows money that the ledger does not have. Posted, a payment enters as if the channel had reported it.',
  AMOUNT: 'Statement and ledger have the same movement with different amounts. Ask the channel which one is right.',
  CURRENCY:
    'The statement shows another currency than the country has. Nothing is converted or posted. Ask the channel, then write it off.',
  STATUS: 'The channel was paid, or paid, for an order that is still open here. Posted, the order completes.',
  DUPLICATE:
    'The same movement is there a second time. If the file only repeats it, link it. If money moved twice, post it.',
  FEE: 'The channel charged this. Compare it with its price list, then post it.',
  LATE_REVERSAL: 'Money of an earlier movement came back, and the ledger does not know it. Posted, it opens a case.',
  UNPARSED: 'A row of the file cannot be read. Look into the file, or get a better one, then write it off.',
};
