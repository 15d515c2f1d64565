import type { DatabaseAccess } from '../database/database.ts';
import type { Statements } from './statements.ts';
import type { Commit } from './writer.ts';

/** For what reads by the ledger writer's statements. */
export interface LedgerReadAccess extends DatabaseAccess {
  sql: Statements;
}

/** For what gives commands to the ledger writer, and reads what they did. */
export interface LedgerAccess extends LedgerReadAccess {
  commit: Commit;
}
