import type { DatabaseAccess } from '../database/database.ts';
import { longestWaitSql } from './queries.ts';

/** How long the oldest export waits for a worker, in seconds; 0: none waits. One whose worker died waits from its request on. */
export async function longestExportWait({ database }: DatabaseAccess): Promise<number> {
  const { rows } = await database.reading.query<{ seconds: number }>(longestWaitSql);
  return rows[0]?.seconds ?? 0;
}
