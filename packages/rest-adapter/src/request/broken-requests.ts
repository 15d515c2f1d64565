import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '@tidegate/domain';
import type { FastifyInstance } from 'fastify';
import { type Refusal, refuse, renderAnswer, sendAnswer } from './envelope.ts';
import type { RestMetrics } from './metrics.ts';

/** The longest query string, in bytes. Signed queries are far shorter. */
const QUERY_LIMIT = 4 * 1024;

/** The failure for each error of Node's HTTP parser and timers. Every other error counts as "no HTTP". */
const reasons: Record<string, { reason: string; refusal: Refusal }> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    reason: 'slow',
    refusal: refuse('malformed_request', { detail: 'the request did not arrive in time' }),
  },
  HPE_INVALID_EOF_STATE: {
    reason: 'truncated',
    refusal: refuse('malformed_request', { detail: 'the request broke off' }),
  },
  HPE_HEADER_OVERFLOW: {
    reason: 'large headers',
    refusal: refuse('request_too_large', { detail: 'the headers may have 16 KiB' }),
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    reason: 'large chunk extensions',
    refusal: refuse('request_too_large', { detail: 'chunk extensions' }),
  },
};
const noHttp = { reason: 'no http', refusal: refuse('malformed_request', { detail: 'not an HTTP request' }) };

/** Answers invalid or incomplete HTTP requests, if the connection is still open. */
export function answerBrokenRequests(log: Log, metrics: RestMetrics) {
  /** The last request of each connection. */
  const last = new WeakMap<Socket, { request: IncomingMessage; answered: boolean }>();
  const hangUp = (socket: Socket, refusal: Refusal, requestId: string): void => {
    // The answer must be about the broken bytes. A client must not take it for the answer to a complete request that is
    // still in progress. It must not take it for a second answer to an answered request either.
    const { request, answered } = last.get(socket) ?? { answered: false };
    const isOwed = (request?.complete ?? false) === answered;
    if (isOwed && socket.writable) socket.end(rawResponse(refusal, requestId), () => socket.destroy());
    else socket.destroy();
  };
  return {
    onClientError(error: Error & { code?: string }, socket: Socket): void {
      const { reason, refusal } = reasons[error.code ?? ''] ?? noHttp;
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      // Browsers open connections ahead of time. An answer on an unused one would be read as the answer to their next
      // request.
      if (socket.bytesRead === 0) return void socket.destroy();
      const requestId = randomUUID();
      metrics.brokenRequest(reason);
      log.info({ requestId, reason }, 'broken request');
      hangUp(socket, refusal, requestId);
    },
    watch(server: FastifyInstance): void {
      // An expectation other than 100-continue has no answer of its own: the request is answered as usual.
      server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
      // Node passes on the connection of a CONNECT without a listener for its errors.
      server.server.on('connect', (_request, socket: Socket) => {
        hangUp(
          socket.on('error', () => {}),
          refuse('method_not_allowed'),
          randomUUID(),
        );
      });
      server.addHook('onRequest', async (request, reply) => {
        last.set(request.socket, { request: request.raw, answered: false });
        const refusal = problemOf(request.raw);
        if (refusal) return sendAnswer(request, reply.header('connection', 'close'), refusal);
      });
      server.addHook('onResponse', (request, _reply, next) => {
        last.set(request.socket, { request: request.raw, answered: true });
        next();
      });
    },
  };
}

function problemOf({ headers, headersDistinct, httpVersion, url = '' }: IncomingMessage): Refusal | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return refuse('malformed_request', { detail: 'the HTTP version must be 1.1 or 1.0' });
  // RFC 9112, 6.1: a proxy may have read a different end of such a body.
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined)
    return refuse('malformed_request', { detail: 'HTTP/1.0 has no Transfer-Encoding' });
  if (headers.host === undefined && httpVersion === '1.1')
    return refuse('malformed_request', { detail: 'no Host header' });
  if ((headersDistinct.host?.length ?? 0) > 1) return refuse('malformed_request', { detail: 'two Host headers' });
  const mark = url.indexOf('?');
  if (mark === -1 || url.length - mark <= QUERY_LIMIT) return null;
  return refuse('request_too_large', { detail: 'the query string may have 4 KiB' });
}

function rawResponse(refusal: Refusal, requestId: string): string {
  const { http, headers, body } = renderAnswer(refusal, requestId);
  const fields = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${http} ${STATUS_CODES[http]}`, ...lines, '', body].join('\r\n');
}
