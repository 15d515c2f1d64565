import type { queueNames } from '@tidegate/domain';
import type { Queue } from 'bullmq';
import * as z from 'zod';
import { boundaryOf, type RedisConnection } from './connection.ts';
import { type KeyType, type OwnKeys, removeOthers } from './own-state.ts';

// The only place that knows how BullMQ keeps a queue. BullMQ has no way to repair one: a value of another type fails every
// command, and a job that is not JSON fails before any worker is called, counts as stalled, and begins again for ever.

export type QueueName = (typeof queueNames)[number];

/** The keys of one queue share a hash tag, so that Redis Cluster keeps them on one node and spreads the queues. */
export function queueOptions(
  name: QueueName,
  connection: RedisConnection,
): { connection: RedisConnection; prefix: string } {
  return { connection, prefix: `{tidegate-${name}}` };
}

/** The state of a queue. Its jobs are hashes of their own. */
const queueState = {
  id: 'counter',
  pc: 'counter',
  meta: 'hash',
  wait: 'list',
  paused: 'list',
  active: 'list',
  prioritized: 'zset',
  delayed: 'zset',
  completed: 'zset',
  failed: 'zset',
  'waiting-children': 'zset',
  marker: 'zset',
  repeat: 'zset',
  stalled: 'set',
  events: 'stream',
  limiter: 'counter',
  'stalled-check': 'counter',
} as const satisfies Record<string, KeyType>;

/** The fields of a job that BullMQ reads as JSON before it calls the worker. */
const jsonFields = ['data', 'opts', 'progress', 'parent'] as const;
/** More jobs than a worker has at once, and than wait in a queue (`wake-up.ts`). */
const mostOf = { active: 1_000, wait: 10_000 } as const;
/** More than any job of ours has: bytes in all, fields, and bytes of its id. */
const longest = { job: 65_536, fields: 64, id: 512 } as const;

/**
 * Removes the jobs of a list or a sorted set that are there twice, or that are longer than ours, or their ids. It runs in Redis, so that none of
 * them leaves it. The prefix of jobs' keys is an argument: all are in the slot of the queue.
 */
const removeLongScript = `
local list, prefix, most, longestJob, mostFields, longestId = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local isList = redis.call('type', list).ok == 'list'
local function isLong(key)
  if redis.call('type', key).ok ~= 'hash' then return false end
  if redis.call('hlen', key) > mostFields then return true end
  local size = 0
  for _, field in ipairs(redis.call('hkeys', key)) do size = size + #field + redis.call('hstrlen', key, field) end
  return size > longestJob
end
local seen = {}
-- The oldest jobs are at the end of a list.
for _, id in ipairs(isList and redis.call('lrange', list, -most, -1) or redis.call('zrange', list, 0, most - 1)) do
  local key = prefix .. id
  local isBad = #id > longestId or isLong(key)
  if isBad then redis.call('unlink', key, key .. ':lock') end
  if isBad or seen[id] then redis.call(isList and 'lrem' or 'zrem', list, unpack(isList and { 0, id } or { id })) end
  seen[id] = true
end
`;

const keyOf = (name: QueueName): string => `{tidegate-${name}}:${name}`;

/** The keys of a queue and their types. */
export function queueKeys(name: QueueName): OwnKeys {
  return Object.entries(queueState).map(([key, type]) => [`${keyOf(name)}:${key}`, type] as const);
}

/**
 * Removes what BullMQ cannot have written from the state of a queue: values of another type, jobs that are there twice, far
 * too many or far too long, and running jobs that it cannot read or that are gone. A row of ours that is still due is found
 * again by `dispatch`.
 */
export async function repairQueue(name: QueueName, connection: RedisConnection): Promise<void> {
  await removeOthers(connection, queueKeys(name));
  const key = keyOf(name);
  const boundary = boundaryOf(connection);
  await connection.ltrim(`${key}:wait`, -mostOf.wait, -1);
  const bounds = [longest.job, longest.fields, longest.id];
  for (const [state, type] of Object.entries(queueState)) {
    if (type !== 'list' && type !== 'zset') continue;
    const most = state === 'active' ? mostOf.active : mostOf.wait;
    await connection.eval(removeLongScript, 1, `${key}:${state}`, `${key}:`, most, ...bounds);
  }
  for (const id of await connection.lrange(`${key}:active`, -mostOf.active, -1)) {
    // A hash in another form cannot be read either.
    const fields = await connection.hmget(`${key}:${id}`, 'name', ...jsonFields).catch(() => null);
    const [name, ...texts] = fields ?? [];
    if (name && texts.every((text) => !text || boundary.readJson('jobs', text, z.unknown()) !== undefined)) continue;
    await connection.lrem(`${key}:active`, 0, id);
    await connection.del(`${key}:${id}`, `${key}:${id}:lock`);
  }
}

/**
 * Frees the ids of jobs that are in no list of the queue, although something is stored under them: BullMQ would take it
 * for the job, and add none.
 */
export async function freeIds(queue: Queue, connection: RedisConnection, ids: readonly string[]): Promise<void> {
  const key = keyOf(queue.name as QueueName);
  const stored = await Promise.all(ids.map((id) => connection.exists(`${key}:${id}`)));
  for (const id of ids.filter((_, i) => stored[i]))
    if ((await queue.getJobState(id)) === 'unknown') await connection.unlink(`${key}:${id}`);
}
