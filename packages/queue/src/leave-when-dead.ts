import type { Redis } from 'ioredis';

/**
 * A connection that waits for ever would do so on one whose other end is gone without a word, for as long as the kernel believes in it: a
 * quarter of an hour. So it is asked every second, and left where it owes three answers. What it waited for is sent again.
 */
export function leaveWhenDead(redis: Redis): void {
  let owed = 0;
  // Between two of these the answers that are there are read, however busy the process is.
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
