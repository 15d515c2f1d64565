import type { Log } from '@tidegate/domain';
import type { OperatorContext } from '@tidegate/domain/operators';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken, findOperator, type OperatorLookup } from './context.ts';
import { type ErrorCode, errorBody } from './errors.ts';
import { isAway } from './report-errors.ts';

export interface Caller {
  operator: OperatorContext;
  token: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The sender of a GraphQL request; null on all other routes. */
    caller: Caller | null;
  }
}

export interface AuthenticateOptions {
  lookup: Omit<OperatorLookup, 'live'>;
  log: Log;
  /** Counts every error in an answer, by its code. */
  countError(code: string): void;
  bodyLimitBytes: number;
  /** How long the lookup may take. */
  lookupMs: number;
}

/** Runs before the body is read. Unknown callers are answered with 401. */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/**
 * Finds the caller by the Authorization header alone, so that requests of unknown callers are not read, parsed or
 * cached.
 */
export function authenticateOperators({
  lookup,
  log,
  countError,
  bodyLimitBytes,
  lookupMs,
}: AuthenticateOptions): Authenticate {
  const refuse = (request: FastifyRequest, reply: FastifyReply, status: number, code: ErrorCode, message: string) => {
    countError(code);
    // The connection is closed, because reading the rest of a long body is not worth it.
    if (!(Number(request.headers['content-length']) <= bodyLimitBytes)) reply.header('Connection', 'close');
    return reply.code(status).send(errorBody(code, message, request.id));
  };
  return async (request, reply) => {
    const token = bearerToken(request.headers.authorization);
    try {
      const operator = token === undefined ? null : await inTime(findOperator(lookup, token), lookupMs);
      if (token !== undefined && operator !== null) {
        request.caller = { operator, token };
        return undefined;
      }
    } catch (error) {
      if (!(error instanceof TooLate) && !isAway(error)) throw error;
      log.error({ requestId: request.id, err: error }, 'an operator cannot be looked up');
      return refuse(request, reply.header('Retry-After', '1'), 503, 'SERVICE_UNAVAILABLE', 'service unavailable');
    }
    const needed = 'a valid operator token is needed: Authorization: Bearer <token>';
    return refuse(request, reply.header('WWW-Authenticate', 'Bearer'), 401, 'UNAUTHENTICATED', needed);
  };
}

class TooLate extends Error {}

async function inTime<Value>(lookup: Promise<Value>, limitMs: number): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new TooLate(`not answered within ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([lookup, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
