import { GraphQLError } from 'graphql';

/**
 * The values of `extensions.code` (docs/operators/refusals.md), with the HTTP status of an answer with such an error.
 * Null: GraphQL over HTTP decides. That is 200 for an error of a field, and always for application/json.
 */
export const errorCodes = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: null,
  BAD_USER_INPUT: null,
  GRAPHQL_PARSE_FAILED: null,
  GRAPHQL_VALIDATION_FAILED: null,
  OPERATION_RESOLUTION_FAILURE: null,
  BAD_REQUEST: 400,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  REQUEST_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<string, number | null>;

export type ErrorCode = keyof typeof errorCodes;

/** To an operator who waits in vain for a turn. */
export const tooManyWait = 'too many requests of yours wait: send fewer at once';

/** A refused argument: its dotted path, and the reason. */
export interface FieldProblem {
  path: string;
  reason: string;
}

/** An error whose message is for the client. */
export function refusal(code: ErrorCode, message: string, fields?: FieldProblem[]): GraphQLError {
  const status = errorCodes[code];
  return new GraphQLError(message, {
    extensions: { code, ...(fields && { fields }), ...(status !== null && { http: { status } }) },
  });
}

/** The error code of an HTTP status, for requests that do not reach GraphQL. */
export function codeOfStatus(status: number): ErrorCode {
  const known = Object.entries(errorCodes) as [ErrorCode, number | null][];
  const exact = known.find(([, own]) => own === status)?.[0];
  return exact ?? (status < 500 ? 'BAD_REQUEST' : 'INTERNAL');
}

/** The body of such an answer, in the same form as all others. */
export function errorBody(code: ErrorCode, message: string, requestId: string): object {
  return { errors: [{ message, extensions: { code, requestId } }] };
}

/** The provider's keys cannot be fetched, so its tokens cannot be checked. */
export class IdentityProviderAway extends Error {}
