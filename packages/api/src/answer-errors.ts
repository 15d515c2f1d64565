import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '@tidegate/domain';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { codeOfStatus, errorBody } from './errors.ts';

/**
 * Errors outside GraphQL are answered in GraphQL's form too: an unknown route, a body that is too large, a wrong media
 * type, an unexpected error.
 */
export function answerErrors(server: FastifyInstance, log: Log): void {
  server.setNotFoundHandler((request, reply) => answer(reply, request, 404));
  server.setErrorHandler<FastifyError>((error, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) log.error({ requestId: request.id, err: error }, 'a request failed');
    return answer(reply, request, status);
  });
}

/** Sends the error for an HTTP status. */
export function answer(reply: FastifyReply, request: FastifyRequest, status: number): FastifyReply {
  const text = errorBody(codeOfStatus(status), (STATUS_CODES[status] ?? 'error').toLowerCase(), request.id);
  return reply.code(status).header('X-Request-Id', request.id).send(text);
}

const statusOfParserError: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** Answers invalid HTTP on the bare socket. */
export function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  // Browsers open connections ahead of time. An answer on an unused one would be read as the answer to their next
  // request.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const status = statusOfParserError[error.code ?? ''] ?? 400;
  const reason = STATUS_CODES[status] ?? '';
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(codeOfStatus(status), reason.toLowerCase(), requestId));
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
