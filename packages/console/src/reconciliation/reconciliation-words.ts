import type { Word } from '../format/words.ts';
import type { BreakKind, BreakState, StatementDirection, StatementState } from '../generated/documents.generated.ts';

/** How a statement and the ledger differ, in a few words. */
export const breakKindWords: Readonly<Record<BreakKind, string>> = {
  MISSING_AT_CHANNEL: 'Missing at the channel',
  MISSING_IN_LEDGER: 'Missing in the ledger',
  AMOUNT: 'Other amount',
  CURRENCY: 'Other currency',
  STATUS: 'Order still open',
  DUPLICATE: 'Repeated line',
  FEE: 'Fee of the channel',
  LATE_REVERSAL: 'Late reversal',
  UNPARSED: 'Row that cannot be read',
  BALANCE: 'Balance does not continue',
};

/** States of breaks. */
export const breakStateWords: Readonly<Record<BreakState, Word>> = {
  OPEN: { label: 'Open', tone: 'bad' },
  POSTING: { label: 'Being posted', tone: 'info' },
  MATCHED: { label: 'Explained by itself', tone: 'good' },
  LINKED: { label: 'Linked', tone: 'good' },
  POSTED: { label: 'Posted', tone: 'good' },
  WRITTEN_OFF: { label: 'Written off', tone: 'idle' },
  CHARGED: { label: 'Charged to the merchant', tone: 'idle' },
};

/** States of statements. */
export const statementStateWords: Readonly<Record<StatementState, Word>> = {
  UPLOADING: { label: 'Being uploaded', tone: 'info' },
  UPLOADED: { label: 'Waits for its import', tone: 'warn' },
  RECEIVED: { label: 'Being imported', tone: 'info' },
  IMPORTED: { label: 'Imported', tone: 'good' },
  REFUSED: { label: 'Refused', tone: 'bad' },
};

/** Direction of the money. */
export const directionWords: Readonly<Record<StatementDirection, string>> = { IN: 'To us', OUT: 'From us' };

/** Age of a break: days since the expected day. */
export const ageWords = {
  upTo1Day: 'Up to 1 day',
  days2to3: '2 or 3 days',
  days4to7: '4 to 7 days',
  over7Days: 'More than 7 days',
} as const;
