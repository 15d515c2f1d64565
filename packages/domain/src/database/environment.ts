import type pg from 'pg';
import type { Environment } from '../core/environment.ts';

/**
 * The database is one of the other environment. A database never changes its environment, so that test money and real
 * money are never in one ledger (ADR 0035).
 */
export class WrongEnvironment extends Error {
  override readonly name = 'WrongEnvironment';

  constructor(ofDatabase: Environment, wanted: Environment) {
    const why = ofDatabase === 'sandbox' ? ': it was migrated as one, or a sandbox (npm start) has used it' : '';
    super(
      `TIDEGATE_ENV is ${wanted}, and this database is one of ${ofDatabase}${why}. A database never changes its environment. ` +
        'Set DATABASE_URL to another database, and migrate it: npm run admin -- migrate',
    );
  }
}

/** The environment of a migrated database. Throws `WrongEnvironment` if it is not the `wanted` one. */
export async function requireEnvironment(pool: pg.Pool, wanted: Environment | undefined): Promise<Environment> {
  const known = await readEnvironment(pool);
  if (known === null) throw new Error('the database has no environment: run the admin command migrate first');
  if (wanted !== undefined && known !== wanted) throw new WrongEnvironment(known, wanted);
  return known;
}

/** Throws `WrongEnvironment` if the database is one of the other environment already. */
export async function refuseOtherEnvironment(pool: pg.Pool, wanted: Environment): Promise<void> {
  const known = await readEnvironment(pool);
  if (known !== null && known !== wanted) throw new WrongEnvironment(known, wanted);
}

/** Sets the environment of a database that has none. It is never set again. */
export async function settleEnvironment(pool: pg.Pool, environment: Environment): Promise<void> {
  try {
    await pool.query('select settle_environment($1)', [environment]);
  } catch (error) {
    // Another migration has settled it meanwhile.
    if ((error as { code?: unknown }).code !== '23001') throw error;
    throw new WrongEnvironment(environment === 'sandbox' ? 'production' : 'sandbox', environment);
  }
}

async function readEnvironment(pool: pg.Pool): Promise<Environment | null> {
  const { rows: tables } = await pool.query("select to_regclass('environment') is not null as there");
  if (!tables[0].there) return null;
  const { rows } = await pool.query<{ name: Environment }>('select name from environment');
  return rows[0]?.name ?? null;
}
