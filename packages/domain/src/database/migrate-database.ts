import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Environment } from '../core/environment.ts';
import { passesAdvisoryLock } from './advisory-locks.ts';
import { migrationTable, openDatabase } from './database.ts';
import { refuseOtherEnvironment, settleEnvironment } from './environment.ts';
import { missingMigrations } from './require-schema.ts';
import { grantToRoles } from './role-grants.ts';
import { synchroniseCountries } from './synchronise-countries.ts';

export interface MigrationOptions {
  /** What the database is for. The first migration decides it permanently. Default: sandbox. */
  environment?: Environment;
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
 * before it stay. After the last try PostgreSQL's error is thrown. A database of another environment is not touched:
 * `WrongEnvironment`.
 */
export async function migrateDatabase(url: string, options: MigrationOptions = {}): Promise<string[]> {
  const { lockMs = 2_000, statementMs = 3_600_000, tries = 30, pauseMs = 1_000, report = () => undefined } = options;
  const { environment = 'sandbox' } = options;
  const database = await openDatabase(url, { connections: 2, migrating: { lockMs, statementMs } });
  const lock = await database.pool.connect();
  try {
    await takeMigrationLock(lock, statementMs, report);
    const pending = await missingMigrations(database.pool);
    await refuseOtherEnvironment(database.pool, environment);
    for (let tried = 1; ; tried += 1) {
      try {
        await database.orm.migrator.up();
        await settleEnvironment(database.pool, environment);
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
 * waits for all snapshots. Anyone can take an advisory lock, so one that another role holds is reported, and not waited
 * for: nobody but the owner can lock the table of migrations, which is locked besides.
 */
export async function takeMigrationLock(
  lock: pg.PoolClient,
  waitMs: number,
  report: (line: string) => void = () => undefined,
): Promise<void> {
  await lock.query('begin');
  await lock.query('set local idle_in_transaction_session_timeout = 0');
  const deadline = performance.now() + waitMs;
  const reportRoles = (roles: string): void =>
    report(
      `The role ${roles} holds the lock of migrations, which only owners take. The migration does not wait for it.`,
    );
  for (;;) {
    if ((await holdsTable(lock)) && (await passesAdvisoryLock(lock, MIGRATING, isOwner, reportRoles))) return;
    if (performance.now() > deadline) throw new Error(`another migration has been running for ${waitMs} ms`);
    await delay(ASK_EVERY_MS);
  }
}

/**
 * Whether this session has locked the table of migrations, or there is none yet. It can be read and written meanwhile. A
 * row lock would be a transaction that keeps old rows from vacuum.
 */
async function holdsTable(lock: pg.PoolClient): Promise<boolean> {
  const { rows } = await lock.query<{ isThere: boolean }>(
    `select to_regclass('${migrationTable}') is not null as "isThere"`,
  );
  if (rows[0]?.isThere !== true) return true;
  await lock.query('savepoint turn');
  try {
    await lock.query(`lock table ${migrationTable} in share update exclusive mode nowait`);
    await lock.query('release savepoint turn');
    return true;
  } catch (error) {
    if (!isLockConflict(error)) throw error;
    await lock.query('rollback to savepoint turn; release savepoint turn');
    return false;
  }
}

/** A role that could migrate. */
const isOwner =
  "pg_has_role(h.name, (select datdba from pg_database where datname = current_database()), 'usage') or h.name = current_user";

/** SQLSTATE lock_not_available, or deadlock_detected: another session held a lock. The next try may succeed. */
function isLockConflict(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (['55P03', '40P01'].includes(String((at as { code?: unknown }).code))) return true;
  return false;
}
