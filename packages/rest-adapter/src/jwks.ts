import type { FastifyInstance } from 'fastify';
import type { RestDomain } from './rest-domain.ts';
import { addRoute } from './routes.ts';

/** Far shorter than an old and a new key are published side by side during a rotation. */
const CACHE_SECONDS = 60;

/** The service's public keys, with which notifications are verified (decisions 2.5; RFC 7517, so without the envelope). */
export function addJwksRoute(server: FastifyInstance, domain: RestDomain): void {
  addRoute(server, ['GET', 'HEAD'], '/.well-known/jwks.json', async (request, reply) => {
    const keys = await domain.jwks();
    return reply
      .headers({ 'x-request-id': request.id, 'cache-control': `public, max-age=${CACHE_SECONDS}` })
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(keys));
  });
}
