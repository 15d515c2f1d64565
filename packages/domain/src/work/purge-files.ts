import type { DatabaseAccess } from '../database/database.ts';
import { purgeContentsSql, purgeOrphansSql } from './queries.ts';

const atOnce = 50;

/**
 * Deletes a batch of the files of bookings that never came to be, a day after their upload. Contents whose upload was
 * refused likewise. Other files stay as long as what they are about. Resolves to whether there may be more.
 */
export async function purgeOrphanedFiles({ database }: DatabaseAccess): Promise<boolean> {
  const files = await database.pool.query<{ count: number }>(purgeOrphansSql, [atOnce]);
  const contents = await database.pool.query<{ count: number }>(purgeContentsSql, [atOnce]);
  return [...files.rows, ...contents.rows].some(({ count }) => count === atOnce);
}
