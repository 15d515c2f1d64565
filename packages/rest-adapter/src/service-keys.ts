import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse, sendAnswer } from './request/envelope.ts';
import type { RestDomain } from './request/rest-domain.ts';
import { addRoute } from './request/routes.ts';

/** Far shorter than the time in which an old and a new key overlap in a rotation. */
const CACHE_SECONDS = 60;

/**
 * The public keys that verify notifications, by their ids (decisions 2.5; RFC 7517, so without the envelope).
 */
export function addServiceKeyRoutes(server: FastifyInstance, domain: RestDomain): void {
  addRoute(server, ['GET', 'HEAD'], '/.well-known/keys/:keyId', async (request, reply) => {
    const { keyId } = request.params as { keyId: string };
    const key = await domain.serviceKey(keyId);
    if (key) return sendKey(request, reply, key);
    // Not cached, so that a new key is found at once.
    reply.header('cache-control', 'no-store');
    return sendAnswer(request, reply, refuse('not_found'));
  });
}

function sendKey(request: FastifyRequest, reply: FastifyReply, key: object): FastifyReply {
  return reply
    .headers({ 'x-request-id': request.id, 'cache-control': `public, max-age=${CACHE_SECONDS}` })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(key));
}
