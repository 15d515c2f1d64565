import type { DatabaseAccess } from '../../database/database.ts';
import { rollUpLog } from '../../database/roll-up-log.ts';
import { addCallsSql, purgeHealthSql } from './queries.ts';

/**
 * Sums up the call log's next complete minutes as the health of channels, and deletes what is too old. Resolves to
 * whether there are more. The processes that call channels write nothing but their log.
 */
export function rollUpCalls(domain: DatabaseAccess): Promise<boolean> {
  return rollUpLog(domain, 'channel_call', async (client, from, to) => {
    await client.query(addCallsSql, [from, to]);
    await client.query(purgeHealthSql, [to]);
  });
}
