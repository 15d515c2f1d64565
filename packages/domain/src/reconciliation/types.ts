import type { Account } from '../core/ledger.ts';

/** Why a statement and the ledger differ. */
export const breakKinds = [
  'missing_at_channel',
  'missing_in_ledger',
  'amount',
  'currency',
  'status',
  'duplicate',
  'fee',
  'late_reversal',
  'unparsed',
  'balance',
] as const;
export type BreakKind = (typeof breakKinds)[number];

/**
 * `posting`: two operators agreed to enter it as the channel's report, and the ledger has not shown it yet. `matched`: a later file or transfer
 * explained it. The other ends are decisions of two operators. `charged`: the merchant bears money that never came.
 */
export const breakStates = ['open', 'posting', 'matched', 'linked', 'posted', 'written_off', 'charged'] as const;
export type BreakState = (typeof breakStates)[number];

/** How long ago a break was expected, in days of the country's time zone: at least and at most. */
export const breakAges = {
  days_0_1: [0, 1],
  days_2_3: [2, 3],
  days_4_7: [4, 7],
  days_8_up: [8, null],
} as const satisfies Record<string, readonly [number, number | null]>;
export type BreakAge = keyof typeof breakAges;

/** The open breaks of one age. `amount`: without signs, decimal text. */
export interface BreaksOfAge {
  merchantId: string;
  age: BreakAge;
  breaks: number;
  amount: string;
}

/** A difference between statement and ledger. `merchantId` is the platform's tenant of the country. */
export interface Break {
  merchantId: string;
  breakNo: number;
  channelId: string;
  /** The day on which it is expected, `YYYY-MM-DD` in the country's time zone. */
  day: string;
  subject: string;
  kind: BreakKind;
  state: BreakState;
  /**
   * The difference that the statement shows beyond the ledger: decimal text with its sign, in the currency of the
   * country.
   */
  amount: string;
  fileNo: number | null;
  lineNo: number | null;
  part: number | null;
  /** The merchant of the expected transfers, and the number of the first of them. */
  ownerId: string | null;
  transferNo: number | null;
  /** The merchant that was credited money of the platform, and the transfer that brought it; null: the money is not the platform's, or nobody was. */
  creditedId: string | null;
  creditedTransferNo: number | null;
  /** What of its amount the platform bears, with its sign. */
  writtenOff: string;
  /** The account to which the rest of it was posted, and to which what answers it is posted. Null: nothing was posted. */
  account: Account | null;
  orderNo: string | null;
  /** The first of several days that it is about, `YYYY-MM-DD`; null: only `day`. */
  since: string | null;
  /** The settlement or bank file that its line names; null: none, or several. */
  names: string | null;
  /** The break that had ended about the same money. Posting this one gives the money back to those who bear it. Null: there is none. */
  answers: number | null;
  /** The match of a line that is gone, which a later line can take over. Null: there is none. */
  matchNo: number | null;
  decidedBy: string | null;
  approver: string | null;
  reason: string | null;
  openedAt: number;
  decidedAt: number | null;
  closedAt: number | null;
}

export const fileStates = ['uploading', 'uploaded', 'received', 'imported', 'refused'] as const;
export type FileState = (typeof fileStates)[number];

/** A statement as it was uploaded, and what was read from it. Days are `YYYY-MM-DD`, amounts decimal text. */
export interface StatementFile {
  merchantId: string;
  fileNo: number;
  state: FileState;
  channelId: string | null;
  format: string | null;
  formatVersion: number | null;
  name: string;
  size: number;
  sha256: string | null;
  /** Why it was refused as a whole. */
  refusal: string | null;
  lines: number | null;
  /** Rows that cannot be read; each is a break. */
  unparsed: number | null;
  firstDay: string | null;
  lastDay: string | null;
  /** The last day of which it says that it shows all. Null: not imported yet. */
  coveredUntil: string | null;
  totalIn: string | null;
  totalOut: string | null;
  opening: string | null;
  closing: string | null;
  uploadedBy: string;
  /** The operators who had it imported. They confirm it as little as who uploaded it. */
  importedBy: readonly string[];
  uploadedAt: number;
  importedAt: number | null;
  /** The day for which it was fetched; null: it was uploaded. */
  fetchedDay: string | null;
  /** The operator who confirmed that this upload of another one is the bank's. Null: nobody did, or it was fetched. */
  confirmedBy: string | null;
  confirmedAt: number | null;
  /** When its bytes were deleted; its hash and lines stay. */
  contentDeletedAt: number | null;
}

/** A day of a channel. `difference`: the open breaks' amounts without their signs. */
export interface ReconciliationDay {
  merchantId: string;
  channelId: string;
  day: string;
  state: 'open' | 'closed';
  isCovered: boolean;
  /** It waits for matching, or is being matched. The API calls it `isMatching`. */
  isDue: boolean;
  /** Why a statement could not be fetched so far. */
  missingStatement: string | null;
  lines: number;
  statementNet: string;
  expectations: number;
  ledgerNet: string;
  tolerated: string;
  openBreaks: number;
  /** Lines that are matched, or whose break has ended; null while the day is being matched. */
  explainedLines: number | null;
  difference: string;
  /** When its oldest open break was opened, Unix ms. */
  oldestOpenAt: number | null;
  closedBy: string | null;
  approver: string | null;
  closedAt: number | null;
  reopenedBy: string | null;
  reopenedAt: number | null;
}
