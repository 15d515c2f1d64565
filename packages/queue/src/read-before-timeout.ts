import type { Redis } from 'ioredis';

/** The message of the error with which ioredis gives up a command after `commandTimeout`. */
export const TIMED_OUT = 'Command timed out';

/**
 * Reads what Redis has already answered before a command counts as unanswered. Timers run before sockets are read. So
 * without this, a process that stalls for longer than the limit would take every answer of that time for silence.
 */
export function readBeforeTimeout(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const reject = command.reject;
    command.reject = (error) => {
      if (error.message === TIMED_OUT) setImmediate(reject, error);
      else reject(error);
    };
    return send(command, stream);
  };
}
