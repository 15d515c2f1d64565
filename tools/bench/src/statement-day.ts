import { Readable } from 'node:stream';
import type { Domain } from '@tidegate/domain';
import { receiveStatement } from '@tidegate/domain/operators';

/** One day of a channel: as many lines of its statement as expectations of the ledger. */
export interface StatementDay {
  tenant: string;
  currency: string;
  channelId: string;
  /** `YYYY-MM-DD` */
  day: string;
  lines: number;
  /** The beginning of each reference. Another one for each day. */
  prefix: string;
}

const beginSql = `insert into reconciled_channel (merchant_id, channel_id, begins_on) values ($1, $2, $3) on conflict do nothing`;
const expectationsSql = `insert into statement_expectation (merchant_id, transfer_no, tenant, channel_id, day, cause, direction, amount, order_no, channel_ref, posted_at)
  select $6 || 'M-' || n % 100, n, $3, $5, $4::date, 'payin', 'in', 100, 'PI' || $6 || n, $6 || n, clock_timestamp() from generate_series($1::integer, $2::integer) n`;

/** Writes the expectations of a day, and begins the reconciliation of its channel with it. */
export async function fillExpectations({ database }: Domain, of: StatementDay): Promise<void> {
  const { tenant, channelId, day, lines, prefix } = of;
  await database.pool.query(beginSql, [tenant, channelId, day]);
  for (let from = 0; from < lines; from += 50_000) {
    const until = Math.min(lines, from + 50_000) - 1;
    await database.pool.query(expectationsSql, [from, until, tenant, day, channelId, prefix]);
  }
}

/** Stores the statement of a day as an upload does. Its lines have another order than the expectations. */
export async function uploadStatement(domain: Domain, of: StatementDay): Promise<{ fileNo: number; size: number }> {
  const name = `bench ${of.day}`;
  const named = { tenant: of.tenant, name, uploadedBy: 'bench' };
  const received = await receiveStatement(domain, named, Readable.from(fileOf(of)));
  if (!received.ok) throw new Error(`the statement was refused: ${received.problem}`);
  return received.file;
}

/** Lets the next reconciliation import an uploaded statement. */
export async function letImport({ database }: Domain, { tenant, channelId }: StatementDay, fileNo: number) {
  const text = `update statement_file set state = 'received', channel_id = $3, format = 'json-lines', format_version = 1 where merchant_id = $1 and file_no = $2`;
  await database.pool.query(text, [tenant, fileNo, channelId]);
}

function* fileOf({ lines, day, prefix, currency }: StatementDay): Generator<Buffer> {
  const facts = `"part":0,"type":"payin","direction":"in","gross":"100.00","fee":"0.00","tax":"0.00","net":"100.00","currency":"${currency}","occurredAt":null,"bookedOn":"${day}"`;
  const none = '"orderNo":null,"bankRef":null,"settlementRef":null,"balanceAfter":null';
  let text = '';
  for (let n = 0; n < lines; n += 1) {
    text += `{"lineNo":0,${facts},"channelRef":"${prefix}${(n * 7_919) % lines}",${none}}\n`;
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}
