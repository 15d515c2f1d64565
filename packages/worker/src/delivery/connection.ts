import type { Socket } from 'node:net';
import { every } from '@tidegate/domain';
import { OutgoingFailure } from '@tidegate/upstream/outgoing';
import { Client, type Dispatcher } from 'undici';
import { skipContinue } from './skip-continue.ts';

/** One connection to one checked address. It carries one request at a time, and never reconnects. */
export interface Connection {
  /**
   * Scheme, host and port as in the URL, and the `address:port` of the connection. A request to the same origin and
   * address may use it.
   */
  readonly origin: string;
  readonly address: string;
  alive(): boolean;
  /**
   * Sends a request, and resolves with its reply when the header fields have arrived. `attempt` ends the request at any
   * time. It is aborted as `too_large` if more bytes arrive than a reply may have. Throws `ConnectionGone` if the
   * connection had ended before anything was sent.
   */
  send(request: PostRequest, attempt: AbortController): Promise<Dispatcher.ResponseData>;
  /** Call it when the whole reply was read. Then another request may use the connection. */
  settle(): void;
  destroy(): void;
}

export interface PostRequest {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** The connection had ended before anything was sent on it. */
export class ConnectionGone extends OutgoingFailure {
  constructor(address: string) {
    super('reset', address);
  }
}

/**
 * The most bytes of one reply, with everything that HTTP and TLS add: 16 KiB of header fields, 1 KiB of body, and bytes
 * that were on their way.
 */
const maxBytes = 131_072;
const floodCheckMs = 100;

const clientOptions: Client.Options = {
  maxHeaderSize: 16_384,
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 10_000,
  pipelining: 1,
  // One time limit applies to the whole attempt.
  headersTimeout: 0,
  bodyTimeout: 0,
  allowH2: false,
  useMilo: false,
};

/** `ended` is called when the connection is closed. */
export function makeConnection(
  { origin, address, socket }: { origin: string; address: string; socket: Socket },
  ended: (connection: Connection) => void,
): Connection {
  let isHandedOver = false;
  let guard: NodeJS.Timeout | undefined;
  const beforeReply = skipContinue(socket);
  const client = new Client(origin, {
    ...clientOptions,
    connect: (_, done) => {
      if (isHandedOver) return done(new ConnectionGone(address), null);
      isHandedOver = true;
      // The HTTP client does not expect an answer before it has sent the whole request.
      queueMicrotask(() => done(null, socket));
    },
  });
  const connection: Connection = {
    origin,
    address,
    alive: () => !socket.destroyed && !client.destroyed,
    send: (request, attempt) => {
      const before = socket.bytesRead;
      // The parser does not report some data that a server can send without end: blank lines, a reason phrase, chunk
      // extensions.
      const check = (): void => {
        if (socket.bytesRead - before > maxBytes) attempt.abort(new OutgoingFailure('too_large'));
      };
      beforeReply();
      guard = every(floodCheckMs, check, () => void client.destroy());
      return client.request({ ...request, method: 'POST', signal: attempt.signal });
    },
    settle: () => clearInterval(guard),
    destroy: () => void client.destroy(),
  };
  const end = (): void => {
    clearInterval(guard);
    ended(connection);
    // Only after the HTTP client has noticed that it cannot connect again.
    queueMicrotask(() => void client.destroy());
  };
  client.on('disconnect', end).on('connectionError', end);
  return connection;
}
