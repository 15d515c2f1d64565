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

// node packages/bench/src/reconcile-statement.ts [--lines 1000000]: a day of one channel, as a statement against as many expectations of the ledger,
// next to the bare join of both tables. Prints seconds and the peak memory of this process.

const { values } = parseArgs({ options: { lines: { type: 'string', default: '1000000' } } });
const lines = Number(values.lines);
const day = '2026-11-20';
const tenant = 'PLATFORM-PK';
const quiet = () => undefined;

const expectationsSql = `insert into statement_expectation (merchant_id, transfer_no, tenant, channel_id, day, cause, direction, amount, order_no, channel_ref, posted_at)
  select 'M-' || n % 100, n, $3, 'bank', $4::date, 'payin', 'in', 100, 'PI' || n, 'R-' || n, clock_timestamp() from generate_series($1::integer, $2::integer) n`;
const joinSql = `select count(*) from statement_line l join statement_expectation e
  on e.tenant = l.merchant_id and e.channel_id = l.channel_id and e.channel_ref = l.channel_ref and e.direction = l.direction and e.amount = l.gross`;

const folder = await makeRunFolder();
const postgres = await startPostgres({
  dir: join(folder.dir, 'postgres'),
  logFile: join(folder.dir, 'postgres.log'),
  settings: durable,
  onSpawn: (identity) => folder.record.add('postgres', identity),
});
const databaseUrl = await postgres.createDatabase('bench');
await migrateDatabase(databaseUrl);
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
  await measure(domain);
} finally {
  await domain.close();
  await postgres.stop();
  await folder.remove();
}

async function measure(domain: Domain): Promise<void> {
  const { pool } = domain.database;
  await setChannel(domain, { channelId: 'bank', adapter: 'sandbox', baseUrl: 'http://127.0.0.1:9', credentials: {} });
  await pool.query('insert into reconciled_channel (merchant_id, channel_id, begins_on) values ($1, $2, $3)', [
    tenant,
    'bank',
    day,
  ]);
  for (let from = 0; from < lines; from += 50_000)
    await pool.query(expectationsSql, [from, Math.min(lines, from + 50_000) - 1, tenant, day]);
  const upload = await timed(() =>
    receiveStatement(domain, { tenant, name: 'bench', uploadedBy: 'bench' }, Readable.from(fileOf(lines))),
  );
  const { file } = upload.value as { file: { fileNo: number; size: number } };
  const received = `update statement_file set state = 'received', channel_id = 'bank', format = 'json-lines', format_version = 1 where file_no = $1`;
  await pool.query(received, [file.fileNo]);
  const all = await timed(() => reconcile(domain));
  const { rows } = await pool.query<{ matched: number; open: number }>(
    'select (select count(*) from matched_line)::integer as matched, (select count(*) from reconciliation_break)::integer as open',
  );
  // The bare join is the best case, with fresh statistics.
  await pool.query('analyze statement_line, statement_expectation');
  const client = await pool.connect();
  await client.query(`begin; set local statement_timeout = 0`);
  const join = { text: joinSql, query_timeout: 600_000 };
  const bare = await timed(() => client.query(join));
  await client.query('rollback');
  client.release();
  console.log(
    `${lines} lines, ${Math.round(file.size / 1e6)} MB; ${rows[0]?.matched} matched, ${rows[0]?.open} breaks`,
  );
  console.log(
    `upload ${upload.seconds.toFixed(1)} s, import and match ${all.seconds.toFixed(1)} s, bare join ${bare.seconds.toFixed(1)} s`,
  );
  console.log(`peak memory of the process ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
}

async function timed<T>(run: () => Promise<T>): Promise<{ value: T; seconds: number }> {
  const began = performance.now();
  const value = await run();
  return { value, seconds: (performance.now() - began) / 1_000 };
}

/** A statement whose lines name every expectation, in another order than they were posted. */
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
