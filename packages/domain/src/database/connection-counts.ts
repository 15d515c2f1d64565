import type pg from 'pg';

/** The pools of connections to PostgreSQL that a process may have. Each has connections of its own. */
export type ConnectionPool = 'primary' | 'ledger' | 'reconciliation' | 'replica' | 'audit' | 'seals';

/** The connections of one pool now. */
export interface ConnectionCounts {
  pool: ConnectionPool;
  used: number;
  idle: number;
  /** Callers that wait for a connection. */
  waiting: number;
  /** The most connections. */
  limit: number;
}

/** Something that has connections to PostgreSQL. */
export interface HasConnections {
  connections(): readonly ConnectionCounts[];
}

export function countConnections(pool: ConnectionPool, counted: pg.Pool): ConnectionCounts {
  const { totalCount, idleCount, waitingCount, options } = counted;
  return { pool, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, limit: options.max };
}
