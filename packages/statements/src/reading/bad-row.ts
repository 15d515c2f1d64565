import type { StatementRow } from '@tidegate/domain/reconciliation';

/** Thrown while one row is read: the row is set aside, and the others go on. The message has no value of the row. */
export class BadRow extends Error {}

/** The lines of a row, or that it was set aside. Anything but a BadRow is thrown on. */
export function rowsOrUnparsed(lineNo: number, read: () => StatementRow[]): StatementRow[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadRow) return [{ kind: 'unparsed', lineNo, reason: error.message }];
    throw error;
  }
}
