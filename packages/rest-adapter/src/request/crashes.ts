import { isUnavailable, type Log } from '@tidegate/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPage, wantsPage } from './browser-page.ts';
import { type Refusal, refuse, sendAnswer } from './envelope.ts';

/** Answers every thrown error, and every unknown route, with the envelope. Browsers get a page for an unknown route. */
export const answerErrors = {
  install(server: FastifyInstance, log: Log): void {
    server.setErrorHandler((error, request, reply) => sendAnswer(request, reply, refusalOf(error, request, log)));
    server.setNotFoundHandler(sendNotFound);
  },
  /** A path that cannot be decoded, or with a too long parameter, matches no route. */
  unreadableUrl(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    sendNotFound(request, reply);
  },
};

function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return wantsPage(request) ? sendPage(request, reply) : sendAnswer(request, reply, refuse('not_found'));
}

/** 50300 if a dependency is unavailable, else 50000. The cause is in the log, under the request's id. */
export function refusalOf(error: unknown, { id: requestId }: Pick<FastifyRequest, 'id'>, log: Log): Refusal {
  if (isUnavailable(error)) {
    log.warn({ requestId, err: error }, 'the database does not answer');
    return refuse('service_unavailable');
  }
  log.error({ requestId, err: error }, 'a request crashed');
  return refuse('internal_error');
}
