import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type DatabaseRole, databaseRoles, roleName } from './role-grants.ts';

/** The URL of a database for each role (docs/running/database-roles.md). */
export type DatabaseRoleUrls = Readonly<Record<DatabaseRole, string>>;

/**
 * Creates the roles of the processes in a private server, with new passwords each time. `migrateDatabase` then grants
 * their rights. Needs a superuser. In an installation, ops/postgres/make-roles.sh does this.
 */
export async function createRoles(databaseUrl: string): Promise<DatabaseRoleUrls> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // The server may be stopped between two statements. The next one says so.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const urls: Partial<Record<DatabaseRole, string>> = {};
    for (const role of databaseRoles) {
      const [name, password] = [roleName(role), randomBytes(24).toString('hex')];
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
      await client.query(`${rowCount === 0 ? 'create' : 'alter'} role ${name} login password '${password}'`);
      const url = new URL(databaseUrl);
      [url.username, url.password] = [name, password];
      urls[role] = url.href;
    }
    // The roll-ups and the audit have to see when other roles' transactions began.
    await client.query(`grant pg_read_all_stats to ${roleName('worker')}, ${roleName('audit')}`);
    return urls as DatabaseRoleUrls;
  } finally {
    await client.end();
  }
}
