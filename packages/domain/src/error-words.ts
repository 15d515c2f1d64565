import { isConnectionLoss, LedgerUnavailable } from './database/connection-loss.ts';
import { WrongEnvironment } from './database/environment.ts';
import { SchemaTooOld } from './database/require-schema.ts';
import { MerchantHeld } from './ledger/index.ts';

/** An error for a person: whether it was refused, whether it may work later, or whether nobody foresaw it. */
export interface ErrorInWords {
  kind: 'refused' | 'unavailable' | 'unexpected';
  text: string;
}

const databaseAway =
  'the database cannot be reached: is it up, and is DATABASE_URL right? Look before you repeat a change';

/** PostgreSQL's errors (SQLSTATE). */
const databaseWords: Readonly<Record<string, readonly [ErrorInWords['kind'], string]>> = {
  '23503': ['refused', 'it names something that does not exist (a merchant, channel or operator): create it first'],
  '23505': ['refused', 'it is there already'],
  '23514': ['refused', 'a value is outside of what is allowed'],
  '22003': ['refused', 'a number is too large'],
  '23001': ['refused', 'the database keeps what is there: it cannot be changed in this way'],
  '42501': [
    'unavailable',
    'the user of DATABASE_URL may not do this: use the user that docs/running/database-roles.md names',
  ],
  '55P03': ['unavailable', 'another session holds what this needs, for example a migration a table. Try again'],
  '57014': ['unavailable', 'a statement took longer than it may. Try again'],
  '3D000': ['unavailable', 'there is no such database: create it, or correct DATABASE_URL'],
  '28P01': ['unavailable', 'the database refuses the user or password of DATABASE_URL'],
  '28000': ['unavailable', 'the database refuses the user of DATABASE_URL'],
  '42P01': ['unavailable', 'a table is missing: migrate the database first'],
  '53100': ['unavailable', 'the disk of the database is full'],
  '53200': ['unavailable', 'the database is out of memory. Try again'],
};

/**
 * Any error in words. The message of a library is never among them: it may hold values of rows, and says nothing to a
 * person. Who answers keeps the error itself in a log.
 */
export function errorInWords(error: unknown): ErrorInWords {
  if (error instanceof SchemaTooOld) return { kind: 'unavailable', text: error.message };
  if (error instanceof WrongEnvironment) return { kind: 'refused', text: error.message };
  if (error instanceof MerchantHeld) return { kind: 'unavailable', text: `${error.message}; try again` };
  const causes = causesOf(error);
  if (causes.some((cause) => cause instanceof LedgerUnavailable || isConnectionLoss(cause) || isOfConnecting(cause)))
    return { kind: 'unavailable', text: databaseAway };
  for (const cause of causes) {
    const [kind, text] = databaseWords[String((cause as { code?: unknown }).code)] ?? [];
    if (kind !== undefined && text !== undefined) return { kind, text };
  }
  return { kind: 'unexpected', text: 'something went wrong that nobody foresaw' };
}

/** A socket file that is missing or closed to us is no error of a file of the person. */
function isOfConnecting(error: unknown): boolean {
  return (error as { syscall?: unknown }).syscall === 'connect';
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at instanceof Error && causes.length < 10; at = at.cause) causes.push(at);
  return causes;
}
