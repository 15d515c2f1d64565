import { type Domain, openDomain } from '@tidegate/domain';
import pg from 'pg';

// The ledger takes the time from PostgreSQL. A schema that only these connections see overrides PostgreSQL's clock. So
// what they write is dated in the past, with correct hashes and in the correct order.

const schema = 'past_clock';
/** How far the roll-ups are. The ledger records no time before that, so these are moved into the past with the clock. */
const progress = ['order_figures_progress', 'order_facets_progress', 'order_search_progress', 'order_watch_progress'];

/**
 * Runs `work` on a domain whose clock begins at `at`. Until it ends, this process must open no other connection to
 * PostgreSQL.
 */
export async function inThePast<Result>(
  { databaseUrl, keys, at }: { databaseUrl: string; keys: string; at: Date },
  work: (domain: Domain) => Promise<Result>,
): Promise<Result> {
  await makeClock(databaseUrl, at);
  const before = process.env.PGOPTIONS;
  // The driver reads it for each new connection.
  process.env.PGOPTIONS = `-c search_path=${schema},public,pg_catalog`;
  let domain: Domain | undefined;
  try {
    domain = await openDomain({
      databaseUrl,
      keys,
      adapters: {},
      publicBaseUrl: 'http://127.0.0.1:9',
      wakeUp: () => undefined,
      log: { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error },
    });
    return await work(domain);
  } finally {
    await domain?.close();
    if (before === undefined) delete process.env.PGOPTIONS;
    else process.env.PGOPTIONS = before;
  }
}

async function makeClock(databaseUrl: string, at: Date): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`create schema if not exists ${schema}`);
    const behindMs = Math.round(Date.now() - at.getTime());
    for (const name of ['clock_timestamp', 'now'])
      await client.query(
        `create or replace function ${schema}.${name}() returns timestamptz language sql as
         $$ select pg_catalog.clock_timestamp() - ${behindMs} * interval '1 ms' $$`,
      );
    for (const table of progress)
      await client.query(
        `create or replace view ${schema}.${table} as select name, until - ${behindMs} * interval '1 ms' as until from public.${table}`,
      );
  } finally {
    await client.end();
  }
}
