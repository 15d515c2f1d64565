/** How long a client may take, in milliseconds. */
export interface HttpLimits {
  /** Limit for a whole request to arrive. Its headers have four fifths of it. Default 10,000. */
  requestMs?: number;
  /**
   * Limit for the next request on an open connection. Default 65,000: longer than load balancers keep one (60 s), so
   * that the server never closes a connection on which a request is coming.
   */
  idleMs?: number;
  /**
   * Limit for a client that does not read. Node takes up to twice as long. Default 60,000: longer than any answer
   * takes, and longer than streams are silent.
   */
  silentMs?: number;
}

/**
 * Fastify's options against slow or silent clients. Node's defaults are too slow: it checks every 30 s, allows headers
 * a minute, and waits forever for a client that does not read. Active responses such as streams are not limited.
 */
export function httpLimits({ requestMs = 10_000, idleMs = 65_000, silentMs = 60_000 }: HttpLimits = {}) {
  return {
    connectionTimeout: silentMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    http: {
      headersTimeout: Math.floor(requestMs * 0.8),
      connectionsCheckingInterval: Math.min(1_000, Math.ceil(requestMs / 5)),
      maxHeaderSize: 16 * 1024,
    },
  };
}
