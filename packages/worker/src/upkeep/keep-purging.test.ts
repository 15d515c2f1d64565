import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Log } from '@tidegate/domain';
import { openTestDomain, type TestDomain } from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepPurging } from './keep-purging.ts';

let fixture: TestDomain;
let dir: string;
const warnings: string[] = [];
const log: Log = { debug: () => {}, info: () => {}, warn: (_, text) => void warnings.push(text), error: () => {} };
beforeEach(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  dir = mkdtempSync(join(tmpdir(), 'tidegate-archive-'));
  warnings.length = 0;
  await queryDatabase(
    `insert into channel_call select 'CN-1', 'PI' || i, 'c', 'fake', 'query', now() - i * interval '1 day', 1, 'paid', 'call ' || i, true, true from generate_series(1, 40) i`,
  );
});
afterEach(async () => {
  await fixture.close();
  rmSync(dir, { recursive: true });
});

const queryDatabase = async (text: string): Promise<{ value: unknown }[]> =>
  (await fixture.domain.database.pool.query(text)).rows;
const kept = async (): Promise<unknown> =>
  (await queryDatabase('select count(*)::integer as value from channel_call'))[0]?.value;

/** The lines of all files of the archive. */
function linesIn(folder: string): Record<string, unknown>[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap((file) => {
    expect(file.name).toMatch(/^\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z-[0-9a-f]{8}\.jsonl\.gz$/);
    const path = join(file.parentPath, file.name);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    return gunzipSync(readFileSync(path))
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  });
}

test('old rows are written to files as JSON lines, and kinds without a retention period are kept', async () => {
  const working = keepPurging(fixture.domain, log, { retention: { channel_call: 30 }, archiveDir: dir, everyMs: 20 });
  await vi.waitFor(async () => expect(await kept()).toBe(29), { timeout: 20_000 });
  await working.stop();
  expect(readdirSync(dir)).toEqual(['channel_call']);
  const lines = linesIn(join(dir, 'channel_call'));
  expect(lines.map(({ detail }) => detail).sort()).toEqual(
    Array.from({ length: 11 }, (_, i) => `call ${i + 30}`).sort(),
  );
  expect(Object.keys(lines[0] ?? {})).toEqual(
    expect.arrayContaining(['merchant_id', 'order_no', 'call_id', 'channel_id', 'started_at', 'outcome']),
  );
  expect(warnings).toEqual([]);
});

test('without an archive old rows are only deleted, and without a retention period nothing is deleted', async () => {
  const idle = keepPurging(fixture.domain, log, { retention: {}, everyMs: 20 });
  const working = keepPurging(fixture.domain, log, {
    retention: { channel_call: 35, notification: undefined },
    everyMs: 20,
  });
  await vi.waitFor(async () => expect(await kept()).toBe(34), { timeout: 20_000 });
  await Promise.all([working.stop(), idle.stop()]);
  expect(readdirSync(dir)).toEqual([]);
});

test('an archive that cannot be written is reported, and all rows are kept', async () => {
  writeFileSync(join(dir, 'channel_call'), 'in the way');
  await queryDatabase(`insert into data_export (export_id, kind, format, state, tenant, requested_by, input, name, failure, ended_at)
    values ('00000000-0000-4000-8000-000000000000', 'orders', 'csv', 'failed', 'PLATFORM', 'ann', '{}', 'a', 'a test', now() - interval '9 days')`);
  const working = keepPurging(fixture.domain, log, {
    retention: { channel_call: 30, data_export: 7 },
    archiveDir: dir,
    everyMs: 20,
  });
  await vi.waitFor(() => expect(warnings.length).toBeGreaterThan(0), { timeout: 20_000 });
  expect(await kept()).toBe(40);
  // Later kinds are still purged.
  const exports = () => queryDatabase('select count(*)::integer as value from data_export');
  await vi.waitFor(async () => expect(await exports()).toEqual([{ value: 0 }]), { timeout: 20_000 });
  rmSync(join(dir, 'channel_call'));
  mkdirSync(join(dir, 'channel_call'));
  await queryDatabase('update retention set held_until = null');
  await vi.waitFor(async () => expect(await kept()).toBe(29), { timeout: 20_000 });
  await working.stop();
});
