import type { Log } from '@tidegate/domain';
import type { OperatorContext } from '@tidegate/domain/operators';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, errorBody } from '../errors/errors.ts';
import { isAway } from '../graphql/report-errors.ts';

// What the routes that read raw bodies have in common: files and statements.

export type Handler<Request extends FastifyRequest> = (
  request: Request,
  reply: FastifyReply,
) => Promise<FastifyReply | undefined>;

/** Answers 503 while the database is unavailable. `problem` is for the log, e.g. `a file cannot be stored`. */
export function answeringAway<Request extends FastifyRequest>(
  log: Log,
  problem: string,
  handle: Handler<Request>,
): Handler<Request> {
  return async (request, reply) => {
    try {
      return await handle(request, reply);
    } catch (error) {
      if (!isAway(error)) throw error;
      log.error({ requestId: request.id, err: error }, problem);
      return refuse(reply.header('Retry-After', '1'), request, 'SERVICE_UNAVAILABLE', 503, 'service unavailable');
    }
  };
}

/** The sender of a request that has passed `authenticate`. */
export function callerOf({ caller }: FastifyRequest): OperatorContext {
  if (!caller) throw new Error('a request passed without its caller');
  return caller.operator;
}

/** Refuses because transfers are running that have to end first. */
export function refuseAsBusy(
  reply: FastifyReply,
  request: FastifyRequest,
  busy = 'an upload is running: wait until it is done',
): FastifyReply {
  return refuse(reply.header('Retry-After', '1'), request, 'TOO_MANY_REQUESTS', 429, busy);
}

/** Answers with an error. A body that was not read to its end is not read on: the connection is closed. */
export function refuse(
  reply: FastifyReply,
  request: FastifyRequest,
  code: ErrorCode,
  status: number,
  message: string,
): FastifyReply {
  if (request.method === 'POST' && !Buffer.isBuffer(request.body)) reply.header('Connection', 'close');
  return reply.code(status).send(errorBody(code, message, request.id));
}
