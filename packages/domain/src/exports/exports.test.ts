import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { OperatorContext } from '../core/operator-rights.ts';
import { purgeOldRows } from '../database/purge-old-rows.ts';
import {
  aFundedMerchant,
  aLine,
  anImport,
  dayAgo,
  openTestDomain,
  placePayin,
  reconcileAll,
  type TestDomain,
} from '../testing/index.ts';
import { cancelExport } from './cancel-export.ts';
import { loadExports } from './list-exports.ts';
import { openDownload } from './open-download.ts';
import { dropChunksSql } from './queries.ts';
import { requestExport } from './request-export.ts';
import type { DataExport } from './types.ts';
import { writeNextExport } from './write-next-export.ts';

// How exports are written: what a crash, a second process and a cancellation leave, and what a statement has to add up to.

const ann: OperatorContext = {
  operatorId: 'ann',
  roles: ['finance'],
  countries: null,
  merchantIds: null,
  tokenId: null,
  signIn: 'token',
};
const entries = 6_000;
const today = new Date().toISOString().slice(0, 10);

let fixture: TestDomain;
let merchantId: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ({ merchantId } = await aFundedMerchant(fixture.domain, 'IN', '1.00'));
  await writeHistory();
});
afterAll(() => fixture.close());
afterEach(async () => {
  vi.restoreAllMocks();
  await sql('delete from data_export');
});

const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await fixture.domain.database.pool.query<Row>(text, values)).rows;

/** Gives the wallet a history whose file has several chunks. */
async function writeHistory(): Promise<void> {
  const client = await fixture.domain.database.pool.connect();
  try {
    await client.query("set session_replication_role = 'replica'");
    await client.query('delete from wallet_entry where merchant_id = $1', [merchantId]);
    await client.query(
      `insert into wallet_entry (merchant_id, entry_no, type, available_change, frozen_change, available_before, available_after, frozen_before,
         frozen_after, booking_no, remark, created_at, batch_no)
       select $1, n, 'TOP_UP', 0.01, 0, (n - 1) * 0.01, n * 0.01, 0, 0, 'B' || n, '=cmd|' || repeat('x', 60), now() - interval '1 second', 0
       from generate_series(1, $2::integer) n`,
      [merchantId, entries],
    );
    await client.query('update wallet set last_entry_no = $2 where merchant_id = $1', [merchantId, entries]);
  } finally {
    await client.query('reset session_replication_role');
    client.release();
  }
}

async function ask(input: object): Promise<DataExport> {
  const done = await requestExport(fixture.domain, ann, input);
  if (!done.ok) throw new Error(JSON.stringify(done));
  return done.value;
}

const statement = (format = 'csv') => ({
  format,
  walletStatement: { merchantId, firstDay: '2026-01-01', lastDay: today, timeZone: 'UTC' },
});

async function now({ exportId }: DataExport): Promise<DataExport> {
  const [found] = await loadExports(fixture.domain, ann, [exportId]);
  if (!found) throw new Error('no export');
  return found;
}

async function fileOf({ exportId }: DataExport): Promise<Buffer> {
  const done = await openDownload(fixture.domain, ann, exportId);
  if (!done.ok) throw new Error(done.rejection);
  return buffer(done.value.content);
}

test('an export contains orders whose transaction was open when it was requested', async () => {
  const { pool } = fixture.domain.database;
  const placed = await placePayin(fixture.domain, merchantId, 'IN', {});
  const other = await pool.connect();
  try {
    // Another process has read the time of its order, and has not committed it.
    await other.query("begin; set local session_replication_role = 'replica'");
    await other.query('select clock_timestamp() from wallet where merchant_id = $1 for update', [merchantId]);
    await other.query(
      `insert into orders select (jsonb_populate_record(o, jsonb_build_object('order_no', translate(o.order_no, '0123456789', '1234567890'), 'merchant_order_no', 'in-flight',
        'created_at', clock_timestamp()))).* from orders o where o.order_no = $1`,
      [placed.orderNo],
    );
    const requested = await ask({ format: 'csv', orders: {} });
    expect(await writeNextExport(fixture.domain)).toBe('nothing');
    await other.query('commit');
    expect(await writeNextExport(fixture.domain)).toBe('ready');
    expect((await fileOf(requested)).toString()).toContain('in-flight');
  } finally {
    await other.query('rollback');
    other.release();
  }
});

/** Does something before the writer stores the chunk of this number. */
function beforeChunk(chunkNo: number, act: (exportId: string) => Promise<unknown>): void {
  const { pool } = fixture.domain.database;
  const query = pool.query.bind(pool) as (text: unknown, values?: unknown[]) => Promise<unknown>;
  vi.spyOn(pool, 'query').mockImplementation((async (text: unknown, values?: unknown[]) => {
    const isIt = typeof text === 'string' && text.includes('insert into data_export_chunk') && values?.[2] === chunkNo;
    if (isIt) await act(String(values?.[0]));
    return query(text, values);
  }) as never);
}

test.each(['csv', 'xlsx', 'html'])(
  'after a crash in the middle of a %s, another run writes the same file',
  async (format) => {
    const whole = await ask(statement(format));
    expect(await writeNextExport(fixture.domain)).toBe('ready');
    const { sha256, size, rowsWritten, state } = await now(whole);
    const file = await fileOf(whole);
    expect([state, rowsWritten, file.length]).toEqual(['ready', entries + 2, size]);
    expect(createHash('sha256').update(file).digest('hex')).toBe(sha256);

    const crashed = await ask(statement(format));
    const lastChunk = Math.ceil(size / (256 * 1024)) - 1;
    beforeChunk(lastChunk, () => Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })));
    await expect(writeNextExport(fixture.domain)).rejects.toThrow('ECONNRESET');
    vi.restoreAllMocks();
    // Its lease has to end first.
    expect(await writeNextExport(fixture.domain)).toBe('nothing');
    expect(await now(crashed)).toMatchObject({ state: 'running', sha256: null });
    await sql(`update data_export set leased_until = clock_timestamp() where export_id = $1`, [crashed.exportId]);
    expect(await writeNextExport(fixture.domain)).toBe('ready');
    expect(await now(crashed)).toMatchObject({ state: 'ready', sha256, size, rowsWritten: entries + 2 });
    expect((await fileOf(crashed)).equals(file)).toBe(true);
  },
);

test('after another process has taken over an export, the first process stores nothing more', async () => {
  const requested = await ask(statement());
  beforeChunk(1, (exportId) =>
    sql('update data_export set run_no = run_no + 1, rows_written = 0 where export_id = $1', [exportId]),
  );
  expect(await writeNextExport(fixture.domain)).toBe('lost');
  expect(await sql('select chunk_no from data_export_chunk where export_id = $1', [requested.exportId])).toEqual([
    { chunk_no: 0 },
  ]);
  expect(await now(requested)).toMatchObject({ state: 'running', rowsWritten: 0 });
});

test('a process that was paused after its claim does not delete chunks of the next run', async () => {
  const requested = await ask(statement());
  beforeChunk(1, (exportId) => sql('update data_export set run_no = run_no + 1 where export_id = $1', [exportId]));
  expect(await writeNextExport(fixture.domain)).toBe('lost');
  const chunks = () => sql('select chunk_no from data_export_chunk where export_id = $1', [requested.exportId]);
  await sql(dropChunksSql, [requested.exportId, 1]);
  expect(await chunks()).toHaveLength(1);
  await sql(dropChunksSql, [requested.exportId, 2]);
  expect(await chunks()).toEqual([]);
});

test('a cancelled export is not written on, and has no file', async () => {
  const requested = await ask(statement());
  beforeChunk(1, (exportId) => cancelExport(fixture.domain, ann, exportId));
  expect(await writeNextExport(fixture.domain)).toBe('lost');
  expect(await sql('select from data_export_chunk')).toEqual([]);
  expect(await now(requested)).toMatchObject({ state: 'cancelled', sha256: null });
  expect(await openDownload(fixture.domain, ann, requested.exportId)).toMatchObject({ rejection: 'export_not_ready' });
  expect(await cancelExport(fixture.domain, ann, requested.exportId)).toMatchObject({ rejection: 'export_ended' });
});

test('a process that shuts down gives its export back', async () => {
  const requested = await ask(statement());
  expect(await writeNextExport(fixture.domain, () => true)).toBe('paused');
  expect(await now(requested)).toMatchObject({ state: 'waiting' });
  expect(await writeNextExport(fixture.domain)).toBe('ready');
});

test('an export that never finishes is failed', async () => {
  const requested = await ask(statement());
  await sql(`update data_export set run_no = 10 where export_id = $1`, [requested.exportId]);
  expect(await writeNextExport(fixture.domain)).toBe('failed');
  expect(await now(requested)).toMatchObject({ state: 'failed', failure: expect.stringContaining('begun 10 times') });
});

test('a statement has its opening balance, each entry in order, and its closing balance', async () => {
  const requested = await ask(statement());
  // Booked later, so it is not in the period that was requested.
  await sql(`update wallet set last_entry_no = last_entry_no where merchant_id = $1`, [merchantId]);
  await writeNextExport(fixture.domain);
  const lines = (await fileOf(requested)).toString().split('\r\n');
  expect(lines.length).toBe(entries + 4);
  expect(lines[1]).toBe(',,opening,INR,,,0.00,0.00,,,');
  expect(lines[2]).toMatch(/^1,\d{4}-.*Z,top_up,INR,0\.01,0\.00,0\.01,0\.00,,B1,'=cmd\|x{60}$/);
  expect(lines.at(-2)).toBe(',,closing,INR,,,60.00,0.00,,,');
});

test.each([
  ['an entry is missing', 'delete from wallet_entry where merchant_id = $1 and entry_no = 3000'],
  [
    'a balance is wrong',
    'update wallet_entry set available_before = available_before + 1, available_after = available_after + 1 where merchant_id = $1 and entry_no = 3000',
  ],
  ['the last entry is missing', `delete from wallet_entry where merchant_id = $1 and entry_no = ${entries}`],
])('a statement fails where %s', async (_what, tamper) => {
  const requested = await ask(statement());
  const client = await fixture.domain.database.pool.connect();
  try {
    await client.query("set session_replication_role = 'replica'");
    await client.query(tamper, [merchantId]);
  } finally {
    client.release(true);
  }
  expect(await writeNextExport(fixture.domain)).toBe('failed');
  expect(await now(requested)).toMatchObject({ state: 'failed', failure: expect.stringContaining('does not add up') });
  expect(await sql('select from data_export_chunk')).toEqual([]);
  await writeHistory();
});

test('a day of the reconciliation is exported with its breaks, its lines and their matches', async () => {
  const day = dayAgo('PK', 3);
  const rows = ['S-1', 'S-2'].map((channelRef, i) =>
    aLine({ currency: 'PKR', bookedOn: day, channelRef, lineNo: i + 1, bankRef: '=1+1' }),
  );
  const other = aLine({ currency: 'PKR', bookedOn: dayAgo('PK', 2), channelRef: 'S-3', lineNo: 3 });
  await anImport(fixture.domain, 'PK', [...rows, other]);
  await reconcileAll(fixture.domain);
  const of = { country: 'PK', channelId: 'fake', day };
  const [breaks, lines] = [await ask({ format: 'csv', breaks: of }), await ask({ format: 'csv', statementLines: of })];
  for (let n = 0; n < 2; n += 1) expect(await writeNextExport(fixture.domain)).toBe('ready');
  const [breakRows, lineRows] = [(await fileOf(breaks)).toString(), (await fileOf(lines)).toString()];
  expect(breakRows.match(/missing_in_ledger,open,PKR,100\.00/g)).toHaveLength(2);
  expect(lineRows.match(new RegExp(`${day},fake,payin,in,PKR,100\\.00,0\\.00,0\\.00,100\\.00`, 'g'))).toHaveLength(2);
  expect(lineRows).toContain(`,'=1+1,`);
  expect(lineRows).not.toContain('S-3');
});

test('audit records are exported, and expired exports are purged with their chunks', async () => {
  const requested = await ask({ format: 'csv', auditRecords: { actions: ['requestExport'] } });
  await writeNextExport(fixture.domain);
  expect((await fileOf(requested)).toString()).toContain(`,${merchantId},`);
  await sql(
    `update data_export set ended_at = ended_at - interval '8 days', expires_at = expires_at - interval '8 days'`,
  );
  expect(await openDownload(fixture.domain, ann, requested.exportId)).toMatchObject({ rejection: 'export_expired' });
  const young = await ask(statement());
  const archived: string[] = [];
  const archive = async (kind: string): Promise<void> => void archived.push(kind);
  await purgeOldRows(fixture.domain, { kind: 'data_export', days: 7, archive });
  expect(await sql('select export_id as "exportId" from data_export')).toEqual([{ exportId: young.exportId }]);
  expect([await sql('select from data_export_chunk'), archived]).toEqual([[], []]);
});
