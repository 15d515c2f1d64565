import { hash } from 'node:crypto';
import type { Work } from '@tidegate/domain';

/**
 * The rights of each process in Redis, for its own user there (docs/running/redis-users.md). A user may use only these
 * commands, on keys and channels of these patterns. Everything else is refused, also from inside of a script: `FLUSHALL`,
 * `CONFIG`, `KEYS`, `DEBUG`, keys of other programs. Grant only what the process's code does. A new key or command of
 * ours needs a line here. Redis 6.2 or later.
 */
export const redisUsers = ['rest', 'api', 'worker', 'admin'] as const;
export type RedisUser = (typeof redisUsers)[number];

export interface RedisRights {
  /** Patterns of keys. */
  keys: readonly string[];
  /** Patterns of the channels of publish and subscribe. */
  channels: readonly string[];
  commands: readonly string[];
}

/** The queues of due work, to which every process adds jobs. The others belong to the workers. */
const workQueues: Record<Work['queue'], true> = {
  submit: true,
  poll: true,
  expire: true,
  refund: true,
  settle: true,
  notify: true,
  retry: true,
};
const workKeys = Object.keys(workQueues).map((name) => `{tidegate-${name}}:*`);
const everyQueue = '{tidegate-*}:*';
/** The calls of each channel's account, and how channels answered last. */
const channelKeys = ['tidegate:{calls:*}*', 'tidegate:{channel-outcomes}*'];
const markKeys = ['tidegate:full-channels', 'tidegate:breakers-open'];
const changes = 'tidegate:changes:*';

const list = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** To connect, to one server or a cluster, and to ask for its state. */
const connecting = list('ping info asking readonly cluster|slots cluster|info client|setname select');
/**
 * Scripts are sent again if a restarted Redis has lost them. Each of their commands is checked as if it were sent. Values
 * of a type that is not ours are removed.
 */
const scripting = list('eval evalsha script|exists script|load multi exec type unlink');
/** What the scripts by which BullMQ adds jobs and counts them use. */
const adding =
  list(`del exists get hget hmget hmset hset incr lindex llen lpos lpush lrange persist pttl rpop rpush sadd scard
  set xadd xtrim zadd zcard zcount zrange zrem zrevrange zrevrangebyscore zscore`);
/** What the scripts by which BullMQ runs jobs and repeats them use besides. */
const working =
  list(`bzpopmin hdel hexists hgetall hincrby hkeys hlen hstrlen lrem ltrim pexpire rpoplpush smembers srem zpopmin
  zrangebyscore zremrangebyrank zremrangebyscore`);
/** What the board uses besides: it pauses, cleans and repeats queues, and shows logs. */
const managing = list('lpop lset rename sismember xdel xlen xrange zlexcount zrangebylex');
/** The rate of calls to channels, and their outcomes. */
const callingChannels = list('get hdel hgetall hset set time lrange ltrim pexpire rpush zadd zrange zremrangebyscore');
/** Nonces and rate limits of requests. */
const admitting = list('exists expireat get sadd scard set smismember time');
/** Delivery slots, breakers and marks. */
const delivering = list(`del exists hget hset pexpire set time zadd zcard zcount zrange zrangebyscore zrem
  zremrangebyscore zscore`);

const rights = (keys: readonly string[], ...commands: readonly (readonly string[])[]): RedisRights => ({
  keys,
  channels: [changes],
  commands: [...new Set([...connecting, ...scripting, ...commands.flat(), 'publish'])].toSorted(),
});

export const redisRights: Readonly<Record<RedisUser, RedisRights>> = {
  rest: rights(
    ['tidegate:{*}:rate', 'tidegate:{*}:nonces:*', ...channelKeys, ...workKeys],
    admitting,
    callingChannels,
    adding,
    ['subscribe', 'unsubscribe'],
  ),
  api: rights([everyQueue, ...markKeys, ...channelKeys], callingChannels, adding, working, managing, [
    'subscribe',
    'unsubscribe',
  ]),
  worker: rights(
    [everyQueue, 'tidegate:{notify-*', ...markKeys, ...channelKeys],
    callingChannels,
    adding,
    working,
    delivering,
  ),
  // The command line sends wake-ups and announces changes.
  admin: rights(workKeys, adding),
};

export function redisUserName(user: RedisUser): string {
  return `tidegate_${user}`;
}

/** The rules of `ACL SETUSER`, without a password. They first take all that an earlier version granted. */
export function rulesOf(user: RedisUser): string[] {
  const { keys, channels, commands } = redisRights[user];
  return [
    'reset',
    'on',
    ...keys.map((pattern) => `~${pattern}`),
    ...channels.map((pattern) => `&${pattern}`),
    ...commands.map((name) => `+${name}`),
  ];
}

/** The lines of a redis.conf that make the users. `passwordOf` gives the password of each in hex. */
export function userLines(passwordOf: (user: RedisUser) => string): string[] {
  return redisUsers.map((user) => `user ${redisUserName(user)} ${rulesOf(user).join(' ')} >${passwordOf(user)}`);
}

/** The content of ops/redis/users.conf, in which ops/redis/make-users.sh fills in the passwords. */
export function usersTemplate(): string {
  const lines = userLines((user) => `@${user.toUpperCase()}_PASSWORD@`);
  return `# Made by npm run redis-users in packages/queue. ops/redis/make-users.sh fills in the passwords.\n${lines.join('\n')}\n`;
}

/** The users' passwords in a sandbox, and in tests: they follow from the password of the default user. */
export function sandboxPassword(ofDefault: string, user: RedisUser): string {
  return hash('sha256', `tidegate redis user ${user} ${ofDefault}`, 'hex');
}

/** The same address for one of the users of a sandbox. `url` has the password of the default user. */
export function sandboxUrl(url: string, user: RedisUser): string {
  const replaced = url.split(/,(?=rediss?:)/).map((part) => {
    const place = new URL(part);
    const password = sandboxPassword(decodeURIComponent(place.password), user);
    return Object.assign(place, { username: redisUserName(user), password }).href;
  });
  return replaced.join(',');
}
