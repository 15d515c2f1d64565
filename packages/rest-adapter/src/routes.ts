import { METHODS } from 'node:http';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import { refuse, sendAnswer } from './envelope.ts';

/**
 * Serves `url` for these methods, and refuses every other one with 40500 and what the path allows. A handler that needs a body
 * reads it from the raw request (`acceptEveryMethod`): no body is read for an unknown path or method.
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

/** Lets routes be made for every method that Node can read, and keeps fastify from reading bodies. Before all routes. */
export function acceptEveryMethod(server: FastifyInstance): void {
  for (const method of METHODS) server.addHttpMethod(method, { hasBody: false, overrideExisting: true });
}
