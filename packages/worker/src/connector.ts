import { Agent } from 'undici';

const connectTimeout = 5_000;
const wholeTimeout = 10_000;

/**
 * How notifications reach their addresses: connected within 5 s (decisions 7.4), no proxy whatever the environment says, TLS names checked.
 * The one place where an address can be judged before it is connected to.
 */
export function makeConnector(): Agent {
  return new Agent({
    connect: { timeout: connectTimeout, rejectUnauthorized: true },
    headersTimeout: wholeTimeout,
    bodyTimeout: wholeTimeout,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    // As many as notifications run at once: one that had to wait for a connection would lose its 10 s to others.
    connections: null,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: 16_384,
  });
}
