import { METHODS } from 'node:http';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import { refuse, sendAnswer } from './envelope.ts';

/**
 * Serves `url` for these methods, and refuses other methods with 40500 and the allowed ones. A handler reads a body
 * from the raw request (`acceptEveryMethod`), so no body is read for an unknown path or method.
 */
export function addRoute(
  server: FastifyInstance,
  methods: readonly string[],
  url: string,
  handler: RouteHandlerMethod,
): void {
  server.route({ method: [...methods], url, handler });
  const allow = methods.join(', ');
  server.route({
    method: server.supportedMethods.filter((method) => !methods.includes(method)),
    url,
    handler: (request, reply) => sendAnswer(request, reply, refuse('method_not_allowed', { allow })),
  });
}

/**
 * Allows routes for every method that Node can parse, and keeps fastify from reading bodies. Call it before adding
 * routes.
 */
export function acceptEveryMethod(server: FastifyInstance): void {
  for (const method of METHODS) server.addHttpMethod(method, { hasBody: false, overrideExisting: true });
}
