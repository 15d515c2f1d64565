import type pg from 'pg';

/** How a batch's transaction takes its locks. */
export interface Locking {
  /** Leaves out merchants whose wallet another session holds. Else it waits for them, which only a batch of one merchant may do: it holds nothing meanwhile. */
  skipHeld: boolean;
  /** How long one statement may wait for a lock, in ms; then it fails with SQLSTATE 55P03. */
  lockMs: number;
  /** Further settings of the transaction, e.g. `transaction_timeout = 10000`. */
  settings?: readonly string[];
}

/**
 * Everything in the ledger writer is found by key. The planner, which plans a prepared statement once and perhaps while a table is still
 * small, is kept from reading a merchant's whole history instead; and from planning each time anew what takes an array, which it takes to be
 * cheaper when it knows how long that is: that took longer than the work.
 */
export const begin = `begin; set local plan_cache_mode = force_generic_plan;
set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_bitmapscan = off`;

/** A session that says nothing within its transaction for so long, in ms, is ended by the server: its process is frozen, and others wait for its rows. */
const silentMs = 2_000;

/** Settings of a transaction that holds wallets: bounded in what it waits for, and in how long a process that says nothing holds them. */
export function boundsOfHolding({ lockMs, settings = [] }: Pick<Locking, 'lockMs' | 'settings'>): string {
  const bounds = [`lock_timeout = ${lockMs}`, `idle_in_transaction_session_timeout = ${silentMs}`, ...settings];
  return bounds.map((setting) => `set local ${setting}`).join('; ');
}

/** Begins a transaction of the ledger writer. */
export function beginHolding(bounds: Pick<Locking, 'lockMs' | 'settings'>): string {
  return `${begin}; ${boundsOfHolding(bounds)}`;
}

/** Further bounds of transactions, by the version that has them: how long one may last, and how soon a server sees that its client is gone. */
const optionalBounds = { transaction_timeout: 15_000, client_connection_check_interval: 1_000 };

/** The settings of `optionalBounds` that this server has. */
export async function boundsThatServerHas(pool: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from pg_settings where name = any($1)', [
    Object.keys(optionalBounds),
  ]);
  const has = new Set(rows.map(({ name }) => name));
  return Object.entries(optionalBounds).flatMap(([name, ms]) => (has.has(name) ? [`${name} = ${ms}`] : []));
}
