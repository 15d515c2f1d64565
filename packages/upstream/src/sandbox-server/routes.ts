import type { FastifyInstance } from 'fastify';
import { replyTarget, requestTarget, SIGNING_HEADERS, signedHeaders, verifySigned } from '../sandbox/signing.ts';
import { cancelOrder } from './cancel-order.ts';
import type { SandboxContext } from './context.ts';
import { addControls } from './controls.ts';
import { createOrder } from './create-order.ts';
import { queryOrder } from './query-order.ts';
import { rawBody } from './read-json.ts';

type OrderRoute = { Params: { orderNo: string } };

/** The upstream's signed API, and the routes that only a sandbox has. */
export function addRoutes(app: FastifyInstance, context: SandboxContext): void {
  // Signatures cover bytes, so bodies stay bytes until they are verified.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ code: 'order_unknown', message: 'no such route' }),
  );
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.register(async (api) => {
    signBothWays(api, context.secret);
    api.post('/orders', (request, reply) => createOrder(context, request, reply));
    api.get<OrderRoute>('/orders/:orderNo', ({ params }, reply) => queryOrder(context, params.orderNo, reply));
    api.post<OrderRoute>('/orders/:orderNo/cancel', ({ params }, reply) => cancelOrder(context, params.orderNo, reply));
  });
  addControls(app, context);
}

function signBothWays(api: FastifyInstance, secret: string): void {
  api.addHook('preHandler', async (request, reply) => {
    const target = requestTarget(request.method, request.raw.url ?? '');
    const verdict = verifySigned(secret, request.headers, target, rawBody(request), Date.now());
    if (!verdict.ok) return reply.code(401).send({ code: 'unauthorized', message: verdict.detail });
  });
  api.addHook('onSend', async (request, reply, payload) => {
    const signature = request.headers[SIGNING_HEADERS.signature];
    if (reply.statusCode === 401 || typeof signature !== 'string' || typeof payload !== 'string') return payload;
    reply.headers(signedHeaders(secret, replyTarget(reply.statusCode, signature), payload, Date.now()));
    return payload;
  });
}
