import type { BlockList } from 'node:net';
import { createSecureContext } from 'node:tls';
import {
  checkDestination,
  type Dial,
  dial,
  errorOf,
  makeResolve,
  OutgoingFailure,
  openSocket,
  type Resolve,
} from '@tidegate/upstream/outgoing';
import type { Dispatcher } from 'undici';
import { type Connection, ConnectionGone, type PostRequest } from './connection.ts';
import { keepConnections } from './kept-connections.ts';

const connectLimitMs = 5_000;

/**
 * All URLs of merchants are called through this connector. It uses no proxy, whatever the environment variables say.
 */
export interface Connector {
  /**
   * Checks `url` again, connects to a checked address within 5 s (decisions 7.4, 8), and sends a POST. `attempt` aborts
   * it at any time. Throws an OutgoingFailure. After `forbidden_url` and `forbidden_address` no packet was sent.
   */
  post(url: string, allowed: BlockList, request: Omit<PostRequest, 'path'>, attempt: AbortController): Promise<Posted>;
  /** Ends every connection. */
  close(): Promise<void>;
}

export interface Posted {
  response: Dispatcher.ResponseData;
  /** The `address:port` to which the request was sent. */
  address: string;
  /** Call it at the end, with whether the whole reply was read. If so, the connection can be used again. */
  done(whole: boolean): void;
}

/** What tests replace: how names are resolved, addresses dialled, and whose certificates are trusted (PEM). */
export interface ConnectorParts {
  resolve?: Resolve;
  dial?: Dial;
  ca?: string;
}

export function makeConnector(parts: ConnectorParts = {}): Connector {
  const resolve = parts.resolve ?? makeResolve();
  const secureContext = createSecureContext({ minVersion: 'TLSv1.2', ...(parts.ca !== undefined && { ca: parts.ca }) });
  const connections = keepConnections();
  const send = async (connection: Connection, request: PostRequest, attempt: AbortController): Promise<Posted> => {
    const { address } = connection;
    try {
      const response = await connection.send(request, attempt);
      return { response, address, done: (whole) => (whole ? connections.keep(connection) : connection.destroy()) };
    } catch (error) {
      connection.destroy();
      throw error instanceof ConnectionGone ? error : new OutgoingFailure(errorOf(error), address, { cause: error });
    }
  };
  return {
    async post(url, allowed, { headers, body }, attempt) {
      const began = performance.now();
      const destination = await checkDestination(url, allowed, resolve);
      const { pathname, search, origin } = destination.url;
      const request = { path: `${pathname}${search}`, headers, body };
      const kept = connections.take(destination);
      if (kept) {
        const posted = await send(kept, request, attempt).catch(unlessGone);
        if (posted) return posted;
      }
      const withinMs = connectLimitMs - (performance.now() - began);
      const opened = await openSocket(destination, { dial: parts.dial ?? dial, secureContext, withinMs });
      return send(connections.add({ origin, ...opened }), request, attempt);
    },
    close: async () => connections.endAll(),
  };
}

/** If a kept connection ended before anything was sent, the attempt continues with a new connection. */
function unlessGone(error: unknown): null {
  if (error instanceof ConnectionGone) return null;
  throw error;
}
