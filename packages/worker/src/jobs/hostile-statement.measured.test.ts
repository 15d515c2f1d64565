import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { setChannel } from '@tidegate/domain/admin';
import { openTestDomain, testKeysOf } from '@tidegate/domain/testing';
import { compileCache, createTestDatabase, createTestRedis, scriptOf } from '@tidegate/sandbox/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { importStatement } from '../../../domain/src/reconciliation/files/import-statement.ts';
import { receiveStatement } from '../../../domain/src/reconciliation/files/receive-statement.ts';

let child: ChildProcess | null = null;
afterEach(() => {
  child?.kill('SIGKILL');
});

/** 64 MiB of documents with 8,000 lists each. The last one has no list of items, so the file is refused at its end. */
function* hostile(): Generator<Buffer> {
  const lists = '"a":[],'.repeat(8_000);
  const document = Buffer.from(`{${lists}"items":[]}`);
  for (let size = 0; size < 64 * 1024 * 1024; size += document.length) yield document;
  yield Buffer.from(`{${lists}"b":[]}`);
}

test('while a hostile statement of 64 MiB is read, the worker answers health checks', {
  timeout: 300_000,
}, async () => {
  const { url } = await createTestDatabase();
  const fixture = await openTestDomain(url, {
    statementFormats: {
      'razorpay-recon': { name: 'razorpay-recon', version: 1, recognises: () => false, read: () => Readable.from([]) },
    },
  });
  const { domain } = fixture;
  const channelId = 'hostile';
  await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  const file = { tenant: 'PLATFORM-IN', name: 'a file', uploadedBy: 'ann' };
  const received = await receiveStatement(domain, file, Readable.from(hostile()));
  if (!received.ok) throw new Error(received.problem);
  const { fileNo } = received.file;
  const request = { country: 'IN' as const, channelId, fileNo, format: 'razorpay-recon' };
  const by = { actor: 'ann', approver: null, reason: 'daily' };
  expect(await importStatement(domain, request, by)).toMatchObject({ ok: true });

  const port = await freePort();
  const env = {
    PORT: String(port),
    TIDEGATE_KEYS: testKeysOf('worker'),
    TIDEGATE_ENV: 'sandbox',
    PUBLIC_BASE_URL: 'http://pay.test',
    TIDEGATE_SCHEDULE_SCALE: '0.05',
    DATABASE_URL: url,
    REDIS_URL: (await createTestRedis()).url,
    ...compileCache,
  };
  child = spawn(process.execPath, [scriptOf('packages/worker/src/main.ts'), '--queues', 'reconcile'], {
    env,
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const isHealthy = async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
  await vi.waitFor(async () => expect(await isHealthy()).toBe(true), { timeout: 90_000, interval: 50 });
  let slowest = 0;
  const refusal = async (): Promise<string | null> => {
    const began = performance.now();
    expect(await isHealthy()).toBe(true);
    slowest = Math.max(slowest, performance.now() - began);
    const { rows } = await domain.database.pool.query<{ refusal: string | null }>(
      'select refusal from statement_file where file_no = $1',
      [fileNo],
    );
    return rows[0]?.refusal ?? null;
  };
  await vi.waitFor(async () => expect(await refusal()).toContain('there is no list "items"'), {
    timeout: 180_000,
    interval: 20,
  });
  console.log(`the slowest health check took ${Math.round(slowest)} ms`);
  expect(slowest).toBeLessThan(1_000);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await fixture.close();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}
