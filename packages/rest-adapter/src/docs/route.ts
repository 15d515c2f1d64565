import type { FastifyInstance } from 'fastify';
import { addRoute } from '../routes.ts';
import { printOpenApi } from './openapi/document.ts';

/** Documents change with a release only; an hour is how long an old one may be shown after it. */
const CACHE_CONTROL = 'public, max-age=3600';

/** What merchants' engineers read: the interface as OpenAPI at `/docs/openapi.json`, without the envelope and open to everybody. */
export function addDocsRoutes(server: FastifyInstance): void {
  const openApi = printOpenApi();
  addRoute(server, ['GET', 'HEAD'], '/docs/openapi.json', (request, reply) =>
    reply
      .headers({ 'x-request-id': request.id, 'cache-control': CACHE_CONTROL, 'x-content-type-options': 'nosniff' })
      .type('application/json; charset=utf-8')
      .send(openApi),
  );
}
