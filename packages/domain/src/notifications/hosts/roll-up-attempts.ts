import type { DatabaseAccess } from '../../database/database.ts';
import { rollUpLog } from '../../database/roll-up-log.ts';
import { addAttemptsSql, purgeHostsSql } from './queries.ts';

/** The most hosts of one merchant. */
const maxHosts = 1_000;

/**
 * Sums up the next complete minutes of attempts as the health of the hosts. Deletes hosts that are not used any more, and
 * those beyond the most of a merchant. Resolves to whether there are more minutes. Deliveries write nothing but their log.
 */
export function rollUpAttempts(domain: DatabaseAccess, most = maxHosts): Promise<boolean> {
  return rollUpLog(domain, 'notification_attempt', async (client, from, to) => {
    await client.query(addAttemptsSql, [from, to]);
    await client.query(purgeHostsSql, [from, to, most]);
  });
}
