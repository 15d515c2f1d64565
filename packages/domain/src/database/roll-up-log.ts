import type { PoolClient } from 'pg';
import type { DatabaseAccess } from './database.ts';
import { runExclusively } from './run-exclusively.ts';

/** A log whose rows are summed up by the minute in which they began. */
export type RolledUpLog = 'channel_call' | 'notification_attempt';

/** Calls and attempts take at most 30 s, and are written a moment later: then a minute is complete. */
const graceSeconds = 60;

/**
 * Gives the log's next complete minutes to `add`, at most fifteen, each once. They begin at `from` and end before `to`, as
 * PostgreSQL's texts. Resolves to whether there are more. One process does it at a time. Minutes of more than seven
 * days ago are left out.
 */
export function rollUpLog(
  domain: DatabaseAccess,
  log: RolledUpLog,
  add: (client: PoolClient, from: string, to: string) => Promise<void>,
): Promise<boolean> {
  return runExclusively(domain, log, async (client) => {
    const { rows } = await client.query<Range>(rangeSql(log), [log, graceSeconds]);
    const [range] = rows;
    if (!range) return false;
    await add(client, range.from, range.to);
    await client.query('update log_progress set until = $2 where log = $1', [log, range.to]);
    return range.isMore;
  });
}

interface Range {
  from: string;
  to: string;
  isMore: boolean;
}

// Longer steps while it is far behind, as after an upgrade. An empty log, as of a new installation, has nothing to sum up.
const rangeSql = (
  log: RolledUpLog,
): string => `select r."from"::text as "from", least(r."from" + r.step, r.complete)::text as "to", r."from" + r.step < r.complete as "isMore"
  from (select *, case when complete - "from" > interval '1 hour' then interval '15 minutes' else interval '5 minutes' end as step
    from (select greatest(p.until, date_trunc('hour', clock_timestamp()) - interval '7 days', case when not exists (select from ${log}) then c.complete - interval '1 minute' end) as "from",
      c.complete from log_progress p, (select date_trunc('minute', clock_timestamp() - $2::float8 * interval '1 second') as complete) c where p.log = $1) r) r
  where r."from" < r.complete`;
