import type { Log } from '@tidegate/domain';
import { type Logger, pino, stdSerializers } from 'pino';

/**
 * JSON lines on standard output. Errors are logged with their cause, never with what a query's values were.
 * Written at once: an asynchronous writer whose reader is gone would keep the process from ending.
 */
export function makeLog(name: string, level: string): Logger & Log {
  const destination = pino.destination({ dest: 1, sync: true });
  return pino({ name, level, serializers: { err: errorWithoutValues } }, destination);
}

/** PostgreSQL puts a row's values into `detail` and `where`; what they hold of payers and payees does not belong into logs. */
function errorWithoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, code } = stdSerializers.err(error) as unknown as Record<string, unknown>;
  return { type, message, stack, ...(code !== undefined && { code }) };
}
