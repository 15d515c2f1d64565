import { type Domain, openDomain } from '@tidegate/domain';
import pg from 'pg';

// The ledger takes its time from PostgreSQL. For the connections of one domain a schema hides PostgreSQL's clock. So what they write happened in the
// past, with the right hashes and in the right order. Other connections never see this schema.

const schema = 'past_clock';

/** A ledger in which it is `at` when `work` begins. Until `work` ends, this process opens no other connections to PostgreSQL. */
export async function inThePast<Result>(
  { databaseUrl, secret, at }: { databaseUrl: string; secret: string; at: Date },
  work: (domain: Domain) => Promise<Result>,
): Promise<Result> {
  await makeClock(databaseUrl, at);
  const before = process.env.PGOPTIONS;
  // The driver takes it from there for each new connection.
  process.env.PGOPTIONS = `-c search_path=${schema},public,pg_catalog`;
  let domain: Domain | undefined;
  try {
    domain = await openDomain({
      databaseUrl,
      secret,
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
  } finally {
    await client.end();
  }
}
