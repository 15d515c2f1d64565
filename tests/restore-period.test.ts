import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminFixture, openAdminFixture } from '../packages/admin/test/admin-fixture.ts';
import { purgeOldRows } from '../packages/domain/src/entries/worker.ts';
import { aMerchant } from '../packages/domain/src/testing/index.ts';
import { placePayin } from '../packages/domain/src/testing/payins.ts';
import { waitFor } from '../packages/domain/src/testing/wait-for.ts';
import { archiveTo } from '../packages/worker/src/upkeep/archive-rows.ts';

// What the worker archived and purged can be read again after `npm run admin -- restore-period`.

let fixture: AdminFixture;
let archive: string;
let orderNo: string;
const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await fixture.domain.database.pool.query<Row>(text, values)).rows;
const calls = () =>
  sql<{ row: string }>('select to_json(c)::text as row from channel_call c where order_no = $1', [orderNo]);

/** 2026-01-15: long before any day on which this runs. */
const called = new Date('2026-01-15T10:00:00.123Z');

beforeAll(async () => {
  fixture = await openAdminFixture();
  archive = mkdtempSync(join(tmpdir(), 'tidegate-archive-'));
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  ({ orderNo } = await placePayin(fixture.domain, merchantId, 'CN'));
  const call = {
    merchantId,
    orderNo,
    channelId: 'fake',
    operation: 'query',
    outcome: 'accepted',
    detail: null,
    isSent: true,
    isAnswer: true,
  } as const;
  fixture.domain.callLog.add({ ...call, startedAt: called.getTime(), durationMs: 5 });
  await waitFor('the call log', async () => (await calls()).length);
});
afterAll(async () => {
  rmSync(archive, { recursive: true, force: true });
  await fixture?.close();
});

const purge = () => purgeOldRows(fixture.domain, { kind: 'channel_call', days: 31, archive: archiveTo(archive) });
const restore = (from: string, to: string, ...more: string[]) =>
  fixture.run(['restore-period', from, to, ...(more.includes('--archive') ? [] : ['--archive', archive]), ...more]);

test('an archived channel call is there again after restore-period, and the worker keeps it', async () => {
  const before = await calls();
  await purge();
  expect(await calls()).toEqual([]);
  const { code, err, out } = await restore('2026-01-15', '2026-01-16');
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('channel_call: 1 rows restored') });
  expect(out).toContain('after 7 days');
  expect(await calls()).toEqual(before);
  await purge();
  expect(await calls()).toEqual(before);
});

test.each([
  ['a period that ends before it begins', ['2026-01-16', '2026-01-15'], /has to end after it begins/],
  ['a day that does not exist', ['2026-02-30', '2026-03-01'], /Expected a day/],
  [
    'a folder that is a file',
    ['2026-01-15', '2026-01-16', '--archive', import.meta.filename],
    /cannot be read: a part of its path is no folder/,
  ],
  ['no folder', ['2026-01-15', '2026-01-16', '--archive', '/nowhere'], /cannot be read: it does not exist/],
  ['91 days', ['2026-01-15', '2026-01-16', '--days', '91'], /from 1 to 90/],
])('restore-period refuses %s', async (_, [from = '', to = '', ...more], problem) => {
  const { code, err } = await restore(from, to, ...more);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(problem) });
});

test('restore-period names the file that is broken, and the line', async () => {
  const day = join(archive, 'channel_call', readdirSync(join(archive, 'channel_call'))[0] ?? '');
  writeFileSync(join(day, '0-half.jsonl.gz'), gzipSync('{"merchant_id": "M-1"}\n{"merchant_id": "M-').subarray(0, -12));
  expect((await restore('2026-01-15', '2026-01-16')).err).toMatch(/0-half\.jsonl\.gz cannot be read/);
  writeFileSync(join(day, '0-half.jsonl.gz'), gzipSync('{"merchant_id": "M-1"}\n[1]\n'));
  expect((await restore('2026-01-15', '2026-01-16')).err).toMatch(/0-half\.jsonl\.gz, line 2: this is no JSON object/);
});
