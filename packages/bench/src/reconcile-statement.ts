import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { type Domain, openDomain } from '@tidegate/domain';
import { migrateDatabase, setChannel } from '@tidegate/domain/admin';
import { receiveStatement } from '@tidegate/domain/operators';
import { jsonLines } from '@tidegate/domain/testing';
import { reconcile } from '@tidegate/domain/worker';
import { makeRunFolder, startPostgres } from '@tidegate/sandbox';
import { durable } from './bench-environment.ts';
import { cpuMsOfTree } from './cpu-time.ts';
import { peakMemoryKib } from './memory-use.ts';

// Usage: node packages/bench/src/reconcile-statement.ts [--lines 1000000]
// Reconciles one day of a channel: a statement against as many expectations of the ledger. Compares it with the bare
// join of both tables. Prints seconds, processor time, and the peak memory of the process that imports and matches.

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '1000000' },
    database: { type: 'string' },
    postgres: { type: 'string' },
  },
});
const lines = Number(values.lines);
const day = '2026-11-20';
const tenant = 'PLATFORM-PK';
const quiet = () => undefined;

const expectationsSql = `insert into statement_expectation (merchant_id, transfer_no, tenant, channel_id, day, cause, direction, amount, order_no, channel_ref, posted_at)
  select 'M-' || n % 100, n, $3, 'bank', $4::date, 'payin', 'in', 100, 'PI' || n, 'R-' || n, clock_timestamp() from generate_series($1::integer, $2::integer) n`;
const joinSql = `select count(*) from statement_line l join statement_expectation e
  on e.tenant = l.merchant_id and e.channel_id = l.channel_id and e.channel_ref = l.channel_ref and e.direction = l.direction and e.amount = l.gross`;

/**
 * A small heap. With the default size Node delays garbage collection, and the peak would not show what the work needs.
 */
const smallHeap = ['--max-old-space-size=96', '--max-semi-space-size=2'];

// Filling the database takes memory too. So a separate process measures.
await (values.database === undefined ? prepare() : withDomain(values.database, measure));

async function prepare(): Promise<void> {
  const folder = await makeRunFolder();
  const postgres = await startPostgres({
    dir: join(folder.dir, 'postgres'),
    logFile: join(folder.dir, 'postgres.log'),
    settings: durable,
    onSpawn: (identity) => folder.record.add('postgres', identity),
  });
  try {
    const databaseUrl = await postgres.createDatabase('bench');
    await migrateDatabase(databaseUrl);
    await withDomain(databaseUrl, fill);
    const given = { lines: values.lines, database: databaseUrl, postgres: String(postgres.identity.pid) };
    const measured = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
    const measuring = spawn(process.execPath, [...smallHeap, import.meta.filename, ...measured], { stdio: 'inherit' });
    const [code] = await once(measuring, 'exit');
    process.exitCode = Number(code);
  } finally {
    await postgres.stop();
    await folder.remove();
  }
}

async function withDomain(databaseUrl: string, work: (domain: Domain) => Promise<void>): Promise<void> {
  const domain = await openDomain({
    databaseUrl,
    secret: 'ab'.repeat(32),
    adapters: {},
    publicBaseUrl: 'http://pay.test',
    wakeUp: quiet,
    log: { debug: quiet, info: quiet, warn: console.warn, error: console.error },
    statementFormats: { 'json-lines': jsonLines },
  });
  try {
    await work(domain);
  } finally {
    await domain.close();
  }
}

async function fill(domain: Domain): Promise<void> {
  const { pool } = domain.database;
  await setChannel(domain, { channelId: 'bank', adapter: 'sandbox', baseUrl: 'http://127.0.0.1:9', credentials: {} });
  await pool.query('insert into reconciled_channel (merchant_id, channel_id, begins_on) values ($1, $2, $3)', [
    tenant,
    'bank',
    day,
  ]);
  for (let from = 0; from < lines; from += 50_000)
    await pool.query(expectationsSql, [from, Math.min(lines, from + 50_000) - 1, tenant, day]);
}

async function measure(domain: Domain): Promise<void> {
  const { pool } = domain.database;
  const upload = await timed(() =>
    receiveStatement(domain, { tenant, name: 'bench', uploadedBy: 'bench' }, Readable.from(fileOf(lines))),
  );
  const { file } = upload.value as { file: { fileNo: number; size: number } };
  const received = `update statement_file set state = 'received', channel_id = 'bank', format = 'json-lines', format_version = 1 where file_no = $1`;
  await pool.query(received, [file.fileNo]);
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
  console.log(
    `${lines} lines, ${Math.round(file.size / 1e6)} MB; ${rows[0]?.matched} matched, ${rows[0]?.open} breaks`,
  );
  for (const [what, { seconds, own, postgres }] of Object.entries({
    upload,
    'import and match': all,
    'bare join': bare,
  }))
    console.log(
      `${what}: ${seconds.toFixed(1)} s; processor time ${own.toFixed(1)} s of the process, ${postgres.toFixed(1)} s of PostgreSQL`,
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
}

async function timed<T>(run: () => Promise<T>): Promise<Timed<T>> {
  const pid = Number(values.postgres);
  const before = { at: performance.now(), own: process.cpuUsage(), postgres: cpuMsOfTree(pid) };
  const value = await run();
  const { user, system } = process.cpuUsage(before.own);
  const postgres = (cpuMsOfTree(pid) - before.postgres) / 1_000;
  return { value, seconds: (performance.now() - before.at) / 1_000, own: (user + system) / 1e6, postgres };
}

/** A statement that names every expectation once, in another order than they were posted. */
function* fileOf(count: number): Generator<Buffer> {
  const facts =
    '"part":0,"type":"payin","direction":"in","gross":"100.00","fee":"0.00","tax":"0.00","net":"100.00","currency":"PKR","occurredAt":null';
  let text = '';
  for (let n = 0; n < count; n += 1) {
    const no = (n * 7_919) % count;
    text += `{"lineNo":0,${facts},"bookedOn":"${day}","channelRef":"R-${no}","orderNo":null,"bankRef":null,"settlementRef":null,"balanceAfter":null}\n`;
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}
