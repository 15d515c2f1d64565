import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';

const program = fileURLToPath(new URL('../test/ending-process.ts', import.meta.url));
const children: ChildProcess[] = [];
const agents: Agent[] = [];
// The tests wait for processes, each for its own, so they run concurrently.
afterAll(() => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  for (const agent of agents.splice(0)) agent.destroy();
});

interface Line {
  msg: string;
  address?: string;
  unfinished?: string;
  step?: string;
  tookMs?: Record<string, number>;
}

/** Starts the process, and waits until it listens. */
async function start(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  // Its last lines can arrive after its exit.
  const closed = once(child, 'close');
  let output = '';
  let signalledAt: number | undefined;
  child.stdout.on('data', (chunk) => (output += chunk));
  const lines = (): Line[] =>
    output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const says = (message: string) => vi.waitFor(() => found(lines(), message), { timeout: 20_000, interval: 10 });
  const { address = '' } = await says('listening');
  return {
    address,
    lines,
    says,
    signal: (name: NodeJS.Signals = 'SIGTERM') => {
      signalledAt ??= performance.now();
      child.kill(name);
    },
    /** The exit code, and how long it took after the first signal, in milliseconds. */
    ended: async () => {
      if (child.exitCode === null) await once(child, 'exit');
      const ms = performance.now() - (signalledAt ?? 0);
      await closed;
      return { code: child.exitCode, ms };
    },
  };
}

function found(lines: Line[], message: string): Line {
  const line = lines.find(({ msg }) => msg === message);
  if (!line) throw new Error(`not said yet: ${message}`);
  return line;
}

/** Like a client that keeps its connections. */
function keeping(): (url: string) => Promise<{ status: number; connection: string | undefined; body: string }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return async (url) => {
    const answered = Promise.withResolvers<IncomingMessage>();
    get(url, { agent }, answered.resolve).on('error', answered.reject);
    const response = await answered.promise;
    return { status: response.statusCode ?? 0, connection: response.headers.connection, body: await text(response) };
  };
}

test.concurrent('open requests are answered, connections are closed, the steps run in order, and the exit code is 0', async () => {
  const running = await start('0', '500', '100');
  const ask = keeping();
  expect(await ask(`${running.address}/healthz`)).toMatchObject({ connection: 'keep-alive' });
  const slow = ask(`${running.address}/slow`);
  await running.says('asked');
  running.signal();
  const ended = await running.ended();
  expect(await slow).toEqual({ status: 200, connection: 'close', body: 'done' });
  expect(ended.code).toBe(0);
  expect(ended.ms).toBeLessThan(5_000);
  expect(running.lines().map(({ msg }) => msg)).toEqual([
    'listening',
    'asked',
    'shutting down: open work is finished first',
    'third',
    'ended',
  ]);
  const { tookMs } = found(running.lines(), 'ended');
  expect(Object.keys(tookMs ?? {})).toEqual(['requests', 'second', 'third']);
  expect(tookMs?.second).toBeGreaterThanOrEqual(99);
});

test.concurrent('during the drain notice a process is not ready, still serves requests, and keeps no connection open', async () => {
  const running = await start('1500');
  const ask = keeping();
  expect(await ask(`${running.address}/readyz`)).toMatchObject({ status: 200, connection: 'keep-alive' });
  running.signal();
  await running.says('shutting down: open work is finished first');
  expect(await ask(`${running.address}/readyz`)).toEqual({
    status: 503,
    connection: 'close',
    body: '{"status":"ending","checks":{}}',
  });
  expect(await ask(`${running.address}/slow`)).toEqual({ status: 200, connection: 'close', body: 'done' });
  const ended = await running.ended();
  expect(ended.code).toBe(0);
  expect(ended.ms).toBeGreaterThan(1_400);
  await expect(ask(`${running.address}/slow`)).rejects.toThrow('ECONNREFUSED');
});

test.concurrent('a second signal changes nothing', async () => {
  const running = await start('0', '500');
  const slow = keeping()(`${running.address}/slow`);
  await running.says('asked');
  running.signal();
  await running.says('shutting down: open work is finished first');
  running.signal();
  running.signal('SIGINT');
  await running.says('already ending');
  expect((await running.ended()).code).toBe(0);
  expect(await slow).toMatchObject({ status: 200 });
});

test.concurrent('a shutdown step without an end is given up in time and logged by name, with exit code 1', async () => {
  const running = await start('0', '0', 'never', '700');
  running.signal();
  const ended = await running.ended();
  expect(ended.code).toBe(1);
  expect(ended.ms).toBeGreaterThan(500);
  expect(ended.ms).toBeLessThan(10_000);
  expect(running.lines()).toContainEqual(expect.objectContaining({ unfinished: 'second' }));
});

test.concurrent('the drain notice is part of the time limit', async () => {
  const running = await start('20000', '0', '0', '500');
  running.signal();
  const ended = await running.ended();
  expect(ended.code).toBe(1);
  expect(ended.ms).toBeLessThan(10_000);
  expect(running.lines()).toContainEqual(expect.objectContaining({ unfinished: 'notice' }));
});

test.concurrent('a request without an end is cut off, and later steps run', async () => {
  const running = await start('0', 'never', '0', '5000');
  const slow = keeping()(`${running.address}/slow`);
  slow.catch(() => undefined);
  await running.says('asked');
  running.signal();
  expect((await running.ended()).code).toBe(0);
  await expect(slow).rejects.toThrow('socket hang up');
});

test.concurrent('a failed shutdown step is reported by name, later steps run, and the exit code is 1', async () => {
  const running = await start('0', '0', 'fails');
  running.signal();
  expect((await running.ended()).code).toBe(1);
  expect(running.lines()).toContainEqual(expect.objectContaining({ step: 'second' }));
  expect(running.lines().map(({ msg }) => msg)).toContain('third');
});
