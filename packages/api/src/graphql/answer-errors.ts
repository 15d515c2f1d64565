import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '@tidegate/domain';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { codeOfStatus, errorBody } from '../errors/errors.ts';
import { isAway } from './report-errors.ts';

/**
 * Errors outside GraphQL are answered in GraphQL's form too: an unknown route, a body that is too large, a wrong media
 * type, an unexpected error.
 */
export function answerErrors(server: FastifyInstance, log: Log): void {
  server.setNotFoundHandler((request, reply) => answer(reply, request, 404));
  server.setErrorHandler<FastifyError>((error, request, reply) => {
    const { status } = httpError(error);
    if (status >= 500) log.error({ requestId: request.id, err: error }, 'a request failed');
    if (status === 503) reply.header('Retry-After', '1');
    return answer(reply, request, status);
  });
}

/** Sentences for people, by HTTP status. */
const sentences: Readonly<Record<number, string>> = {
  404: 'This is not here.',
  405: 'This address takes no such request.',
  408: 'The request took too long. Try again.',
  413: 'This is too large.',
  414: 'This address is too long.',
  415: 'This form of content is not read here: send JSON.',
  429: 'There are too many requests. Wait a little.',
  503: 'The service is unavailable. Try again.',
};

/**
 * The only place that turns an error into an HTTP status, and into a sentence for a person. The message of a library says
 * nothing to a person, and may hold what was sent: it is logged, and never answered.
 */
export function httpError(error: Partial<FastifyError>): { status: number; sentence: string } {
  const status = isAway(error) ? 503 : (error.statusCode ?? 500);
  const other = status < 500 ? 'This request cannot be read.' : 'Something went wrong here.';
  return { status, sentence: sentences[status] ?? other };
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
