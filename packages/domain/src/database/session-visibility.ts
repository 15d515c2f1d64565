import type { ClientBase, Pool } from 'pg';

/**
 * Throws unless this role sees when other roles' transactions began. Without that right, PostgreSQL hides other roles'
 * open transactions. Code that waits for open transactions would then miss what they commit later.
 */
export async function requireVisibleTransactions(client: Pool | ClientBase): Promise<void> {
  // True for superusers too.
  const { rows } = await client.query<{ role: string; isVisible: boolean }>(
    `select current_user as role, pg_has_role(current_user, 'pg_read_all_stats', 'usage') as "isVisible"`,
  );
  const [row] = rows;
  if (!row?.isVisible)
    throw new Error(
      `The database role ${row?.role} cannot see other roles' open transactions. Run as superuser: grant pg_read_all_stats to ${row?.role}`,
    );
}
