import { isNotConnectionError } from 'bullmq';

/**
 * Errors of our connections besides ioredis' "Connection is closed." (`connection.ts`):
 * - a server that hangs, has closed the connection or is unavailable, or a cluster that is down;
 * - a server that is a replica by now, or has lost its replicas;
 * - Sentinels that do not answer.
 */
const outages =
  /isn't writeable|isn't ready|^READONLY|write EPIPE|read ECONNRESET|^NOREPLICAS|sentinels are unreachable|max retries per request|CLUSTERDOWN|Too many Cluster redirections|slots cache/;

/** Whether an error only says that Redis, or a node of a cluster, is unavailable. The connection itself logs that. */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && (!isNotConnectionError(error) || outages.test(error.message));
}
