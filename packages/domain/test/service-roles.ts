import type pg from 'pg';
import {
  type DatabaseRole,
  ledgerRoleOf,
  ledgerRoles,
  roleName,
  type ServiceRole,
  serviceRoles,
} from '../src/database/role-grants.ts';

const password = 'a-test';

/**
 * Creates the role of each service, with what an installation grants by hand (docs/running/database-roles.md). `migrateDatabase` then grants
 * their rights on tables.
 */
export async function createServiceRoles(pool: pg.Pool): Promise<void> {
  const statements = [...serviceRoles, ...ledgerRoles].map(
    (role) => `create role ${roleName(role)} login password '${password}'`,
  );
  statements.push(
    `grant pg_read_all_stats to ${roleName('worker')}, ${roleName('worker_ledger')}, ${roleName('audit')}`,
  );
  for (const statement of statements) {
    // Roles belong to the whole server. Another test may do the same at the same time.
    await pool.query(statement).catch((error) => {
      if (!['42710', '23505', 'XX000'].includes(error.code)) throw error;
    });
  }
}

/** The option of a domain whose ledger is written with the role of a service for it. */
export function ledgerOf(url: string, service: ServiceRole): { databaseLedgerUrl?: string } {
  const role = ledgerRoleOf(service);
  return role === null ? {} : { databaseLedgerUrl: urlOf(url, role) };
}

/** The URL of a database for a role. */
export function urlOf(url: string, role: DatabaseRole): string {
  const changed = new URL(url);
  changed.username = roleName(role);
  changed.password = password;
  return changed.href;
}
