import type { StatementRow } from '@tidegate/domain/reconciliation';

/**
 * Thrown for a row that cannot be read. The row is set aside, and the other rows are read. The message contains no
 * value of the row.
 */
export class BadRow extends Error {}

/** Returns the lines of a row, or the reason why it was set aside. Throws every error except BadRow again. */
export function rowsOrUnparsed(lineNo: number, read: () => StatementRow[]): StatementRow[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadRow) return [{ kind: 'unparsed', lineNo, reason: error.message }];
    throw error;
  }
}
