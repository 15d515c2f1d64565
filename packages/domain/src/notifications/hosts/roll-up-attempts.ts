import type { DatabaseAccess } from '../../database/database.ts';
import { rollUpLog } from '../../database/roll-up-log.ts';
import { addAttemptsSql, purgeHostsSql } from './statements.ts';

/**
 * Sums up the next complete minutes of attempts as the health of the hosts, and deletes hosts that are not used any
 * more. Resolves to whether there are more. Deliveries write nothing but their log.
 */
export function rollUpAttempts(domain: DatabaseAccess): Promise<boolean> {
  return rollUpLog(domain, 'notification_attempt', async (client, from, to) => {
    await client.query(addAttemptsSql, [from, to]);
    await client.query(purgeHostsSql, [to]);
  });
}
