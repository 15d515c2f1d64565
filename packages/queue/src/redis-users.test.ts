import { Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type OwnRedis, startOwnRedis } from '../test/own-redis.ts';
import {
  announcer,
  closeAfterTest,
  closeAll,
  completedOrder,
  openTestListener,
  silent,
  untilReceived,
} from '../test/test-listener.ts';
import { openCallLimiter } from './call-limiter.ts';
import { openChannelOutcomes } from './channel-outcomes.ts';
import { connectRedis, type RedisConnection } from './connection.ts';
import { readMarks } from './marks.ts';
import { queueOptions, repairQueue } from './queue-state.ts';
import { openQueue } from './queues.ts';
import { type RedisUser, redisRights, redisUsers, rulesOf, sandboxUrl } from './redis-users.ts';
import { openWakeUps } from './wake-up.ts';

let redis: OwnRedis;
beforeAll(async () => {
  redis = await startOwnRedis();
});
afterEach(closeAll);
afterAll(() => redis.remove());

/** A connection as one of the users; `null`: as the default user. */
function connect(user: RedisUser | null): RedisConnection {
  const url = user === null ? redis.url : sandboxUrl(redis.url, user);
  const connection = connectRedis(url, 'worker', silent);
  closeAfterTest(() => connection.disconnect());
  return connection;
}

const dangerous = [
  'FLUSHALL',
  'FLUSHDB',
  'CONFIG SET maxmemory 1',
  'CONFIG GET *',
  'CONFIG REWRITE',
  'KEYS *',
  'SCAN 0',
  'DEBUG SLEEP 0',
  'SHUTDOWN NOSAVE',
  'MONITOR',
  'SAVE',
  'BGSAVE',
  'REPLICAOF NO ONE',
  'ACL LIST',
  'ACL SETUSER default on',
  'CLIENT LIST',
  'CLIENT KILL TYPE normal',
  'SCRIPT FLUSH',
  'SCRIPT KILL',
  'FUNCTION FLUSH',
  'MODULE LIST',
  'SWAPDB 0 1',
  'MIGRATE 127.0.0.1 1 a 0 1',
  'CLUSTER RESET',
  'PSUBSCRIBE *',
  'PUBLISH anything x',
  'SUBSCRIBE anything',
  'GET secret-of-another-program',
  'SET secret-of-another-program 1',
  'DEL tidegate:anything',
];

test.each(redisUsers)(
  'the user of %s may not use dangerous commands, foreign keys or foreign channels, also not in a script',
  async (user) => {
    const connection = connect(user);
    for (const line of dangerous) {
      const [name = '', ...args] = line.split(' ');
      await expect(connection.call(name.toLowerCase(), ...args), line).rejects.toThrow(
        /^NOPERM|^ERR DEBUG command not allowed|^ERR This instance has cluster support disabled/,
      );
    }
    const script = "return redis.pcall('flushall')";
    const inside = await connection.eval(script, 0).then(String, String);
    expect(inside).toMatch(/NOPERM|can't run this command|permission/i);
  },
);

test('only the REST adapter can use up nonces, only workers can touch delivery slots, and only servers hear of changes', async () => {
  const may = async (user: RedisUser, ...command: [string, ...string[]]) =>
    connect(user)
      .call(...command)
      .then(
        () => true,
        (error: Error) => !error.message.startsWith('NOPERM'),
      );
  const owners = async (...command: [string, ...string[]]) => {
    const answers = await Promise.all(redisUsers.map(async (user) => ((await may(user, ...command)) ? [user] : [])));
    return answers.flat();
  };
  expect(await owners('SADD', 'tidegate:{M1}:nonces:0', 'n')).toEqual(['rest']);
  expect(await owners('SET', 'tidegate:{M1}:rate', '1')).toEqual(['rest']);
  expect(await owners('ZADD', 'tidegate:{notify-example.com:443}:leases', '1', 'M1')).toEqual(['worker']);
  expect(await owners('LPUSH', '{tidegate-submit}:submit:wait', '1')).toEqual([...redisUsers]);
  expect(await owners('LPUSH', '{tidegate-audit}:audit:wait', '1')).toEqual(['api', 'worker']);
  expect(await owners('subscribe', 'tidegate:changes:0')).toEqual(['rest', 'api']);
  expect(await owners('PUBLISH', 'tidegate:changes:0', 'x')).toEqual([...redisUsers]);
});

test('each process can do with its user what it does', async () => {
  const urlOf = (user: RedisUser) => sandboxUrl(redis.url, user);
  const admin = connect(null);
  await admin.flushall();
  await admin.call('ACL', 'LOG', 'RESET');
  const listeners = [await openTestListener(urlOf('rest')), await openTestListener(urlOf('api'))];
  for (const user of redisUsers) await untilReceived(announcer(urlOf(user)), listeners, user);
  const done: string[] = [];
  const blocking = connect('worker');
  const work = async (job: { id?: string }): Promise<void> => void done.push(String(job.id));
  const worker = new Worker('submit', work, { ...queueOptions('submit', blocking), drainDelay: 1 });
  for (const user of redisUsers) {
    const wakeUps = openWakeUps({ redisUrl: urlOf(user), log: silent });
    const work = { queue: 'submit', merchantId: 'M1', orderNo: `PI-${user}`, channelId: 'c', dueAt: 1 } as const;
    await vi.waitFor(
      () => {
        wakeUps.wakeUp([work]);
        expect(done.some((id) => id.includes(work.orderNo))).toBe(true);
      },
      { timeout: 20_000, interval: 100 },
    );
    await wakeUps.close();
  }
  const scheduled = openQueue('audit', connect('worker'));
  await scheduled.upsertJobScheduler('audit', { every: 1_000 }, { name: 'audit', data: {} });
  for (const user of ['rest', 'api', 'worker'] as const) {
    const connection = connect(user);
    await vi.waitFor(() => expect(connection.status).toBe('ready'));
    const signal = new AbortController().signal;
    expect(await openCallLimiter(connection).take('a', { perSecond: 100, burst: 10 }, signal)).toBe(true);
    const outcomes = openChannelOutcomes(connection);
    outcomes.add(user, { at: Date.now(), isAnswered: true });
    await vi.waitFor(async () => expect([...(await outcomes.read()).keys()]).toContain(user), { timeout: 5_000 });
  }
  expect(await readMarks(connect('api')), 'not yet connected').toBeNull();
  const board = openQueue('audit', connect('api'));
  await board.pause();
  await board.resume();
  await board.add('audit', {});
  await board.getJobs(['waiting', 'delayed', 'active', 'completed', 'failed'], 0, 10);
  await board.getJobCounts('waiting', 'failed');
  await board.clean(0, 10, 'wait');
  await board.drain();
  await repairQueue('submit', connect('worker'));
  await Promise.all([worker.close(), scheduled.close(), board.close()]);
  expect(await admin.call('ACL', 'LOG')).toEqual([]);
  expect(completedOrder('PI1').type).toBe('order');
});

test('no user has a whole category of commands, all keys, or all channels', () => {
  for (const user of redisUsers) {
    const rules = rulesOf(user);
    expect(rules.slice(0, 2)).toEqual(['reset', 'on']);
    expect(rules.filter((rule) => /^(?:~\*|&\*|\+@.*|all.*|nopass)$/.test(rule))).toEqual([]);
    expect(redisRights[user].keys.every((pattern) => /^\{?tidegate/.test(pattern))).toBe(true);
  }
});
