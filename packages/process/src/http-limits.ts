/** How long a client may take, in milliseconds. */
export interface HttpLimits {
  /** For a whole request to arrive; its headers have four fifths of it. Default 10,000. */
  requestMs?: number;
  /** For the next request on an open connection. Default 65,000: longer than load balancers keep one (60 s), so that it is never the server that hangs up on a request. */
  idleMs?: number;
  /** For a client that takes nothing of what it is sent. Node takes up to twice as long. Default 60,000: longer than any answer is worked on, and than streams are silent. */
  silentMs?: number;
}

/**
 * What Fastify is given so that slow or silent clients hold no connection. Node by itself looks every 30 s only, and gives headers
 * a minute, and waits for ever for a client that does not read. Responses that move are not limited: streams go on.
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
