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
  /** How long a statement may take, and how long to wait for another migration; default an hour. */
  statementMs?: number;
  /** How often a migration that did not get its lock is tried; default 30. */
  tries?: number;
  /** The pause before the second try in milliseconds, then doubled each time up to 30 s; default 1,000. */
  pauseMs?: number;
  /** Receives a line for each try that did not get its lock. */
  report?: (line: string) => void;
}

/** The key of the advisory lock for migrations, the same for all versions. */
const MIGRATING = 720140931;
const MAX_PAUSE_MS = 30_000;
const ASK_EVERY_MS = 100;

/**
 * Runs the missing migrations of the database at `url`, and updates the tables of countries. Returns the names of the
 * migrations that ran. There is no way back. Of several processes at once, one does it. A migration that does not get
 * its lock in time is rolled back and tried again, so that the service never waits longer than `lockMs`. Migrations
 * before it stay. After the last try PostgreSQL's error is thrown.
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
        const pause = Math.min(MAX_PAUSE_MS, pauseMs * 2 ** (tried - 1));
        report(
          `A migration did not get its lock within ${lockMs} ms: try ${tried} of ${tries}, the next in ${pause} ms.`,
        );
        await delay(pause);
      }
    }
  } finally {
    // The lock is released when the connection ends.
    lock.release(true);
    await database.close();
  }
}

/**
 * Waits until no other process migrates, for at most `waitMs`. A transaction holds the lock, because nothing else works
 * through PgBouncer. It asks repeatedly: a waiting statement would hold a snapshot, and an index created concurrently
 * waits for all snapshots.
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

/** SQLSTATE lock_not_available, or deadlock_detected: another session held a lock. The next try may succeed. */
function isLockConflict(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (['55P03', '40P01'].includes(String((at as { code?: unknown }).code))) return true;
  return false;
}
