import { isUnavailable, type Log } from '@tidegate/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, refuse, sendAnswer } from './envelope.ts';

/** Answers every thrown error, and every unknown route, with the envelope. */
export const answerErrors = {
  install(server: FastifyInstance, log: Log): void {
    server.setErrorHandler((error, request, reply) => sendAnswer(request, reply, refusalOf(error, request, log)));
    server.setNotFoundHandler((request, reply) => sendAnswer(request, reply, refuse('not_found')));
  },
  /** A path that cannot be decoded, or with a too long parameter, matches no route. */
  unreadableUrl(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    sendAnswer(request, reply, refuse('not_found'));
  },
};

/** 50300 if a dependency is unavailable, else 50000. The cause is in the log, under the request's id. */
export function refusalOf(error: unknown, { id: requestId }: Pick<FastifyRequest, 'id'>, log: Log): Refusal {
  if (isUnavailable(error)) {
    log.warn({ requestId, err: error }, 'the database does not answer');
    return refuse('service_unavailable');
  }
  log.error({ requestId, err: error }, 'a request crashed');
  return refuse('internal_error');
}
