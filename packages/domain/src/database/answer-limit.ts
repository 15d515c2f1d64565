import type pg from 'pg';

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
 * gives up.
 */
export function limitAnswers(pool: pg.Pool, limitMs: number): void {
  pool.on('connect', (client) => limitAnswersOf(client, limitMs));
}

function limitAnswersOf(client: pg.PoolClient, limitMs: number): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(error: Error): void } } };
  // Looked up at each call, so that an instrumentation of the driver's class sees all statements.
  const driverClass: { query: Send } = Object.getPrototypeOf(client);
  const send = (statement: unknown, values: unknown, ms: number, answer: Answer): void => {
    let isAnswered = false;
    const giveUp = (): void => {
      if (!isAnswered) connection.stream.destroy(new Error(NOT_ANSWERED));
    };
    const timer = setTimeout(() => setImmediate(giveUp), ms);
    driverClass.query.call(client, statement, values, (error, result) => {
      isAnswered = true;
      clearTimeout(timer);
      answer(error, result);
    });
  };
  const query = (statement: string | pg.QueryConfig, values?: unknown, callback?: Answer): unknown => {
    if (isOwnQuery(statement)) return driverClass.query.call(client, statement);
    const { statement: limited, ms } = limitOf(statement, limitMs);
    const answer = typeof values === 'function' ? (values as Answer) : callback;
    const parameters = typeof values === 'function' ? undefined : values;
    if (answer) return send(limited, parameters, ms, answer);
    return new Promise((resolve, reject) => {
      send(limited, parameters, ms, (error, result) => (error ? reject(error) : resolve(result)));
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

/** The driver's types do not know `query_timeout` of a statement. */
function limitOf(statement: string | (pg.QueryConfig & { query_timeout?: number }), limitMs: number) {
  if (typeof statement === 'string' || statement.query_timeout === undefined) return { statement, ms: limitMs };
  const { query_timeout: ms, ...limited } = statement;
  return { statement: limited, ms };
}
