/** The largest statement, in bytes. No format has a limit of its own. */
export const largestStatement = 512 * 1024 * 1024;

/** How many bytes of a file its format is recognised by. */
export const startOfFile = 64 * 1024;

/** The type of a row, in the words of this service. `unknown`: the format's table does not have the row's type. */
export type StatementLineType =
  | 'payin'
  | 'payout'
  | 'refund'
  | 'payout_return'
  | 'fee'
  | 'settlement'
  | 'adjustment'
  | 'unknown';

type Direction = 'in' | 'out';

/** Where the money of a line goes, by its type. Fees, settlements and adjustments go both ways. */
const directions: Partial<Record<StatementLineType, { own: Direction; otherWay: StatementLineType }>> = {
  payin: { own: 'in', otherWay: 'refund' },
  payout: { own: 'out', otherWay: 'payout_return' },
  refund: { own: 'out', otherWay: 'unknown' },
  payout_return: { own: 'in', otherWay: 'unknown' },
};

/**
 * The type of a line whose money goes in this direction. Banks take a received payment back with its own code, as a
 * debit, and one that was sent as a credit.
 */
export function typeOfDirection(type: StatementLineType, direction: Direction): StatementLineType {
  const rule = directions[type];
  return rule === undefined || rule.own === direction ? type : rule.otherWay;
}

/**
 * One row of a statement. Amounts are decimal text with two decimals, never negative; `direction` says whether money
 * came to us or left.
 */
export interface StatementLine {
  /** Number of the row in the file, from 1. Unique within the file together with `part`. */
  lineNo: number;
  /** 0, or the place of this line in a row that has several (batches). */
  part: number;
  type: StatementLineType;
  direction: 'in' | 'out';
  /** gross = net + fee + tax for money that came in; net = gross + fee + tax for money that left. */
  gross: string;
  fee: string;
  tax: string;
  net: string;
  currency: string;
  /** Unix milliseconds, or null where the statement has only a date. */
  occurredAt: number | null;
  /** The statement's own day, `YYYY-MM-DD`. */
  bookedOn: string;
  channelRef: string | null;
  orderNo: string | null;
  bankRef: string | null;
  settlementRef: string | null;
  /** Balance after the line where the format has one; may be negative. */
  balanceAfter: string | null;
}

/**
 * The totals and balances that the statement itself contains, else null. It comes after its lines. A file with several
 * statements has several summaries.
 */
export interface StatementSummary {
  account: string | null;
  currency: string | null;
  /** First and last day, `YYYY-MM-DD`, both included. */
  from: string | null;
  to: string | null;
  /** The last day that it shows as a whole, where it says that it ends within its last day. */
  wholeTo?: string | null;
  /** Balances may be negative. */
  opening: string | null;
  closing: string | null;
  /** Rows of the file, unparsed ones included; the parts of a row count once. */
  lines: number | null;
  /** Sums of `net`. */
  totalIn: string | null;
  totalOut: string | null;
}

export type StatementRow =
  | { kind: 'line'; line: StatementLine }
  /** A row that cannot be read. It alone is set aside; `reason` has no personal data. */
  | { kind: 'unparsed'; lineNo: number; reason: string }
  | { kind: 'summary'; summary: StatementSummary };

/** Reads one kind of statement. Memory does not grow with the file. */
export interface StatementFormat {
  name: string;
  /** Raised when the reading changes: stored with each line. */
  version: number;
  /**
   * Whether a file with these first bytes (`startOfFile` or fewer) may be of this format. It proposes the format to operators, and never throws.
   */
  recognises(start: Uint8Array, profile?: CsvProfile): boolean;
  /**
   * Throws StatementUnreadable if the file as a whole is not of this format, is too large, or is damaged. That may be
   * after lines were read: such a file must not be used at all.
   */
  read(bytes: AsyncIterable<Uint8Array>, options: StatementOptions): AsyncIterable<StatementRow>;
}

export interface StatementOptions {
  currency: string;
  /** IANA time zone of times without one. */
  timeZone: string;
  /** Columns of a CSV; only the format `csv` needs it. */
  profile?: CsvProfile;
}

/** What the columns of a CSV mean. Column names are compared without case and outer spaces. */
export interface CsvProfile {
  name: string;
  /** Raised when the profile changes. */
  version: number;
  /** `windows-874` is also TIS-620 of Thailand. */
  encoding: 'utf-8' | 'utf-16le' | 'gbk' | 'windows-1252' | 'windows-874';
  delimiter: ',' | ';' | '\t' | '|';
  /** How many rows may come before the row of column names. */
  preambleRows: number;
  /** How many rows at the end are no lines, for example totals. */
  trailerRows: number;
  /** The decimal sign. The other one of `.` and `,` groups digits. */
  decimalSign: '.' | ',';
  /** `yyyy`, `yy`, `MM`, `MMM` (English), `dd`, `HH`, `hh`, `mm`, `ss` and `a` (AM, PM); anything else is itself. */
  dateFormat: string;
  /** The era of its years; Gregorian by default. */
  calendar?: 'gregorian' | 'buddhist';
  columns: CsvColumns;
  direction: CsvDirection;
  /**
   * What a minus means where the direction is said in another way. `out`: amounts that left, and charges, are written with
   * it. `reversal`: it turns the direction round. By default such a row is set aside. A balance column proves the choice.
   */
  negative?: 'out' | 'reversal';
  /** What the words of the type column mean, and which way money goes if `direction` is `by: 'type'`. */
  types: Readonly<Record<string, { type: StatementLineType; direction?: 'in' | 'out' }>>;
  /**
   * The column that says whether money moved. Rows with a word of `none` are no lines, for example failed payments. Rows
   * with a word that is in neither list, or without one, are set aside.
   */
  status?: { column: string; money: readonly string[]; none: readonly string[] };
}

/** Names of columns. Without `gross`, the amount of a row is in `in` or `out`. */
export interface CsvColumns {
  date: string;
  /** A second column, which is added to the date after a space. */
  time?: string;
  gross?: string;
  in?: string;
  out?: string;
  fee?: string;
  tax?: string;
  net?: string;
  currency?: string;
  type?: string;
  direction?: string;
  channelRef?: string;
  orderNo?: string;
  bankRef?: string;
  settlementRef?: string;
  balanceAfter?: string;
  /** A text in which our order number may be. */
  text?: string;
}

/** Direction of the money. */
export type CsvDirection =
  /** Negative amounts left. */
  | { by: 'sign' }
  /** The amount is in one of the columns `in` and `out`. */
  | { by: 'columns' }
  /** The column `direction` has one of these words. */
  | { by: 'words'; in: readonly string[]; out: readonly string[] }
  /** The type of the row decides. */
  | { by: 'type' };

/** Why a file is refused as a whole. */
export type UnreadableReason = 'other_format' | 'too_large' | 'too_costly' | 'damaged' | 'totals_differ';

/** A file that cannot be used. The message says what is wrong and where, and has no personal data. */
export class StatementUnreadable extends Error {
  override readonly name = 'StatementUnreadable';
  readonly reason: UnreadableReason;
  /** The message without the row. */
  readonly detail: string;
  /** Number of the row in which it was noticed, from 1; null if it belongs to no row. */
  readonly lineNo: number | null;

  constructor(reason: UnreadableReason, message: string, lineNo: number | null = null) {
    super(lineNo === null ? message : `row ${lineNo}: ${message}`);
    this.reason = reason;
    this.detail = message;
    this.lineNo = lineNo;
  }
}

/** A file that could not be read for a reason that is not in the file. It can be read later. */
export class StatementNotRead extends Error {
  override readonly name = 'StatementNotRead';
}
