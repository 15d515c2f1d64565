import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Lets a server close without waiting for its clients, and without losing an answer.
 * After `ending`, every answer closes its connection. When the server closes, requests in progress are finished, for at most `finishWithinMs`.
 * All other connections are closed at once. Node alone would wait for every connection that it does not count as idle, also for a new one without data.
 * It also stops its request timers on close.
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
  // Otherwise the client would keep the connection, and the server would wait for it.
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
