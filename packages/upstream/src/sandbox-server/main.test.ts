import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@tidegate/sandbox/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  eventually,
  FAKE_UPSTREAM_SECRET,
  type FakeUpstream,
  openFakeUpstream,
  within,
} from '../testing/fake-upstream.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
let upstream: FakeUpstream;
let running: ChildProcess[] = [];
beforeEach(async () => {
  upstream = await openFakeUpstream();
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  running = [];
  await upstream.close();
});

test('orders survive kill -9 of the process between a create and its payment', async () => {
  const first = await start({});
  const channel = upstream.channelAt(first.url);
  const order = upstream.order({ amount: '10.00' });
  const accepted = await channel.create(order, within(5_000));
  expect(accepted).toMatchObject({ outcome: 'accepted' });
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  expect(upstream.callbacks(order.orderNo)).toHaveLength(0);

  const second = await start({ PORT: new URL(first.url).port });
  await eventually(() => expect(upstream.callbacks(order.orderNo)).toHaveLength(1));
  const answer = await upstream.channelAt(second.url).query(order, within(5_000));
  expect(answer).toMatchObject({
    outcome: 'paid',
    channelRef: 'channelRef' in accepted ? accepted.channelRef : '',
    payments: [{ amount: '10.00' }],
  });
});

test('SIGTERM ends the process cleanly, also with open connections', async () => {
  const { child, url } = await start({});
  const caller = new AbortController();
  const held = upstream.channelAt(url).create(upstream.order({ amount: '10.12' }), caller.signal);
  await eventually(async () => {
    const reply = await fetch(`${url}/orders`);
    expect(await reply.text()).toContain('"creates":1');
  });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  caller.abort();
  expect(await held).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
});

test('an invalid environment is reported, and nothing starts', async () => {
  const child = run({ PORT: '0', SANDBOX_UPSTREAM_SECRET: 'short' });
  let output = '';
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(output).toMatch(/STATE_FILE.*\n.*SANDBOX_UPSTREAM_SECRET/);
  expect(output).not.toContain('short');
});

function run(environment: Record<string, string>): ChildProcess {
  const env = { ...compileCache, ...environment };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  return child;
}

async function start(environment: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const STATE_FILE = `${upstream.stateFile}.process`;
  const child = run({ PORT: '0', STATE_FILE, SANDBOX_UPSTREAM_SECRET: FAKE_UPSTREAM_SECRET, ...environment });
  if (!child.stdout) throw new Error('no output to read');
  for await (const line of createInterface(child.stdout)) {
    const { url } = JSON.parse(line) as { url?: string };
    child.stdout.resume();
    if (url) return { child, url };
  }
  throw new Error('the process ended before it was ready');
}
