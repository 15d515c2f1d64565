import { every } from '@tidegate/domain';
import type { Redis } from 'ioredis';
import { type RedisRole, silenceOf } from './server-options.ts';

/**
 * Closes a connection whose other end is silent, so that its commands do not wait until the kernel notices, which takes a
 * quarter of an hour. The connection is pinged, and closed after three pings without an answer. Answers come in the order
 * of the commands, so no command waits longer than that either.
 *
 * This replaces ioredis' `commandTimeout` and `socketTimeout`. Their timers run before sockets are read. So in a process
 * that stalled they would take every answer of that time for silence.
 */
export function closeDeadConnection(redis: Redis, role: RedisRole): void {
  /** Pings without an answer. */
  let owed = 0;
  // A busy process still reads arrived answers between two runs of this timer. So its own delay closes no connection.
  const check = (): void => {
    if (redis.status !== 'ready' && redis.status !== 'connect') owed = 0;
    else if (owed === 3) {
      owed = 0;
      redis.disconnect(true);
    } else {
      owed += 1;
      if (redis.status === 'ready') redis.ping().then(answered, () => undefined);
    }
  };
  const timer = every(silenceOf(role).pingEveryMs, check, () => redis.disconnect(true));
  const answered = (): void => {
    owed = 0;
  };
  timer.unref();
  redis.on('ready', answered);
  redis.on('end', () => clearInterval(timer));
}
