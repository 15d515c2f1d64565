import type pg from 'pg';

/** A lock that no role but those of one kind uses is held by others: someone may have the password of one of them. */
export type ReportLock = (roles: string) => void;

/**
 * Whether this transaction may go on under the advisory lock of this key: it has the lock now, or only others than ours
 * hold it. PostgreSQL lets anyone take any advisory lock, so such holders are reported and not waited for. `isOurs`: SQL
 * that says of a role `h.name` whether it takes the lock for what it is there for. No statement has parameters: the portal
 * of one that has some keeps its snapshot, for which an index that is created concurrently waits.
 */
export async function passesAdvisoryLock(
  client: pg.ClientBase,
  key: number,
  isOurs: string,
  report: ReportLock,
): Promise<boolean> {
  const { rows } = await client.query<{ isHeld: boolean }>(`select pg_try_advisory_xact_lock(${key}) as "isHeld"`);
  if (rows[0]?.isHeld) return true;
  const holders = await client.query<{ name: string; isOurs: boolean }>(
    `select h.name, coalesce(${isOurs}, true) as "isOurs" from (
      select a.usename as name from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = ${key} and l.objsubid = 1
        and l.database = (select oid from pg_database where datname = current_database())) h`,
  );
  // It may have been released meanwhile. Then the next try has it.
  if (holders.rows.length === 0 || holders.rows.some((one) => one.isOurs)) return false;
  report([...new Set(holders.rows.map(({ name }) => name))].join(', '));
  return true;
}
