import type { Log } from '@tidegate/domain';
import type { OperatorContext } from '@tidegate/domain/operators';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, errorBody } from '../errors/errors.ts';
import { bearerToken, findOperator, type OperatorLookup } from '../graphql/context.ts';
import { isAway } from '../graphql/report-errors.ts';
import { problemOfPage } from './check-own-page.ts';
import type { ConsoleSessions } from './console-sessions.ts';

export interface Caller {
  operator: OperatorContext;
  /** The operator as of now; null once the token or session is no longer valid. */
  operatorNow(): Promise<OperatorContext | null>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The sender of a GraphQL request; null on all other routes. */
    caller: Caller | null;
  }
}

export interface AuthenticateOptions {
  lookup: Omit<OperatorLookup, 'live'>;
  /** The console's sessions; default: operators can use only tokens. */
  console?: { sessions: ConsoleSessions; origin: string | null } | undefined;
  log: Log;
  /** Counts every error in an answer, by its code. */
  countError(code: string): void;
  bodyLimitBytes: number;
  /** The time limit of the look-up, in milliseconds. */
  lookupMs: number;
}

/** Runs before the body is read. Unknown callers are answered with 401. */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/** Finds the caller by the headers alone, so that requests of unknown callers are not read, parsed or cached. */
export function authenticateOperators({
  lookup,
  console,
  log,
  countError,
  bodyLimitBytes,
  lookupMs,
}: AuthenticateOptions): Authenticate {
  const refuse = (request: FastifyRequest, reply: FastifyReply, status: number, code: ErrorCode, message: string) => {
    countError(code);
    // The connection is closed, so that the rest of a long body is not read.
    if (!(Number(request.headers['content-length']) <= bodyLimitBytes)) reply.header('Connection', 'close');
    return reply.code(status).send(errorBody(code, message, request.id));
  };
  return async (request, reply) => {
    const presented = console?.sessions.hasCookie(request)
      ? presentedByCookie(request, console)
      : presentedByToken(request, lookup);
    if (presented && 'problem' in presented)
      return refuse(request, reply, presented.status, presented.code, presented.problem);
    try {
      const operator = presented && (await inTime(presented.find(), lookupMs));
      if (presented && operator) {
        request.caller = { operator, operatorNow: presented.findAgain };
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

/** The credential of a caller: a token or a session. It can be checked again while a stream goes on. */
interface Presented {
  find(): Promise<OperatorContext | null>;
  findAgain(): Promise<OperatorContext | null>;
}

interface Refused {
  status: number;
  code: ErrorCode;
  problem: string;
}

function presentedByToken({ headers }: FastifyRequest, lookup: Omit<OperatorLookup, 'live'>): Presented | null {
  const token = bearerToken(headers.authorization);
  if (token === undefined) return null;
  const find = () => findOperator(lookup, token);
  return { find, findAgain: find };
}

/**
 * The session of a cookie, which is accepted only from the console's own pages. A request with both a cookie and a token
 * is refused. A stream does not extend the session.
 */
function presentedByCookie(
  request: FastifyRequest,
  { sessions, origin }: { sessions: ConsoleSessions; origin: string | null },
): Presented | Refused | null {
  if (request.headers.authorization !== undefined)
    return { status: 400, code: 'BAD_REQUEST', problem: 'send a token or the cookie of the console, not both' };
  const problem = problemOfPage(request, origin);
  if (problem !== null) return { status: 403, code: 'FORBIDDEN', problem };
  const session = sessions.namedIn(request);
  return (
    session && {
      find: async () => (await session.use())?.operator ?? null,
      findAgain: async () => (await session.find())?.operator ?? null,
    }
  );
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
