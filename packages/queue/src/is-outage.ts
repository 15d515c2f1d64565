import { isNotConnectionError } from 'bullmq';

/**
 * Errors of our connections besides ioredis' "Connection is closed." (`connection.ts`): a server that hangs or is unavailable,
 * a cluster that is down.
 */
const outages =
  /Command timed out|isn't writeable|max retries per request|CLUSTERDOWN|Too many Cluster redirections|slots cache|Cluster is unavailable/;

/** Whether an error only says that Redis, or a node of a cluster, is unavailable. The connection itself logs that. */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && (!isNotConnectionError(error) || outages.test(error.message));
}
