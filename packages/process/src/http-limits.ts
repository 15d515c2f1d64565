/** How long a client may take, in milliseconds. */
export interface HttpLimits {
  /** Limit for receiving a whole request. Its headers must arrive in four fifths of it. Default 10,000. */
  requestMs?: number;
  /**
   * How long an idle connection stays open. The default 65,000 is longer than load balancers keep one (60 s). So the
   * server never closes a connection on which a request is just being sent.
   */
  idleMs?: number;
  /**
   * How long a client may leave an answer unread. Node may take twice as long. The default 60,000 is longer than any
   * answer takes, and than any pause in a stream.
   */
  silentMs?: number;
}

/**
 * Fastify's options against slow or silent clients. Node's defaults are too lenient: it checks every 30 s, allows a
 * minute for headers, and waits forever for a client that does not read. Streams in use are not limited.
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
