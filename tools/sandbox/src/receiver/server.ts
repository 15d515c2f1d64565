import { setTimeout as delay } from 'node:timers/promises';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import { openReceivedLog, type Received } from './received-log.ts';
import { pageHeaders, receivedPage } from './received-page.ts';
import type { FindServiceKey } from './service-keys.ts';
import { whyNotVerified } from './verify-notification.ts';

export interface ReceiverOptions {
  readonly findKey: FindServiceKey;
  /** File in which deliveries survive a restart. Without it they are only in memory. */
  readonly file?: string | undefined;
  /** How long `?answer=slow` waits. The default 12,000 ms is longer than the service waits for an answer. */
  readonly slowMs?: number;
}

interface NotifyRoute {
  Params: { merchantNo: string };
  Querystring: { answer?: string };
}

interface ReceivedRoute {
  Querystring: { orderNo?: string; merchantOrderNo?: string; merchantNo?: string };
}

const BODY_LIMIT = 64 * 1024;
const KEPT_HEADERS = ['content-type', 'x-merchant-no', 'x-timestamp', 'x-nonce', 'x-sign', 'x-key-id'];

/**
 * The notification receiver of the demo merchants.
 * - `POST /notify/{merchantNo}` verifies a notification and answers `OK`, or 401 with the reason.
 * - `?answer=500`, `slow` or `wrong` (200, but another text) makes it fail on purpose.
 * - `GET /received` lists the deliveries, newest last. `orderNo`, `merchantOrderNo` and `merchantNo` filter them. A browser
 *   gets a page, newest first.
 * - `GET /received/last` returns the last delivery as it was sent: headers, an empty line, the body.
 */
export function buildReceiver(options: ReceiverOptions): FastifyInstance {
  const log = openReceivedLog(options.file);
  const server = fastify({
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    requestTimeout: 10_000,
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 1_000 },
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  server.post<NotifyRoute>('/notify/:merchantNo', async (request, reply) => {
    const { merchantNo } = request.params;
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const reason = await whyNotVerified(request.headers, bytes, merchantNo, options.findKey);
    const answer = answerTo(reason, request.query.answer);
    const body = readable(bytes);
    log.add({
      receivedAt: new Date().toISOString(),
      merchantNo,
      verified: reason === undefined,
      ...(reason === undefined ? {} : { reason }),
      attempt: log.count(merchantNo, body) + 1,
      answered: answer.status,
      headers: keptHeaders(request),
      body,
      text: bytes.toString(),
    });
    if (answer.slow) await delay(options.slowMs ?? 12_000, undefined, { ref: false });
    return reply.code(answer.status).type('text/plain; charset=utf-8').send(answer.text);
  });

  const find = ({ merchantNo, ...order }: ReceivedRoute['Querystring']) =>
    log
      .list()
      .filter((received) => merchantNo === undefined || received.merchantNo === merchantNo)
      .filter((received) => isAbout(received, order));
  server.get<ReceivedRoute>('/received', async (request, reply) => {
    const found = find(request.query);
    reply.header('vary', 'accept');
    if (!(request.headers.accept ?? '').includes('text/html')) return found;
    return reply.headers(pageHeaders).send(receivedPage(found, request.url));
  });
  server.get('/', async (_request, reply) => reply.redirect('/received'));
  server.get<ReceivedRoute>('/received/last', async (request, reply) => {
    const last = find(request.query).at(-1);
    reply.type('text/plain; charset=utf-8');
    return last ? messageOf(last) : reply.code(404).send('no such notification was received\n');
  });

  server.get('/healthz', async () => ({ status: 'ok' }));
  return server;
}

function messageOf({ headers, text }: Received): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return `${lines.join('')}\n${text}`;
}

function answerTo(reason: string | undefined, requested: string | undefined) {
  if (reason !== undefined) return { status: 401, text: `not verified: ${reason}`, slow: false };
  if (requested === '500') return { status: 500, text: 'failing, as asked for', slow: false };
  if (requested === 'wrong') return { status: 200, text: 'received', slow: false };
  return { status: 200, text: 'OK', slow: requested === 'slow' };
}

function isAbout({ body }: Received, order: { orderNo?: string; merchantOrderNo?: string }): boolean {
  const { orderNo, merchantOrderNo } = (typeof body === 'object' && body !== null ? body : {}) as typeof order;
  return (
    (order.orderNo === undefined || order.orderNo === orderNo) &&
    (order.merchantOrderNo === undefined || order.merchantOrderNo === merchantOrderNo)
  );
}

function keptHeaders(request: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = request.headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

function readable(bytes: Buffer): unknown {
  const text = bytes.toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
