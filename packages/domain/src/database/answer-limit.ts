import type pg from 'pg';
import type { ResultCheck } from './json-columns.ts';

/** The error of a statement that was not answered in time: `isConnectionLoss` knows its message. */
const NOT_ANSWERED = 'Query read timeout';

type Answer = (error: Error | null, result: unknown) => void;
type Send = (statement: unknown, values?: unknown, answer?: Answer) => unknown;

/**
 * Ends a connection of this pool when a statement is not answered within `limitMs` milliseconds, or the `query_timeout`
 * of the statement. All statements of the connection fail then, with `NOT_ANSWERED`.
 *
 * It replaces the driver's own `query_timeout`, which must be 0. Timers run before sockets are read. So the driver takes
 * every answer that arrived while the process stalled for silence. This limit reads the sockets once more before it
 * gives up. `check` judges the answers: one with an unreadable JSON column is an error, unless its statement says otherwise.
 */
export function limitAnswers(pool: pg.Pool, limitMs: number, check?: ResultCheck): void {
  pool.on('connect', (client) => limitAnswersOf(client, limitMs, check));
}

function limitAnswersOf(client: pg.PoolClient, limitMs: number, check: ResultCheck | undefined): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(error: Error): void } } };
  // Looked up at each call, so that an instrumentation of the driver's class sees all statements.
  const driverClass: { query: Send } = Object.getPrototypeOf(client);
  const send = (statement: unknown, values: unknown, limit: Limit, answer: Answer): void => {
    let isAnswered = false;
    const giveUp = (): void => {
      if (!isAnswered) connection.stream.destroy(new Error(NOT_ANSWERED));
    };
    const timer = setTimeout(() => setImmediate(giveUp), limit.ms);
    driverClass.query.call(client, statement, values, (error, result) => {
      isAnswered = true;
      clearTimeout(timer);
      if (!error && limit.reads === 'list') check?.markUnreadable(result);
      answer(error ?? (limit.reads === 'whole' ? check?.problemOf(result) : null) ?? null, result);
    });
  };
  const query = (statement: string | pg.QueryConfig, values?: unknown, callback?: Answer): unknown => {
    if (isOwnQuery(statement)) return driverClass.query.call(client, statement);
    const { statement: limited, ...limit } = limitOf(statement, limitMs);
    const answer = typeof values === 'function' ? (values as Answer) : callback;
    const parameters = typeof values === 'function' ? undefined : values;
    if (answer) return send(limited, parameters, limit, answer);
    return new Promise((resolve, reject) => {
      send(limited, parameters, limit, (error, result) => (error ? reject(error) : resolve(result)));
    }).catch((error) => {
      // The error is made in the caller's stack. Otherwise its stack would show the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  };
  client.query = query as typeof client.query;
}

/** Whether the query handles its own answers, for example a cursor. It is answered in parts, and has no limit. */
function isOwnQuery(statement: string | pg.QueryConfig): boolean {
  return typeof statement === 'object' && typeof (statement as { submit?: unknown }).submit === 'function';
}

interface Limit {
  ms: number;
  reads: Reads;
}

/**
 * What an unreadable JSON column means. `whole`: the answer is an error. `list`: its row is marked, and the others are
 * read (`isReadable`). `as_it_is`: nothing.
 */
type Reads = 'whole' | 'list' | 'as_it_is';

/** Options of a statement that the driver does not know. */
type Limited = pg.QueryConfig & { query_timeout?: number; reads?: Reads };

/** A statement whose JSON columns are read as they are, for the audit. */
export function asItIs(statement: pg.QueryConfig): pg.QueryConfig {
  return { ...statement, reads: 'as_it_is' } as Limited;
}

/** A statement of a list: one row that cannot be read does not keep the others from operators. */
export function asList(statement: pg.QueryConfig): pg.QueryConfig {
  return { ...statement, reads: 'list' } as Limited;
}

function limitOf(statement: string | Limited, limitMs: number): Limit & { statement: string | pg.QueryConfig } {
  if (typeof statement === 'string') return { statement, ms: limitMs, reads: 'whole' };
  const { query_timeout: ms = limitMs, reads = 'whole', ...limited } = statement;
  return { statement: limited, ms, reads };
}
