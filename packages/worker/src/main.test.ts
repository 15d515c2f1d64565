import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { testKeysOf } from '@tidegate/domain/testing';
import { compileCache, createTestDatabase, createTestRedis, scriptOf } from '@tidegate/sandbox/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { findFreePort } from '../../../tools/sandbox/src/ports.ts';

const main = scriptOf('packages/worker/src/main.ts');
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

/** Starts the process, and collects its output. */
function run(environment: Record<string, string>, args: string[] = []) {
  const env = { ...compileCache, ...environment };
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output.text += chunk));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return { child, output, ended };
}

async function environment(changed: Record<string, string> = {}) {
  const port = await findFreePort();
  const env = {
    PORT: String(port),
    TIDEGATE_KEYS: testKeysOf('worker'),
    TIDEGATE_ENV: 'sandbox',
    LOG_LEVEL: 'info',
    PUBLIC_BASE_URL: 'http://pay.test',
    DATABASE_URL: (await createTestDatabase()).url,
    REDIS_URL: (await createTestRedis()).url,
    ...changed,
  };
  return { env, url: `http://127.0.0.1:${port}` };
}

const statusOf = (url: string): Promise<number> => fetch(url).then((response) => response.status);

test('a worker becomes ready, shows its metrics, and ends with exit code 0 after SIGTERM', {
  timeout: 60_000,
}, async () => {
  const { env, url } = await environment({ TIDEGATE_SCHEDULE_SCALE: '0.1' });
  const { child, output, ended } = run(env, ['--queues', 'notify,dispatch']);
  await vi.waitFor(async () => expect(await statusOf(`${url}/readyz`)).toBe(200), { timeout: 45_000 });
  expect(await statusOf(`${url}/healthz`)).toBe(200);
  await vi.waitFor(
    async () => {
      const text = await (await fetch(`${url}/metrics`)).text();
      expect(text).toMatch(/^tidegate_job_duration_seconds_count\{queue="dispatch",outcome="nothing"\} [1-9]/m);
    },
    // An answer is repeated for a while.
    { timeout: 30_000 },
  );
  expect(output.text).toContain('"queues":["notify","dispatch"]');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('a worker without Redis keeps running, logs the outage, and still ends with exit code 0', {
  timeout: 60_000,
}, async () => {
  const { env, url } = await environment({ REDIS_URL: `redis://127.0.0.1:${await findFreePort()}` });
  const { child, output, ended } = run(env);
  await vi.waitFor(async () => expect(await statusOf(`${url}/healthz`)).toBe(200), { timeout: 45_000 });
  const ready = await fetch(`${url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ checks: { database: 'ok', redis: 'unavailable' } });
  expect(await statusOf(`${url}/metrics`)).toBe(200);
  const began = performance.now();
  child.kill('SIGTERM');
  expect(await ended, output.text).toBe(0);
  expect(performance.now() - began).toBeLessThan(15_000);
});

test('all errors of the environment variables are reported, without secrets', async () => {
  const { output, ended } = run({
    PORT: 'x',
    DATABASE_URL: 'mysql://root:hush@h/d',
    WORKER_POLL_CONCURRENCY: '0',
  });
  expect(await ended).toBe(1);
  for (const name of ['PORT', 'DATABASE_URL', 'REDIS_URL', 'TIDEGATE_KEYS', 'TIDEGATE_ENV', 'WORKER_POLL_CONCURRENCY'])
    expect(output.text).toContain(name);
  expect(output.text).not.toContain('hush');
});

test('unknown queue names are refused before anything is opened', async () => {
  const unusedAddress = `127.0.0.1:${await findFreePort()}`;
  const env = {
    PORT: '0',
    TIDEGATE_KEYS: testKeysOf('worker'),
    TIDEGATE_ENV: 'sandbox',
    PUBLIC_BASE_URL: 'http://pay.test',
    DATABASE_URL: `postgres://${unusedAddress}/none`,
    REDIS_URL: `redis://${unusedAddress}`,
  };
  const { output, ended } = run(env, ['--queues', 'notify,polls']);
  expect(await ended).toBe(1);
  expect(output.text).toMatch(/^--queues takes some of .*; not: polls\n$/);
});
