import type { StatementFormat } from './statement.ts';

/**
 * The formats of this process, by the name under which statements are imported. `csv` reads any CSV, by the profile in its options. `findFormat` and
 * `listFormats` have the stored profiles too.
 */
export interface StatementAccess {
  statementFormats: Readonly<Record<string, StatementFormat>>;
}
