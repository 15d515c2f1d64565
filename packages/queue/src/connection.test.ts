import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { type OwnRedis, startOwnRedis } from '../test/own-redis.ts';
import { connectRedis, type RedisConnection } from './connection.ts';
import { isOutage } from './is-outage.ts';
import type { RedisRole } from './server-options.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const open: RedisConnection[] = [];
const servers: OwnRedis[] = [];
afterEach(async () => {
  for (const redis of open.splice(0)) redis.disconnect();
  for (const server of servers.splice(0)) {
    process.kill(server.pid, 'SIGCONT');
    await server.remove();
  }
});

async function ownServer(): Promise<OwnRedis> {
  const server = await startOwnRedis();
  servers.push(server);
  return server;
}

function connect(url: string, role: RedisRole): RedisConnection {
  const redis = connectRedis(url, role, silent);
  open.push(redis);
  return redis;
}

test('no command waits longer than a second for a Redis that hangs, also with many waiting commands; Redis is used again when it answers', {
  timeout: 60_000,
}, async () => {
  const server = await ownServer();
  const redis = connect(server.url, 'commands');
  const setsOne = () => redis.set('key', '1');
  await vi.waitFor(setsOne, { timeout: 10_000 });
  process.kill(server.pid, 'SIGSTOP');
  const waitFor = async (afterMs: number) => {
    await delay(afterMs);
    const began = performance.now();
    await expect(setsOne()).rejects.toSatisfy(isOutage);
    return performance.now() - began;
  };
  const waits = await Promise.all([0, 5, 100, 400, 780, 820, 1_500, 3_000].map(waitFor));
  for (const ms of waits) expect(ms).toBeLessThan(1_000);
  process.kill(server.pid, 'SIGCONT');
  await vi.waitFor(setsOne, { timeout: 5_000 });
});

test('answers that arrived while the process stalled for longer than the limit count as answers', {
  timeout: 60_000,
}, async () => {
  const server = await ownServer();
  const redis = connect(server.url, 'commands');
  const setsOne = () => redis.set('key', '1');
  await vi.waitFor(setsOne, { timeout: 10_000 });
  const stall = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  const asked = [setsOne(), setsOne()];
  // The commands go out in one write at the end of this tick.
  setImmediate(() => setImmediate(stall));
  expect(await Promise.all(asked)).toEqual(['OK', 'OK']);
});

test.each([
  ['redis://127.0.0.1:PORT', '*'],
  ['rediss://127.0.0.1:PORT', '\u0016'],
  ['redis://127.0.0.1:PORT?cluster=true', '*'],
  ['rediss://127.0.0.1:PORT,rediss://127.0.0.1:PORT', '\u0016'],
])('%s: the first bytes are a command, or a TLS handshake for rediss', async (url, first) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = String((server.address() as AddressInfo).port);
  connect(url.replaceAll('PORT', port), 'commands');
  const [socket] = await once(server, 'connection');
  const [chunk] = await once(socket, 'data');
  expect(String.fromCharCode((chunk as Buffer)[0] ?? 0)).toBe(first);
  socket.destroy();
  server.close();
});

test('user, password and database of the URL are used', async () => {
  const server = await ownServer();
  const base = new URL(server.url);
  const admin = connect(server.url, 'worker');
  await admin.call('ACL', 'SETUSER', 'anna', 'on', '>p@ss,word', '~*', '+@all');
  const redis = connect(`redis://anna:p%40ss,word@${base.host}/3`, 'worker');
  expect(await redis.call('ACL', 'WHOAMI')).toBe('anna');
  expect(await redis.call('CLIENT', 'INFO')).toContain(' db=3 ');
});

test('a wrong URL is reported, without its content', () => {
  expect(() => connectRedis('redis://:hush@h/x', 'commands', silent)).toThrow(/^the URL of Redis .*not a number/);
  expect(() => connectRedis('redis://:hush@h/x', 'commands', silent)).not.toThrow('hush');
});
