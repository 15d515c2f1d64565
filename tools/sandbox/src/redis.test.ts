import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive, type ProcessIdentity } from './process-identity.ts';
import { startRedis } from './redis.ts';
import { makeRunFolder } from './run-folder.ts';

async function folder() {
  const { dir: parent, record, remove } = await makeRunFolder();
  onTestFinished(remove);
  return {
    dir: join(parent, 'redis'),
    logFile: join(parent, 'redis.log'),
    onSpawn: (identity: ProcessIdentity) => record.add('redis', identity),
  };
}

async function start(options: Parameters<typeof startRedis>[0]) {
  const redis = await startRedis(options);
  onTestFinished(() => redis.stop());
  return redis;
}

async function ask(url: string, command: string): Promise<string> {
  const { port, hostname, password } = new URL(url);
  const socket = createConnection({ port: Number(port), host: hostname });
  socket.write(`AUTH ${password || 'none'}\r\n${command}\r\nQUIT\r\n`);
  return (await text(socket)).split('\r\n').slice(1, -2).join(' ');
}

test('data survives kill -9 of the server, and a server that a killed supervisor left behind is ended', async () => {
  const options = await folder();
  const first = await start(options);
  await ask(first.url, 'SET kept here');
  await ask(first.url, 'CONFIG SET appendfsync always');
  await ask(first.url, 'SET kept again');
  process.kill(first.identity.pid, 'SIGKILL');
  await first.ended;
  const second = await start({ ...options, password: 'known' });
  expect(await ask(second.url, 'GET kept')).toBe('$5 again');
  const third = await start({ ...options, password: 'known', port: second.port });
  expect(isAlive(second.identity)).toBe(false);
  expect(third.url).toBe(second.url);
  expect(await ask(third.url, 'GET kept')).toBe('$5 again');
});

test('Redis evicts nothing, listens on loopback only, and needs a password', async () => {
  const redis = await start(await folder());
  expect(await ask(redis.url, 'CONFIG GET maxmemory-policy')).toContain('noeviction');
  expect(await ask(redis.url, 'CONFIG GET bind')).toContain('127.0.0.1');
  const withoutPassword = new URL(redis.url);
  withoutPassword.password = '';
  expect(await ask(withoutPassword.href, 'PING')).toContain('NOAUTH');
});

test('for tests Redis can run without files', async () => {
  const redis = await start({ ...(await folder()), settings: { appendonly: 'no' } });
  expect(await ask(redis.url, 'CONFIG GET appendonly')).toContain('no');
});

test("only the owner can read Redis' files, also those of an earlier start", async () => {
  const options = await folder();
  mkdirSync(join(options.dir, 'appendonlydir'), { recursive: true, mode: 0o755 });
  writeFileSync(join(options.dir, 'dump.rdb.old'), '', { mode: 0o644 });
  const redis = await start(options);
  await ask(redis.url, 'SET kept here');
  await ask(redis.url, 'SAVE');
  const written = readdirSync(options.dir, { recursive: true, encoding: 'utf8' });
  expect(written).toEqual(expect.arrayContaining(['dump.rdb', expect.stringMatching(/^appendonlydir.appendonly/)]));
  const paths = [options.logFile, options.dir, ...written.map((path) => join(options.dir, path))];
  const openToOthers = paths.filter((path) => (statSync(path).mode & 0o077) !== 0);
  expect(openToOthers).toEqual([]);
});
