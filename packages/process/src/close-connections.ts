import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** For requests that are being answered when the server ends: longer than a payin's create may take (decisions 5.3). */
const FINISH_WITHIN_MS = 12_000;

/**
 * Keeps clients from holding up the server's end: Node waits for every connection that it does not count as idle, also
 * for one on which nothing has come yet, and stops its request timers when it is told to close.
 */
export function closeConnectionsAtEnd(server: FastifyInstance): void {
  const silent = new Set<Socket>();
  let ending = false;
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
    if (ending) reply.header('connection', 'close');
    next();
  });
  server.addHook('preClose', (done) => {
    ending = true;
    for (const socket of silent) socket.destroy();
    const late = setTimeout(() => server.server.closeAllConnections(), FINISH_WITHIN_MS);
    server.server.once('close', () => clearTimeout(late));
    done();
  });
}
