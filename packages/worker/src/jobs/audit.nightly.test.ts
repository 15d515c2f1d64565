import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeFinding, openFindings } from '@tidegate/domain/admin';
import { aFundedMerchant, openTestDomain, type TestDomain, testKeysOf } from '@tidegate/domain/testing';
import { readAuditState } from '@tidegate/domain/worker';
import { compileCache, createTestDatabase, createTestRedis, scriptOf } from '@tidegate/sandbox/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findFreePort } from '../../../../tools/sandbox/src/ports.ts';
import { placePayin } from '../../../domain/src/testing/payins.ts';
import { changeByHand } from '../../../domain/test/by-hand.ts';

// Real workers on one database and one Redis, doing nothing but audit.

const main = scriptOf('packages/worker/src/main.ts');
let fixture: TestDomain;
let stores: { DATABASE_URL: string; REDIS_URL: string };
const children: ChildProcess[] = [];

beforeEach(async () => {
  stores = { DATABASE_URL: (await createTestDatabase()).url, REDIS_URL: (await createTestRedis()).url };
  fixture = await openTestDomain(stores.DATABASE_URL);
});
afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  await fixture.close();
});

interface RunningWorker {
  child: ChildProcess;
  /** The logged errors. */
  errors(): Record<string, unknown>[];
  /** All that it has written to its log. */
  output: { text: string };
  /** The number in the first match of `pattern` in the metrics; null if there is none. */
  metric(pattern: RegExp): Promise<number | null>;
}

async function startWorker(): Promise<RunningWorker> {
  const port = await findFreePort();
  const env = {
    PORT: String(port),
    TIDEGATE_KEYS: testKeysOf('worker'),
    TIDEGATE_ENV: 'sandbox',
    PUBLIC_BASE_URL: 'http://pay.test',
    TIDEGATE_SCHEDULE_SCALE: '0.05',
    ...stores,
    ...compileCache,
  };
  const child = spawn(process.execPath, [main, '--queues', 'audit'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output.text += chunk));
  const url = `http://127.0.0.1:${port}/metrics`;
  return {
    child,
    output,
    errors: () => output.text.split('\n').flatMap((line) => (line.includes('"level":50') ? [JSON.parse(line)] : [])),
    metric: async (pattern) => {
      const text = await fetch(url).then(
        (response) => response.text(),
        () => '',
      );
      const found = pattern.exec(text);
      return found ? Number(found[1]) : null;
    },
  };
}

const rule = 'a balance is the sum of its transfers';
const violations = new RegExp(`^tidegate_ledger_violations\\{rule="${rule}"\\} (\\d+)$`, 'm');
const wholeFinished = /^tidegate_audit_finished_timestamp_seconds\{run="whole"\} ([\d.e+]+)$/m;
const patiently = { timeout: 60_000, interval: 50 };

interface WholeRun {
  position: { phase: string; after: { merchantId: string; orderNo: string } } | null;
  holder: string | null;
  runs: number;
}

async function wholeRun(): Promise<WholeRun | undefined> {
  const { rows } = await fixture.domain.database.pool.query<WholeRun>(
    "select position, holder, finished_runs::integer as runs from audit_run where run = 'whole'",
  );
  return rows[0];
}

test('with two workers a manual change of a wallet is a finding, a metric and one error line, until the finding is closed', {
  timeout: 240_000,
}, async () => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN');
  const workers = [await startWorker(), await startWorker()];
  for (const worker of workers) {
    await vi.waitFor(
      async () => expect(await worker.metric(wholeFinished), worker.output.text).not.toBeNull(),
      patiently,
    );
    expect(await worker.metric(violations)).toBe(0);
  }
  expect((await wholeRun())?.runs).toBe(1);

  const { pool } = fixture.domain.database;
  await changeByHand(pool, 'update wallet set available = available + 0.77 where merchant_id = $1', [merchantId]);
  for (const worker of workers)
    await vi.waitFor(async () => expect(await worker.metric(violations), worker.output.text).toBe(1), patiently);
  const runs = async () =>
    (await pool.query("select finished_runs from audit_run where run = 'incremental'")).rows[0].finished_runs;
  const ranBefore = Number(await runs());
  // Several more runs by both workers report nothing more.
  await vi.waitFor(async () => expect(Number(await runs())).toBeGreaterThan(ranBefore + 8), patiently);
  const logged = workers.flatMap((worker) => worker.errors()).filter((error) => error.rule === rule);
  const finding = (await openFindings(fixture.domain, 10)).find((one) => one.rule === rule);
  expect(logged).toMatchObject([
    { msg: 'the ledger breaks a rule', merchantId, subject: 'available', findingNo: finding?.findingNo },
  ]);
  expect(JSON.stringify(logged)).not.toContain('0.77');

  await pool.query('update wallet set available = available - 0.77 where merchant_id = $1', [merchantId]);
  const by = { actor: 'ann', approver: null, reason: 'put back' };
  const closing = { merchantId, findingNo: finding?.findingNo ?? 0, outcome: 'repaired' } as const;
  expect(await closeFinding(fixture.domain, closing, by)).toMatchObject({ ok: true });
  for (const worker of workers)
    await vi.waitFor(async () => expect(await worker.metric(violations)).toBe(0), patiently);
  for (const { child } of workers) {
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
  }
});

test('after a worker was killed during a full audit, another worker continues it at the same place', {
  timeout: 240_000,
}, async () => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN');
  // After three steps of the run.
  await Promise.all(Array.from({ length: 2_500 }, () => placePayin(fixture.domain, merchantId, 'IN')));
  const killed = await startWorker();
  await vi.waitFor(
    async () => {
      const position = { phase: 'orders', after: { merchantId } };
      expect(await wholeRun()).toMatchObject({ runs: 0, holder: expect.any(String), position });
    },
    { ...patiently, interval: 5 },
  );
  // The lock blocks its next step, even if the kill is slow.
  const { pool } = fixture.domain.database;
  const lock = await pool.connect();
  await lock.query('begin');
  await lock.query('lock table orders in access exclusive mode');
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  await lock.query('rollback');
  lock.release();
  const interrupted = await wholeRun();
  expect(interrupted).toMatchObject({ runs: 0, position: { phase: 'orders', after: { merchantId } } });
  // The dead worker's lease lasts some seconds more. Here it is shortened.
  const { rows } = await pool.query<{ seconds: number }>(`update audit_run set held_until = clock_timestamp()
    where run = 'whole' returning extract(epoch from old.held_until - clock_timestamp())::float8 as seconds`);
  expect(rows[0]?.seconds).toBeLessThanOrEqual(15);

  const next = await startWorker();
  const seen: string[] = [];
  await vi.waitFor(
    async () => {
      const run = await wholeRun();
      if (run?.position) seen.push(run.position.phase === 'orders' ? run.position.after.orderNo : '~');
      expect(run?.runs, next.output.text).toBe(1);
    },
    { ...patiently, interval: 5 },
  );
  expect(seen.filter((orderNo) => orderNo < (interrupted?.position?.after.orderNo ?? '~'))).toEqual([]);
  expect(seen).not.toEqual([]);
  await vi.waitFor(async () => expect(await next.metric(wholeFinished)).not.toBeNull(), patiently);
  expect((await readAuditState(fixture.domain)).open.filter(({ count }) => count > 0)).toEqual([]);
});
