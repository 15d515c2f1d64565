import { parseArgs } from 'node:util';
import type { Domain } from '@tidegate/domain';
import { setChannel } from '@tidegate/domain/admin';
import { reconcile } from '@tidegate/domain/worker';
import { countWaiting, cpuMsOfTree } from './cpu-time.ts';
import { peakMemoryKib } from './memory-use.ts';
import { measureApart, withDomain, withPostgres } from './own-postgres.ts';
import { fillExpectations, letImport, type StatementDay, uploadStatement } from './statement-day.ts';

// Usage: node tools/bench/src/reconcile-statement.ts [--lines 1000000]
// Reconciles one day of a channel: a statement against as many expectations of the ledger. Compares it with the bare
// join of both tables. Prints seconds, processor time, and the peak memory of the process that imports and matches.

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '1000000' },
    database: { type: 'string' },
    postgres: { type: 'string' },
  },
});
const whole: StatementDay = {
  tenant: 'PLATFORM-PK',
  currency: 'PKR',
  channelId: 'bank',
  day: '2026-11-20',
  lines: Number(values.lines),
  prefix: 'R-',
};

const joinSql = `select count(*) from statement_line l join statement_expectation e
  on e.tenant = l.merchant_id and e.channel_id = l.channel_id and e.channel_ref = l.channel_ref and e.direction = l.direction and e.amount = l.gross`;

await (values.database === undefined ? prepare() : withDomain(values.database, measure));

async function prepare(): Promise<void> {
  await withPostgres(async ({ databaseUrl, pid }) => {
    await withDomain(databaseUrl, async (domain) => {
      await setChannel(domain, {
        channelId: 'bank',
        adapter: 'sandbox',
        baseUrl: 'http://127.0.0.1:9',
        credentials: {},
      });
      await fillExpectations(domain, whole);
    });
    await measureApart(import.meta.filename, { lines: values.lines, database: databaseUrl, postgres: String(pid) });
  });
}

async function measure(domain: Domain): Promise<void> {
  const { pool } = domain.database;
  const upload = await timed(() => uploadStatement(domain, whole));
  await letImport(domain, whole, upload.value.fileNo);
  const { rows: begun } = await pool.query<{ at: number }>(
    'select extract(epoch from clock_timestamp())::float8 as at',
  );
  const all = await timed(() => reconcile(domain));
  const { rows } = await pool.query<{ matched: number; open: number; imported: number }>(
    `select (select count(*) from matched_line)::integer as matched, (select count(*) from reconciliation_break)::integer as open,
       extract(epoch from imported_at)::float8 as imported from statement_file`,
  );
  // Fresh statistics give the bare join its best plan.
  await pool.query('analyze statement_line, statement_expectation');
  const bare = await timed(() => bareJoin(domain));
  const importing = Number(rows[0]?.imported) - Number(begun[0]?.at);
  const size = Math.round(upload.value.size / 1e6);
  console.log(`${values.lines} lines, ${size} MB; ${rows[0]?.matched} matched, ${rows[0]?.open} breaks`);
  for (const [what, { seconds, own, postgres, waited }] of Object.entries({
    upload,
    'import and match': all,
    'bare join': bare,
  }))
    console.log(
      `${what}: ${seconds.toFixed(1)} s, of which ${waited.toFixed(1)} s without a processor; processor time ${own.toFixed(1)} s of the process, ${postgres.toFixed(1)} s of PostgreSQL`,
    );
  console.log(`of these the import took ${importing.toFixed(1)} s`);
  console.log(`peak memory of the process ${Math.round(peakMemoryKib() / 1024)} MB`);
}

async function bareJoin({ database: { pool } }: Domain): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`begin; set local statement_timeout = 0`);
    const join = { text: joinSql, query_timeout: 600_000 };
    await client.query(join);
    await client.query('rollback');
  } finally {
    client.release();
  }
}

interface Timed<T> {
  value: T;
  /** Elapsed time. */
  seconds: number;
  /** Processor time of this process, and of PostgreSQL, in seconds. */
  own: number;
  postgres: number;
  /** Of these seconds, those without a processor. */
  waited: number;
}

async function timed<T>(run: () => Promise<T>): Promise<Timed<T>> {
  const pid = Number(values.postgres);
  const before = { at: performance.now(), own: process.cpuUsage(), postgres: cpuMsOfTree(pid) };
  const waited = countWaiting(pid);
  const value = await run();
  const { user, system } = process.cpuUsage(before.own);
  const postgres = (cpuMsOfTree(pid) - before.postgres) / 1_000;
  return {
    value,
    seconds: (performance.now() - before.at) / 1_000,
    own: (user + system) / 1e6,
    postgres,
    waited: waited(),
  };
}
