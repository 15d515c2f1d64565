import type pg from 'pg';
import { roleName, type ServiceRole, serviceRoles } from '../src/database/role-grants.ts';

const password = 'a-test';

/** Creates the role of each service. `migrateDatabase` then grants their rights. */
export async function createServiceRoles(pool: pg.Pool): Promise<void> {
  for (const service of serviceRoles) {
    // Roles belong to the whole server. Another test may create the same ones at the same time.
    await pool.query(`create role ${roleName(service)} login password '${password}'`).catch((error) => {
      if (!['42710', '23505'].includes(error.code)) throw error;
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
