import pg from 'pg';

/** Runs these SQL texts in a database, one after the other. A text may have several statements. */
export async function install(databaseUrl: string, ...texts: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
}
