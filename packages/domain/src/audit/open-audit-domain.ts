import { countConnections, type HasConnections } from '../database/connection-counts.ts';
import { type DatabaseAccess, openDatabase } from '../database/database.ts';

/**
 * The domain for the audit, with connections of its own. Only their role may write checkpoints,
 * seals and findings (docs/running/database-roles.md). Without a URL it is the same domain. `close` ends the
 * connections only.
 */
export async function openAuditDomain<D extends DatabaseAccess>(
  domain: D,
  url: string | undefined,
): Promise<D & HasConnections & { close(): Promise<void> }> {
  if (url === undefined) return { ...domain, connections: () => [], close: async () => undefined };
  const database = await openDatabase(url, { connections: 2 });
  await database.checkJsonColumns();
  const connections = () => [countConnections('audit', database.pool)];
  return { ...domain, database, connections, close: () => database.close() };
}
