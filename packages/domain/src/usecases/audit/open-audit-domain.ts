import { openDatabase } from '../../store/database.ts';
import type { Domain } from '../domain.ts';

/**
 * The domain as the audit uses it: with a connection of its own, whose role alone may write checkpoints, seals and findings (docs/postgresql.md). Without
 * a URL it is the very same domain. `close` ends the connection only.
 */
export async function openAuditDomain(domain: Domain, url: string | undefined): Promise<Domain> {
  if (url === undefined) return { ...domain, close: async () => undefined };
  const database = await openDatabase(url, { connections: 2 });
  return { ...domain, database, close: () => database.close() };
}
