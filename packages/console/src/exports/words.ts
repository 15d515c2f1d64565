import type { Word } from '../format/words.ts';
import type { ExportKind, ExportPartsFragment, ExportState } from '../generated/documents.generated.ts';

/** States of exports in plain words. */
export const exportStateWords: Readonly<Record<ExportState, Word>> = {
  WAITING: { label: 'Waits', tone: 'info' },
  RUNNING: { label: 'Is being written', tone: 'info' },
  READY: { label: 'Ready', tone: 'good' },
  FAILED: { label: 'Failed', tone: 'bad' },
  CANCELLED: { label: 'Cancelled', tone: 'idle' },
  EXPIRED: { label: 'Deleted', tone: 'idle' },
};

/** What is exported. */
export const exportKindWords: Readonly<Record<ExportKind, string>> = {
  ORDERS: 'Orders',
  WALLET_STATEMENT: 'Wallet statement',
  BREAKS: 'Breaks of a day',
  STATEMENT_LINES: 'Statement lines of a day',
  AUDIT_RECORDS: 'Audit records',
};

/** Whether a worker still has to work on the export. */
export function isOpen({ state }: Pick<ExportPartsFragment, 'state'>): boolean {
  return state === 'WAITING' || state === 'RUNNING';
}

/** The progress of an export: the number of rows, and the expected number. */
export function progressOf({ rowsWritten, rowsExpected }: ExportPartsFragment): string {
  const rows = rowsWritten.toLocaleString('en');
  return rowsExpected === null ? `${rows} rows` : `${rows} of ${rowsExpected.toLocaleString('en')} rows`;
}
