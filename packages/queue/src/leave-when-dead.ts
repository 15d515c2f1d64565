import type { Redis } from 'ioredis';

/**
 * Ends a connection whose other end has disappeared. A blocking command would wait until the kernel notices, a quarter
 * of an hour. So the connection is pinged every second, and closed after three pings without an answer. The waiting
 * commands are sent again.
 */
export function leaveWhenDead(redis: Redis): void {
  let owed = 0;
  // Between two of these steps arrived answers are read, however busy the process is.
  const timer = setInterval(() => {
    if (redis.status !== 'ready' && redis.status !== 'connect') owed = 0;
    else if (owed === 3) {
      owed = 0;
      redis.disconnect(true);
    } else {
      owed += 1;
      if (redis.status === 'ready') redis.ping().then(answered, () => undefined);
    }
  }, 1_000);
  const answered = (): void => {
    owed = 0;
  };
  timer.unref();
  redis.on('ready', answered);
  redis.on('end', () => clearInterval(timer));
}
