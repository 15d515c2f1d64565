import { type DatabaseAccess, openDatabase } from '../../database/database.ts';

/**
 * The domain for the audit, with a connection of its own. Only the role of that connection may write checkpoints,
 * seals and findings (docs/running/database-roles.md). Without a URL it is the same domain. `close` ends the
 * connection only.
 */
export async function openAuditDomain<D extends DatabaseAccess>(
  domain: D,
  url: string | undefined,
): Promise<D & { close(): Promise<void> }> {
  if (url === undefined) return { ...domain, close: async () => undefined };
  const database = await openDatabase(url, { connections: 2 });
  return { ...domain, database, close: () => database.close() };
}
