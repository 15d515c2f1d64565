import { every } from '@tidegate/domain';
import type { Redis } from 'ioredis';

/**
 * Closes a connection whose other end has disappeared. Otherwise a blocking command would wait until the kernel notices,
 * which takes a quarter of an hour. So the connection is pinged every second, and closed after three pings without an
 * answer. Waiting commands are then sent again on a new connection.
 */
export function closeDeadConnection(redis: Redis): void {
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
  const timer = every(1_000, check, () => redis.disconnect(true));
  const answered = (): void => {
    owed = 0;
  };
  timer.unref();
  redis.on('ready', answered);
  redis.on('end', () => clearInterval(timer));
}
