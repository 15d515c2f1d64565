import type pg from 'pg';
import { roleName, type ServiceRole, serviceRoles } from '../src/database/role-grants.ts';

const password = 'a-test';

/**
 * Creates the role of each service, with what an installation grants by hand (docs/running/database-roles.md). `migrateDatabase` then grants
 * their rights on tables.
 */
export async function createServiceRoles(pool: pg.Pool): Promise<void> {
  const statements = serviceRoles.map((service) => `create role ${roleName(service)} login password '${password}'`);
  statements.push(`grant pg_read_all_stats to ${roleName('worker')}, ${roleName('audit')}`);
  for (const statement of statements) {
    // Roles belong to the whole server. Another test may do the same at the same time.
    await pool.query(statement).catch((error) => {
      if (!['42710', '23505', 'XX000'].includes(error.code)) throw error;
    });
  }
}

/** The URL of a database for the role of a service. */
export function urlOf(url: string, service: ServiceRole): string {
  const changed = new URL(url);
  changed.username = roleName(service);
  changed.password = password;
  return changed.href;
}
