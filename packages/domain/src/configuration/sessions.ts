import type { OperatorContext } from '../core/operator-rights.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { openLookUp } from '../database/look-up.ts';
import { openBriefCache } from './brief-cache.ts';
import { operatorsOfSessions, writeSessionUse } from './queries.ts';

/** The operator of a session of the console, and the times at which it ends. Times are Unix ms. */
export interface Session {
  operator: OperatorContext;
  /** The operator's name, for people. */
  name: string;
  expiresAt: number;
  /** When it ends if it is not used before. */
  idleExpiresAt: number;
}

/** The sessions of the console. Each is read from the database at most once a second. */
export interface Sessions {
  /**
   * By the hash of the session's id. Null if it is unknown, ended, too old or idle for too long. Null also if its token
   * or identity is no longer valid, or its operator is disabled. What another process changed is known within a second.
   */
  find(sessionHash: string): Promise<Session | null>;
  /** Like `find`, for a request of the operator, which extends the session. */
  use(sessionHash: string): Promise<Session | null>;
  /** Makes a change by this process take effect at once. */
  clearCache(): void;
}

interface Row extends OperatorContext {
  sessionHash: string;
  name: string;
  expiresAt: number;
  lastUsedAt: number;
  isStale: boolean;
}

const keptFor = 1_000;
const capacity = 10_000;
/** The last use is written at most so often, and ten times within the idle time. */
const maxWriteInterval = 60_000;

export interface SessionsOptions {
  /** The time without a request after which a session ends, in ms. */
  idleMs: number;
  /** Called when a last use cannot be written. */
  onError(error: unknown): void;
}

/** Opens the reader of sessions. It need not be closed. */
export function openSessions({ database }: DatabaseAccess, { idleMs, onError }: SessionsOptions): Sessions {
  const { pool } = database;
  const staleMs = Math.min(maxWriteInterval, idleMs / 10);
  const kept = openBriefCache<Row | null>({
    keepMs: keptFor,
    capacity,
    read: openLookUp<Row>(async (hashes) => {
      const { rows } = await pool.query<Row>({ ...operatorsOfSessions, values: [hashes, idleMs, staleMs] });
      return new Map(rows.map((row) => [row.sessionHash, row]));
    }),
  });
  const find = async (sessionHash: string): Promise<Session | null> => {
    const row = await kept.get(sessionHash);
    return row && sessionOf(row, idleMs);
  };
  return {
    find,
    use: async (sessionHash) => {
      const row = await kept.get(sessionHash);
      if (row?.isStale) {
        row.isStale = false;
        // Not awaited: a request does not wait for it, and the next one writes again if it fails.
        pool.query(writeSessionUse, [sessionHash, idleMs]).catch(onError);
      }
      return row && sessionOf(row, idleMs);
    },
    clearCache: () => kept.clear(),
  };
}

function sessionOf({ sessionHash: _, name, lastUsedAt, isStale: __, ...operator }: Row, idleMs: number) {
  const { expiresAt } = operator;
  return { operator, name, expiresAt, idleExpiresAt: Math.min(expiresAt, lastUsedAt + idleMs) };
}
