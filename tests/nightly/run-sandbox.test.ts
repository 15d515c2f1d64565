import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, type TestContext, test, vi } from 'vitest';
import { sweepMovedFolders } from '../../tools/sandbox/src/moved-folder.ts';
import { isAlive, type ProcessIdentity } from '../../tools/sandbox/src/process-identity.ts';
import { endLeftovers } from '../../tools/sandbox/src/process-record.ts';
import { readSandboxFile, type SandboxFile } from '../../tools/sandbox/src/sandbox-file.ts';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';
import { runServices } from '../run-services/ask-services.ts';

const script = fileURLToPath(new URL('../../tools/sandbox/test/fake-sandbox/main.ts', import.meta.url));
const READY = { timeout: 120_000, interval: 50 };

// Each test starts its own databases and processes, and mostly waits for them, so most run concurrently.
vi.setConfig({ testTimeout: 180_000 });
afterAll(() => vi.resetConfig());

/** A data folder and a range of ports for one test. Processes that still run on it are ended after the test. */
async function fixture({ expect, onTestFinished }: TestContext) {
  const parent = mkdtempSync(join(tmpdir(), 'sandbox-run-'));
  const dataDir = join(parent, 'data');
  const base = await runServices.reservePorts();
  const started: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of started) child.kill('SIGKILL');
    await endLeftovers(join(dataDir, 'pids.json'));
    rmSync(parent, { recursive: true });
    await sweepMovedFolders();
  });

  const start = (...args: string[]) => {
    const env = {
      ...process.env,
      TIDEGATE_DATA_DIR: dataDir,
      TIDEGATE_PORT_BASE: String(base),
      DATABASE_URL: '',
      REDIS_URL: '',
    };
    const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    started.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return {
      child,
      ended,
      output: () => output,
      ready: async () => {
        await expect.poll(() => output.includes('Tidegate is ready') || child.exitCode !== null, READY).toBe(true);
        if (child.exitCode !== null) throw new Error(`It ended with exit code ${child.exitCode}:\n${output}`);
      },
    };
  };
  const processes = (): (ProcessIdentity & { name: string })[] =>
    JSON.parse(readFileSync(join(dataDir, 'pids.json'), 'utf8')).processes;
  return { dataDir, base, start, processes, sandbox: () => readSandboxFile(join(dataDir, 'sandbox.json')) };
}

async function startsKept(sandbox: SandboxFile | undefined): Promise<number> {
  return (await queryDatabase(sandbox?.databaseUrl ?? '', 'select from start')).length;
}

test.concurrent('npm start starts all processes and prints the addresses, and Ctrl-C ends all of them', async (context) => {
  const { expect } = context;
  const { dataDir, base, start, processes, sandbox } = await fixture(context);
  const run = start();
  await run.ready();
  await expect.poll(run.output, READY).toContain(`Merchants' docs      http://127.0.0.1:${base}/docs\n`);
  expect(run.output()).toContain(`http://127.0.0.1:${base + 11}/received\n`);
  expect(statSync(join(dataDir, 'sandbox.json')).mode & 0o777).toBe(0o600);
  expect(sandbox()).toMatchObject({
    restUrl: `http://127.0.0.1:${base}`,
    graphqlUrl: `http://127.0.0.1:${base + 1}/graphql`,
    workerUrl: `http://127.0.0.1:${base + 2}`,
    upstreamUrl: `http://127.0.0.1:${base + 10}`,
    receiverUrl: `http://127.0.0.1:${base + 11}`,
    adminToken: 'a',
    approverToken: 'b',
    supportToken: 'c',
    merchants: [],
  });
  const running = processes();
  expect(running.map(({ name }) => name)).toEqual([
    'postgres',
    'redis',
    'upstream',
    'receiver',
    'rest',
    'api',
    'worker',
  ]);
  const worker = (await (await fetch(`http://127.0.0.1:${base + 2}`)).json()) as { env: Record<string, string> };
  expect(worker.env).toMatchObject({
    TIDEGATE_ENV: 'sandbox',
    TIDEGATE_SCHEDULE_SCALE: '1',
    PORT: String(base + 2),
    HOST: '127.0.0.1',
    // Each process is a user of its own.
    DATABASE_URL: expect.stringMatching(/^postgres:\/\/tidegate_worker:[0-9a-f]{48}@127\.0\.0\.1:[0-9]+\/tidegate$/),
    REDIS_URL: expect.stringMatching(/^redis:\/\/tidegate_worker:[0-9a-f]{64}@127\.0\.0\.1:[0-9]+\/0$/),
    PUBLIC_BASE_URL: `http://127.0.0.1:${base}`,
    NOTIFY_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    LOG_LEVEL: 'info',
    CHANNEL_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    TIDEGATE_KEYS: expect.stringMatching(/^payin current open [0-9a-f]{8} [A-Za-z0-9_-]{43}$/m),
  });
  run.child.kill('SIGINT');
  // A terminal, npm and the script in between each pass on the same Ctrl-C.
  run.child.kill('SIGINT');
  expect(await run.ended).toBe(0);
  expect(running.some(isAlive)).toBe(false);
  expect(existsSync(join(dataDir, 'sandbox.json'))).toBe(false);
});

// The longest test, with three starts, runs alone.
test('after kill -9 of all processes the next start continues with the data, and --fresh begins with empty data', async (context) => {
  const { expect } = context;
  const { start, processes, sandbox } = await fixture(context);
  const first = start();
  await first.ready();
  const before = sandbox();
  first.child.kill('SIGKILL');
  await first.ended;
  const leftRunning = processes();
  for (const { pid, name } of leftRunning) if (name === 'postgres' || name === 'worker') process.kill(pid, 'SIGKILL');
  const second = start();
  await second.ready();
  expect(second.output()).toMatch(
    /Ended what an earlier npm start had left running: redis, upstream, receiver, rest, api\n/,
  );
  expect(leftRunning.some(isAlive)).toBe(false);
  expect(sandbox()).toEqual(before);
  expect(await startsKept(sandbox())).toBe(2);

  const third = start('--fresh');
  await third.ready();
  expect(third.output()).toContain('It is being stopped; this one then continues.');
  expect(await second.ended).toBe(0);
  expect(second.output()).toContain('Stopped.');
  expect(await startsKept(sandbox())).toBe(1);
  expect(sandbox()?.databaseUrl).not.toBe(before?.databaseUrl);
});

test.concurrent('every killed process is restarted, also the databases', async (context) => {
  const { expect } = context;
  const { base, start, processes, sandbox } = await fixture(context);
  const run = start();
  await run.ready();
  const before = processes();
  for (const { pid } of before) process.kill(pid, 'SIGKILL');
  await expect.poll(() => run.output().match(/is back/g)?.length, READY).toBe(before.length);
  expect(
    processes()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(before.map(({ name }) => name).toSorted());
  expect(await startsKept(sandbox())).toBe(1);
  expect((await fetch(`http://127.0.0.1:${base}`)).status).toBe(200);
});

test.concurrent('a port in use is reported with a remedy', async (context) => {
  const { expect, onTestFinished } = context;
  const { base, start } = await fixture(context);
  const other = createServer().listen(base + 10, '127.0.0.1');
  onTestFinished(() => {
    other.close();
  });
  const run = start();
  expect(await run.ended).toBe(1);
  expect(run.output()).toContain(`Port ${base + 10} (for upstream) is used by another program`);
  expect(run.output()).toContain('TIDEGATE_PORT_BASE=');
});

test.concurrent('Ctrl-C during the start ends the processes that were started so far', async (context) => {
  const { expect } = context;
  const { start, processes } = await fixture(context);
  const run = start();
  await expect.poll(run.output, READY).toContain('✓ PostgreSQL');
  const running = processes();
  run.child.kill('SIGINT');
  expect(await run.ended, run.output()).toBe(0);
  expect(running.some(isAlive)).toBe(false);
});
