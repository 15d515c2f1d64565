import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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
  /** False: requests without Host reach the handler. Default: Node refuses them. */
  requireHost?: boolean;
}

/** The most requests of a connection that wait for their turn. Clients that send one after the other have none. */
const maxWaiting = 8;

/**
 * Handles the requests of a connection one after the other: the next one when the answer before it was read. A client may send many without waiting for
 * answers, and Node would begin all that it has received before it reads from anybody else. Who has too many is disconnected.
 */
function oneAtATime(handle: RequestListener): RequestListener {
  const waitingOf = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();
  const begin = (socket: Socket, request: IncomingMessage, response: ServerResponse): void => {
    response.once('close', () => {
      const next = waitingOf.get(socket)?.shift();
      if (next && !socket.destroyed) begin(socket, ...next);
      else waitingOf.delete(socket);
    });
    handle(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const waiting = waitingOf.get(socket);
    if (socket.destroyed) return;
    if (!waiting) {
      waitingOf.set(socket, []);
      begin(socket, request, response);
    } else if (waiting.length < maxWaiting) waiting.push([request, response]);
    else socket.destroy();
  };
}

/**
 * Fastify's options against slow, silent or hasty clients. Node's defaults are too lenient: it checks every 30 s, allows a
 * minute for headers, waits forever for a client that does not read, and begins any number of requests of a connection.
 * Streams in use are not limited.
 */
export function httpLimits({ silentMs = 60_000, requireHost = true, ...limits }: HttpLimits = {}) {
  const options = { ...nodeLimits(limits), requireHostHeader: requireHost };
  return {
    serverFactory: (handle: RequestListener) => createServer(options, oneAtATime(handle)).setTimeout(silentMs),
  };
}

/** Node's options of the limits, in milliseconds and bytes. */
export function nodeLimits({ requestMs = 10_000, idleMs = 65_000 }: Pick<HttpLimits, 'requestMs' | 'idleMs'> = {}) {
  return {
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    headersTimeout: Math.floor(requestMs * 0.8),
    connectionsCheckingInterval: Math.min(1_000, Math.ceil(requestMs / 5)),
    maxHeaderSize: 16 * 1024,
  };
}
