import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Lets a server end without its clients holding it up, and without one of them losing an answer: from the `ending` on every answer closes its
 * connection; when the server closes, what is being answered is finished, for `finishWithinMs` at the most, and all other connections
 * are closed at once. Node by itself waits for every connection that it does not count as idle, also for one on which
 * nothing has come yet, and stops its request timers when it is told to close.
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
  // Else the client would keep the connection, and the server wait for it.
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
