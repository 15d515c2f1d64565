import { type Database, migrationTable } from './database.ts';
import { migrations } from './migrations/index.ts';

/**
 * The database lacks migrations of this version. A newer schema is no error, because versions overlap during an
 * upgrade.
 */
export class SchemaTooOld extends Error {
  override readonly name = 'SchemaTooOld';

  constructor(missing: readonly string[]) {
    const [first = '', ...more] = missing;
    const which = more.length > 0 ? `${first} and ${more.length} more` : first;
    super(
      `The database's schema is too old for this version: ${which} has not run. Run the admin command migrate first.`,
    );
  }
}

/** Throws SchemaTooOld unless every migration of this version has run in the database. Who opened it closes it. */
export async function requireSchema({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const missing = await missingMigrations(pool);
  if (missing.length > 0) throw new SchemaTooOld(missing);
}

/** The names of this version's migrations that have not run, in their order. */
export async function missingMigrations(pool: Database['pool']): Promise<string[]> {
  const { rows: tables } = await pool.query('select to_regclass($1) is not null as there', [migrationTable]);
  const { rows } = tables[0].there ? await pool.query(`select name from ${migrationTable}`) : { rows: [] };
  const ran = new Set(rows.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter((name) => !ran.has(name));
}
