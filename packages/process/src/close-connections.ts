import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Lets a server close soon, and without losing an answer. Node alone would stop its request timers, and then wait for
 * every connection that is not idle. That includes a new one on which nothing was sent.
 * - After `ending`, every answer tells its client to close the connection.
 * - On close, connections without a request are closed at once.
 * - Requests in progress have `finishWithinMs` to finish.
 */
export function closeConnectionsAtEnd(
  server: FastifyInstance,
  options: { ending?: AbortSignal | undefined; finishWithinMs: number },
): void {
  const silent = new Set<Socket>();
  let closing = false;
  server.server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.addHook('onRequest', (request, _reply, next) => {
    silent.delete(request.socket);
    next();
  });
  // Otherwise clients would keep the connection open, and the server would wait for them.
  server.addHook('onSend', (_request, reply, _payload, next) => {
    if (closing || options.ending?.aborted) reply.header('connection', 'close');
    next();
  });
  server.addHook('preClose', (done) => {
    closing = true;
    for (const socket of silent) socket.destroy();
    const late = setTimeout(() => server.server.closeAllConnections(), options.finishWithinMs);
    server.server.once('close', () => clearTimeout(late));
    done();
  });
}
