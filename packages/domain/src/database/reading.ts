import type pg from 'pg';
import type { HasConnections } from './connection-counts.ts';
import { onConnection } from './transaction.ts';

/** For plain reads by merchants and operators, never for decisions. */
export interface Reading extends HasConnections {
  query<Row extends pg.QueryResultRow>(
    statement: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>>;
  /** Several statements on one connection, reserved for `work` until it ends. */
  onConnection<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Reads from the primary, if there is no replica. */
export function readPrimary(pool: pg.Pool): Reading {
  return {
    query: (statement, values) => pool.query(statement, values),
    onConnection: (work) => onConnection(pool, work),
    // It reads with the connections of the primary's pool.
    connections: () => [],
    close: async () => undefined,
  };
}
