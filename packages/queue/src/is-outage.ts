import { isNotConnectionError } from 'bullmq';

/** What our connections say beyond ioredis' "Connection is closed." (`connection.ts`): one server that hangs or is away, a cluster that is down. */
const outages =
  /Command timed out|isn't writeable|max retries per request|CLUSTERDOWN|Too many Cluster redirections|slots cache|Cluster is away/;

/** Whether an error says no more than that Redis is away, one node of a cluster or all of it: the connection tells of that by itself. */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && (!isNotConnectionError(error) || outages.test(error.message));
}
