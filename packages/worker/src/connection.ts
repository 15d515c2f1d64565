import type { Socket } from 'node:net';
import { OutgoingFailure } from '@tidegate/upstream/outgoing';
import { Client, type Dispatcher } from 'undici';

/** One connection to one checked address. It carries one request at a time, and never reconnects. */
export interface Connection {
  /** Scheme, host and port as in the URL, and the `address:port` that it goes to: who asks for the same may use it. */
  readonly origin: string;
  readonly address: string;
  alive(): boolean;
  /**
   * Sends a request and gives its reply as soon as the head is there. `attempt` ends it at any time, and is aborted as `too_large` when more comes
   * in than a reply may be. Throws `ConnectionGone` where the connection had ended before anything was sent.
   */
  send(request: PostRequest, attempt: AbortController): Promise<Dispatcher.ResponseData>;
  /** To be called when the reply is read whole: another request may follow. */
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

/** Bytes of one reply with all that HTTP and TLS put around it: 16 KiB of header fields, 1 KiB of body, and what was on its way. */
const maxBytes = 131_072;
const floodCheckMs = 100;

const clientOptions: Client.Options = {
  maxHeaderSize: 16_384,
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 10_000,
  pipelining: 1,
  // The attempt has one limit of time for all of it.
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
  const client = new Client(origin, {
    ...clientOptions,
    connect: (_, done) => {
      if (isHandedOver) return done(new ConnectionGone(address), null);
      isHandedOver = true;
      // The client does not expect its answer before it has finished asking.
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
      guard = setInterval(() => {
        if (socket.bytesRead - before > maxBytes) attempt.abort(new OutgoingFailure('too_large'));
      }, floodCheckMs);
      return client.request({ ...request, method: 'POST', signal: attempt.signal });
    },
    settle: () => clearInterval(guard),
    destroy: () => void client.destroy(),
  };
  const end = (): void => {
    clearInterval(guard);
    ended(connection);
    // Not before the client has seen for itself that it cannot connect again.
    queueMicrotask(() => void client.destroy());
  };
  client.on('disconnect', end).on('connectionError', end);
  return connection;
}
