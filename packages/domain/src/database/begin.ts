import type pg from 'pg';

/** Reads everything as of one moment. */
export const beginSnapshot = 'begin isolation level repeatable read read only';

/** How a batch's transaction takes its locks. */
export interface Locking {
  /**
   * Skips merchants whose wallet another session holds. Otherwise it waits for them, in sorted order, so that of two
   * batches that wait for each other's wallets one can go on.
   */
  skipHeld: boolean;
  /** How long one statement may wait for a lock, in ms. Then it fails with SQLSTATE 55P03. Null: as the connection has it. */
  lockMs: number | null;
  /** Further settings of the transaction, e.g. `transaction_timeout = 10000`. */
  settings?: readonly string[];
}

/**
 * The ledger writer finds all rows by key. A plan from the time when a table was small could read a merchant's whole
 * history, so such plans are disabled. Plans for array parameters are kept too. Otherwise PostgreSQL would plan at each
 * call, which took longer than the work.
 */
export const planningByKey = `set local plan_cache_mode = force_generic_plan;
set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_bitmapscan = off`;
export const begin = `begin; ${planningByKey}`;

/**
 * After this time without a statement, in ms, the server ends a session within a transaction. Its process is frozen,
 * and others wait for its rows.
 */
const silentMs = 750;

/**
 * Settings of a transaction that locks wallets. They limit its waits, and how long a silent process holds the locks.
 */
export function boundsOfHolding({ lockMs, settings = [] }: Pick<Locking, 'lockMs' | 'settings'>): string {
  const own = lockMs === null ? [] : [`lock_timeout = ${lockMs}`];
  const bounds = [...own, `idle_in_transaction_session_timeout = ${silentMs}`, ...settings];
  return bounds.map((setting) => `set local ${setting}`).join('; ');
}

/** Begins a transaction of the ledger writer. */
export function beginHolding(bounds: Pick<Locking, 'lockMs' | 'settings'>): string {
  return `${begin}; ${boundsOfHolding(bounds)}`;
}

/**
 * Limits that newer PostgreSQL versions have, by version: the length of a transaction, and how soon the server notices
 * a lost client.
 */
const optionalBounds = { transaction_timeout: 15_000, client_connection_check_interval: 1_000 };

/** The settings of `optionalBounds` that this server supports. */
export async function boundsThatServerHas(pool: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from pg_settings where name = any($1)', [
    Object.keys(optionalBounds),
  ]);
  const has = new Set(rows.map(({ name }) => name));
  return Object.entries(optionalBounds).flatMap(([name, ms]) => (has.has(name) ? [`${name} = ${ms}`] : []));
}
