import { isUnavailable, type Log } from '@tidegate/domain';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { mapAsyncIterator, type Plugin } from 'graphql-yoga';
import { type ErrorCode, errorCodes, IdentityProviderAway } from '../errors/errors.ts';
import { variableProblem } from '../errors/variable-problem.ts';
import type { RequestFacts } from './context.ts';
import { withoutValues } from './without-values.ts';

/**
 * Turns any error into one that the client may see. A GraphQLError is meant for clients and stays. Any other error
 * becomes INTERNAL, or SERVICE_UNAVAILABLE if the database or the identity provider is unavailable. The cause is kept on the
 * error for `reportErrors`.
 */
export function maskError(error: unknown): Error {
  const cause = causeOf(error);
  if (cause === null) return error as GraphQLError;
  const away = isAway(cause);
  const code: ErrorCode = away ? 'SERVICE_UNAVAILABLE' : 'INTERNAL';
  const headers = away ? { headers: { 'Retry-After': '1' } } : {};
  return new GraphQLError(away ? 'service unavailable' : 'internal error', {
    ...(error instanceof GraphQLError && placeOf(error)),
    originalError: cause instanceof Error ? cause : new Error(String(cause)),
    extensions: { code, http: { status: errorCodes[code], ...headers } },
  });
}

/** Whether an error says that the database or the identity provider is unavailable. */
export function isAway(cause: unknown): boolean {
  return cause instanceof IdentityProviderAway || isUnavailable(cause);
}

/** The cause of an error that is not for clients; null for an error that is. */
function causeOf(error: unknown): unknown {
  let cause = error;
  // Executors wrap an error at most a few times.
  for (let depth = 0; depth < 10 && cause instanceof GraphQLError; depth += 1) {
    if (!cause.originalError) return null;
    cause = cause.originalError;
  }
  return cause;
}

/** Adds the code and the request's id to every error, and counts it. Hidden details are logged under the same id. */
export function reportErrors(log: Log, count: (code: string) => void): Plugin<object, RequestFacts> {
  return {
    onResultProcess: ({ result, setResult, serverContext: { requestId } }) => {
      if (Array.isArray(result)) return;
      const report = (one: ExecutionResult): ExecutionResult => {
        const answer = reported(one, requestId, log);
        for (const { extensions } of answer.errors ?? []) count(String(extensions.code));
        return answer;
      };
      if (Symbol.asyncIterator in result) setResult(mapAsyncIterator(result, report));
      else setResult(report(result));
    },
  };
}

function reported(result: ExecutionResult, requestId: string, log: Log): ExecutionResult {
  if (!result.errors) return result;
  for (const { originalError, path, extensions } of result.errors) {
    if (extensions.code === 'INTERNAL' || extensions.code === 'SERVICE_UNAVAILABLE') {
      log.error({ requestId, path, err: originalError }, 'a GraphQL request failed');
    }
  }
  // Copies, because a document's errors are cached with it and shared by all requests with that document.
  return { ...result, errors: result.errors.map((error) => labelled(error, requestId)) };
}

function labelled(error: GraphQLError, requestId: string): GraphQLError {
  // An error without a code is about variables that do not fit, or a missing operation.
  const { code = 'BAD_USER_INPUT', originalError: _hidden, ...rest } = error.extensions;
  const known = isKnown(code) ? code : 'BAD_REQUEST';
  const status = errorCodes[known];
  // Not derived from yoga's choice of media type.
  const http = status !== null && { http: { ...Object(rest.http), spec: false, status } };
  const message = withoutValues(error.message);
  const problem = variableProblem(message);
  const extensions = { ...(problem && { fields: [problem] }), ...rest, ...http, code: known, requestId };
  return new GraphQLError(message, { ...placeOf(error), extensions });
}

function isKnown(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code);
}

/** The position of an error in the document and in the answer. */
function placeOf({ nodes, source, positions, path }: GraphQLError) {
  return { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null, path: path ?? null };
}
