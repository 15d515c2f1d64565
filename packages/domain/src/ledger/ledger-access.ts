import type { DatabaseAccess } from '../database/database.ts';
import type { Statements } from './queries.ts';
import type { Commit } from './writer.ts';

/** What reads by the ledger writer's statements need. */
export interface LedgerReadAccess extends DatabaseAccess {
  sql: Statements;
}

/** What callers of the ledger writer need, to send commands and to read their effects. */
export interface LedgerAccess extends LedgerReadAccess {
  commit: Commit;
}
