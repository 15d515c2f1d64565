import type { IncomingHttpHeaders } from 'node:http';
import { MAX_NOTIFICATION_BYTES, type ReceiverOptions, receiveNotification } from './receive-notification.ts';

/** The parts of Fastify that are used. They are declared here, so that this package does not depend on Fastify. */
interface FastifyScope {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (...parameters: never[]) => void,
  ): unknown;
  post(
    path: string,
    handler: (request: { headers: IncomingHttpHeaders; body: unknown }, reply: FastifyReply) => Promise<unknown>,
  ): unknown;
}

interface FastifyReply {
  code(status: number): FastifyReply;
  type(contentType: string): FastifyReply;
  send(body: string): unknown;
}

/**
 * A plugin for Fastify: `await app.register(fastifyNotifications({ path: '/notify', … }))`. Inside the plugin, bodies
 * are bytes. Other routes keep their parsers.
 */
export function fastifyNotifications(
  options: ReceiverOptions & { path: string },
): (scope: FastifyScope) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_NOTIFICATION_BYTES }, keepBytes);
    scope.post(options.path, async ({ headers, body }, reply) => {
      const bytes = body instanceof Uint8Array ? body : new Uint8Array();
      const { status, text } = await receiveNotification({ headers, body: bytes }, options);
      return reply.code(status).type('text/plain; charset=utf-8').send(text);
    });
  };
}

function keepBytes(_request: unknown, body: Buffer, done: (error: null, body: Buffer) => void): void {
  done(null, body);
}
