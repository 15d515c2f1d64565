import type { StatementFormat } from './statement.ts';

/** The formats that statements may have, by the name under which they are imported. */
export interface StatementAccess {
  statementFormats: Readonly<Record<string, StatementFormat>>;
}
