import type pg from 'pg';

/** The database cannot be reached, or is too busy. Whether the command took effect may be unknown. */
export class LedgerUnavailable extends Error {}

/**
 * Whether an error is a lost or refused connection, which includes:
 * - a server that stops or has crashed (SQLSTATE classes 08 and 57P);
 * - a server that has no connection left (53300);
 * - a server that has become a standby (25006): it has refused, and the next connection finds the primary;
 * - a connection that the server ended, because its transaction was idle (25P03) or open (25P04) for too long;
 * - a server without TLS, or whose certificate is not accepted: nothing was sent to it.
 */
export function isConnectionLoss(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string')
    return (
      /^(08|57P|53300|25006|25P03|25P04)/.test(code) ||
      /^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)/.test(code) ||
      /^(ERR_TLS_|ERR_SSL_|EPROTO|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_(CA|PURPOSE)$|HOSTNAME_MISMATCH)/.test(
        code,
      )
    );
  return (
    typeof message === 'string' &&
    /connection (terminated|ended|timeout)|not queryable|timeout exceeded|Query read timeout|not support SSL|establishing an SSL/i.test(
      message,
    )
  );
}

/**
 * Another session held a row or table for longer than `lock_timeout` (SQLSTATE lock_not_available). The connection
 * still works, and nothing was done.
 */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === '55P03';
}

/** A statement took longer than `statement_timeout`, or was cancelled (SQLSTATE query_canceled). */
export function isCancelled(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === '57014';
}

/**
 * Whether the database did not answer in time. A session that it ended because this process was silent is none: the
 * database works.
 */
export function isTimeout(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code !== '25P03' && typeof message === 'string' && /timed?\s*out/i.test(message);
}

/** Whether to try again later: the database is unavailable or too busy, or another session holds a lock. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof LedgerUnavailable || isConnectionLoss(error) || isLockTimeout(error);
}

/**
 * Lets connections of a pool break while nobody waits for an answer. Who uses one learns it from the next statement, and an
 * idle one is replaced. Without these listeners the error would end the process: a pool watches idle connections only.
 */
export function surviveLoss(pool: pg.Pool): void {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
}
