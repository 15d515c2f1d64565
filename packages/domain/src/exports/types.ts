import type { Country, Currency } from '../core/country.ts';
import type { Role } from '../core/operator-rights.ts';
import type { OrderFilter } from '../orders/index.ts';

export const exportKinds = ['orders', 'wallet_statement', 'breaks', 'statement_lines', 'audit_records'] as const;
export type ExportKind = (typeof exportKinds)[number];

/**
 * The roles that may export each kind. Reading a list page by page needs fewer rights, because a file leaves the
 * service.
 */
export const exportRoles: Readonly<Record<ExportKind, readonly Role[]>> = {
  orders: ['support', 'operator', 'finance', 'admin'],
  wallet_statement: ['operator', 'finance', 'admin'],
  breaks: ['finance', 'admin'],
  statement_lines: ['finance', 'admin'],
  audit_records: ['finance', 'admin'],
};

/** Every role that may export anything. */
export const exporters: readonly Role[] = ['support', 'operator', 'finance', 'admin'];

export const exportFormats = ['csv', 'xlsx', 'html'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportStates = ['waiting', 'running', 'ready', 'failed', 'cancelled', 'expired'] as const;
export type ExportState = (typeof exportStates)[number];

export const exportLimits = {
  /** Exports of one operator that wait or are written. */
  open: 3,
  /** Exports of one operator that are stored, in any state. */
  kept: 100,
  /** Bytes of one operator's files together, before another one is accepted. */
  keptBytes: 2 * 1024 ** 3,
  /** Bytes of one file. */
  bytes: 512 * 1024 ** 2,
  /** Rows by format. A sheet of a workbook has at most 1,048,576. A page for print is for people. */
  rows: { csv: 2_000_000, xlsx: 1_000_000, html: 20_000 },
  /** Days that a file is kept. */
  days: 7,
} as const;

export interface Amounts {
  available: string;
  frozen: string;
}

/** A wallet's period, fixed when it is requested: these entries, whatever is booked later. */
export interface ExportedPeriod {
  merchantId: string;
  firstDay: string;
  lastDay: string;
  timeZone: string;
  currency: Currency;
  /** The numbers of its entries: after the first, up to the second. */
  after: number;
  last: number;
  opening: Amounts;
  closing: Amounts;
}

/** A day of the reconciliation. Null: of every channel of the country. */
export interface ExportedDay {
  country: Country;
  channelId: string | null;
  day: string;
}

/** Filter of audit records. */
export interface ExportedRecords {
  merchantIds?: string[] | null | undefined;
  actor?: string | null | undefined;
  actions?: string[] | null | undefined;
  subject?: string | null | undefined;
  from?: number | null | undefined;
  to?: number | null | undefined;
  text?: string | null | undefined;
}

/** What is exported. Times have an end, so that the same rows are written again after a crash. */
export type Exported =
  | { kind: 'orders'; input: OrderFilter }
  | { kind: 'wallet_statement'; input: ExportedPeriod }
  | { kind: 'breaks'; input: ExportedDay }
  | { kind: 'statement_lines'; input: ExportedDay }
  | { kind: 'audit_records'; input: ExportedRecords };

/** An export, without its file. Times are Unix milliseconds. */
export interface DataExport {
  exportId: string;
  kind: ExportKind;
  format: ExportFormat;
  /** State as stored: an expired file is still `ready`, with `isExpired`. */
  state: Exclude<ExportState, 'expired'>;
  isExpired: boolean;
  /** Whose audit records are about it. */
  tenant: string;
  requestedBy: string;
  /** The restriction of the requesting operator at the time of the request. */
  countries: Country[] | null;
  merchantIds: string[] | null;
  /** Name of the file. */
  name: string;
  rowsWritten: number;
  /** About how many rows it will have; null: not known yet. */
  rowsExpected: number | null;
  /** Bytes. */
  size: number;
  sha256: string | null;
  failure: string | null;
  requestedAt: number;
  endedAt: number | null;
  expiresAt: number | null;
}

/** An export that this process writes. `runNo` proves it: a later run has a higher one. */
export type ClaimedExport = Pick<DataExport, 'exportId' | 'format' | 'name' | 'countries' | 'merchantIds'> & {
  runNo: number;
} & Exported;
