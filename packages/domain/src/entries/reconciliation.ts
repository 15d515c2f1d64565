// What a reader of statements implements.

export { guarded } from '../boundary/guarded.ts';
export { numbersIn } from '../core/order-number.ts';
export { formatOfProfile, nameOfProfile } from '../reconciliation/formats/profile-format.ts';
export { readCsvProfile, sameName } from '../reconciliation/formats/profile-schema.ts';
export {
  type CsvColumns,
  type CsvDirection,
  type CsvProfile,
  largestStatement,
  type StatementFormat,
  type StatementLine,
  type StatementLineType,
  StatementNotRead,
  type StatementOptions,
  type StatementRow,
  type StatementSummary,
  StatementUnreadable,
  startOfFile,
  typeOfDirection,
  type UnreadableReason,
} from '../reconciliation/statement.ts';
