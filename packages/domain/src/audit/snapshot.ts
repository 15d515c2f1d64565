import type pg from 'pg';
import { asItIs } from '../database/answer-limit.ts';
import { beginSnapshot } from '../database/begin.ts';
import { inTransaction } from '../database/transaction.ts';

/** The part of `DatabaseAccess` that reading needs, for threads without the ORM. */
export interface PoolAccess {
  database: { pool: Pick<pg.Pool, 'connect'> };
}

export type Read = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

/**
 * Everything is found by key here. The planner is kept from reading whole tables instead, whatever it believes of their sizes; compiling such
 * plans would take longer than running them.
 */
const begin = `${beginSnapshot};
set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_bitmapscan = off; set local jit = off`;

/**
 * Reads in one snapshot of the database, also what has not its shape: that is a finding, and must not hide others. Otherwise concurrent changes would look like violations.
 */
export function inSnapshot<T>(domain: PoolAccess, use: (read: Read) => Promise<T>): Promise<T> {
  const work = (client: pg.PoolClient) =>
    use(
      async <Row extends object>(text: string, values: unknown[]) =>
        (await client.query<Row>(asItIs({ text, values }))).rows,
    );
  return inTransaction(domain.database.pool, work, { begin });
}
