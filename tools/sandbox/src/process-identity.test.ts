import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort, isPortFree } from './ports.ts';
import { identify, isAlive, type ProcessIdentity } from './process-identity.ts';

const LISTEN_WITH_THREADS = `
  const { Worker } = require('node:worker_threads');
  const thread = 'const kept = Buffer.alloc(20e6, 1); setInterval(() => kept.fill(2), 1)';
  for (let i = 0; i < 4; i += 1) new Worker(thread, { eval: true });
  require('node:net').createServer().listen(Number(process.argv[1]), '127.0.0.1', () => console.log('listening'));`;

/** Starts a process that has several threads and listens on `port`. */
async function listenElsewhere(port: number): Promise<ProcessIdentity> {
  const child = spawn(process.execPath, ['-e', LISTEN_WITH_THREADS, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await once(child.stdout, 'data');
  const identity = identify(child.pid ?? 0);
  if (identity === undefined) throw new Error('the process has ended');
  return identity;
}

test('a killed process with several threads is alive until its port is free', async () => {
  // Without the count of threads, the port was still in use in most tries.
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const port = await findFreePort();
    const listener = await listenElsewhere(port);
    process.kill(listener.pid, 'SIGKILL');
    while (isAlive(listener));
    expect(await isPortFree(port)).toBe(true);
  }
});
