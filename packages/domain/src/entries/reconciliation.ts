// What a reader of statements implements.

export {
  type CsvColumns,
  type CsvDirection,
  type CsvProfile,
  largestStatement,
  type StatementFormat,
  type StatementLine,
  type StatementLineType,
  type StatementOptions,
  type StatementRow,
  type StatementSummary,
  StatementUnreadable,
  type UnreadableReason,
} from '../reconciliation/statement.ts';
