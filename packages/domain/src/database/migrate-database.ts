import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { openDatabase } from './database.ts';
import { missingMigrations } from './require-schema.ts';
import { grantToRoles } from './role-grants.ts';
import { synchroniseCountries } from './synchronise-countries.ts';

export interface MigrationOptions {
  /**
   * How long a statement may wait for a lock, in milliseconds; default 2,000. Later statements queue behind it for as
   * long.
   */
  lockMs?: number;
  /** How long a statement may take, and how long this waits for another who migrates; default an hour. */
  statementMs?: number;
  /** How often a migration is begun that did not get its lock; default 30. */
  tries?: number;
  /** The pause before the second try in milliseconds, then twice as long each time up to 30 s; default 1,000. */
  pauseMs?: number;
  /** Receives a line for each try that did not get its lock. */
  report?: (line: string) => void;
}

/** The key of the advisory lock for migrations, the same for all versions. */
const MIGRATING = 720140931;
const LONGEST_PAUSE_MS = 30_000;
const ASK_EVERY_MS = 100;

/**
 * Brings the schema of the database at `url` up to date, and the tables of countries with it; returns the names of what ran. Forward only: nothing here goes back.
 * Several at once do it once. What did not get its lock in time is undone and tried again, so that the service
 * never waits longer than `lockMs` for a migration; what ran before it stays. Throws what PostgreSQL says where a try was the last.
 */
export async function migrateDatabase(url: string, options: MigrationOptions = {}): Promise<string[]> {
  const { lockMs = 2_000, statementMs = 3_600_000, tries = 30, pauseMs = 1_000, report = () => undefined } = options;
  const database = await openDatabase(url, { connections: 2, migrating: { lockMs, statementMs } });
  const lock = await database.pool.connect();
  try {
    await takeMigrationLock(lock, statementMs);
    const pending = await missingMigrations(database.pool);
    for (let tried = 1; ; tried += 1) {
      try {
        await database.orm.migrator.up();
        await synchroniseCountries(database.pool);
        await grantToRoles(database.pool);
        return pending;
      } catch (error) {
        if (!isLockConflict(error) || tried >= tries) throw error;
        const pause = Math.min(LONGEST_PAUSE_MS, pauseMs * 2 ** (tried - 1));
        report(
          `A migration did not get its lock within ${lockMs} ms: try ${tried} of ${tries}, the next in ${pause} ms.`,
        );
        await delay(pause);
      }
    }
  } finally {
    // The turn ends with the connection.
    lock.release(true);
    await database.close();
  }
}

/**
 * Waits until nobody else migrates, for `waitMs` at the most. A transaction holds the lock: through PgBouncer nothing else would. It asks again
 * and again, because a statement that waits would hold a snapshot, and an index that is made concurrently waits for all snapshots.
 */
export async function takeMigrationLock(lock: pg.PoolClient, waitMs: number): Promise<void> {
  await lock.query('begin');
  await lock.query('set local idle_in_transaction_session_timeout = 0');
  const deadline = performance.now() + waitMs;
  for (;;) {
    const { rows } = await lock.query<{ isHeld: boolean }>(
      `select pg_try_advisory_xact_lock(${MIGRATING}) as "isHeld"`,
    );
    if (rows[0]?.isHeld) return;
    if (performance.now() > deadline) throw new Error(`another migration has been running for ${waitMs} ms`);
    await delay(ASK_EVERY_MS);
  }
}

/** SQLSTATE lock_not_available, or deadlock_detected: somebody was in the way, and may be gone the next time. */
function isLockConflict(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (['55P03', '40P01'].includes(String((at as { code?: unknown }).code))) return true;
  return false;
}
