import pg from 'pg';

/** The clock of a test's database, which can step back. */
export interface SteppingClock {
  /** From now on the clock is behind by an interval such as `2 hours`. */
  stepBack(interval: string): Promise<void>;
}

/**
 * Gives a database a clock of its own. Statements of sessions that begin later find it before PostgreSQL's, because their path names its schema
 * first. Defaults of columns keep the true clock.
 */
export async function aSteppingClock(databaseUrl: string): Promise<SteppingClock> {
  await query(
    databaseUrl,
    `create schema stepping; grant usage on schema stepping to public;
     create table stepping.clock (behind interval not null); insert into stepping.clock values ('0');
     create function stepping.clock_timestamp() returns timestamptz language sql
       as 'select pg_catalog.clock_timestamp() - (select behind from stepping.clock)';
     do $$ begin execute format('alter database %I set search_path = stepping, public, pg_catalog', current_database()); end $$`,
  );
  return { stepBack: (interval) => query(databaseUrl, `update stepping.clock set behind = '${interval}'`) };
}

async function query(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(text);
  await client.end();
}
