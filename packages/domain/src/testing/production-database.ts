import pg from 'pg';

/** Runs SQL on a test's database, as its owner. */
export async function runAsOwner(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * Makes a fresh test database one of production, as if its first migration had said so. The tests' template is one of a
 * sandbox, and no command changes the environment of a database.
 */
export async function makeProductionDatabase(url: string): Promise<string> {
  await runAsOwner(
    url,
    `begin;
      alter table orders drop column is_live;
      alter table channel drop constraint of_environment;
      alter table environment disable trigger append_only;
      delete from environment;
      alter table environment enable trigger append_only;
      select settle_environment('production');
      commit`,
  );
  return url;
}
