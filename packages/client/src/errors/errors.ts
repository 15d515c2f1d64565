import type { CodeOf } from './codes.ts';

/** The base class of all errors of this client. Wrong use of the client throws TypeError or InvalidKey instead. */
export class TidegateError extends Error {
  override readonly name: string = 'TidegateError';
}

/** A refusal of the service. */
export interface Refusal {
  readonly code: number;
  /** The full message of the service, e.g. `invalid parameter: amount is required`. */
  readonly msg: string;
  readonly httpStatus: number;
  /** The id of the request. Quote it when you contact support. */
  readonly requestId: string | null;
  /** The value of `Retry-After`, in seconds. */
  readonly retryAfterSeconds: number | null;
  /** Null, except for 40101 in the sandbox: `{ signedContent }` is the text that the service expected to be signed. */
  readonly data: unknown;
}

/** The service answered with a code other than 0. `code` says what is wrong, the subclass says how to react. */
export class ApiError extends TidegateError {
  override readonly name: string = 'ApiError';
  readonly code: number;
  readonly httpStatus: number;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly data: unknown;

  constructor(refusal: Refusal) {
    super(`${refusal.code} ${refusal.msg}${refusal.requestId === null ? '' : ` (request ${refusal.requestId})`}`);
    this.code = refusal.code;
    this.httpStatus = refusal.httpStatus;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.data = refusal.data;
  }
}

/** The request is wrong and will never succeed unchanged. `message` names the fields. */
export class RequestError extends ApiError {
  override readonly name = 'RequestError';
  declare readonly code: CodeOf<'request'>;
}

/**
 * The service could not authenticate the merchant: key, signature, clock or nonce. `npx @tidegate/client doctor` finds
 * the cause.
 */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
  declare readonly code: CodeOf<'authentication'>;
}

/** The merchant is disabled, the operation is not available, or this machine's IP address is not allowed. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
  declare readonly code: CodeOf<'permission'>;
}

/** The merchant has no such order. */
export class OrderNotFoundError extends ApiError {
  override readonly name = 'OrderNotFoundError';
  declare readonly code: CodeOf<'orderNotFound'>;
}

/**
 * Another order of this merchant has this merchantOrderNo. Nothing was created. Also after a lost answer, if the service is of a version that does not
 * say whether the same request created it: then query it and compare.
 */
export class OrderExistsError extends ApiError {
  override readonly name = 'OrderExistsError';
  declare readonly code: CodeOf<'orderExists'>;
}

/** The service refused this order: balance, bank, amount or channel. Nothing was created. */
export class RejectionError extends ApiError {
  override readonly name = 'RejectionError';
  declare readonly code: CodeOf<'rejection'>;
}

/** Too many requests, even after waiting as `Retry-After` says. Nothing was done. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
  declare readonly code: CodeOf<'rateLimit'>;
}

/**
 * The channel refused the order (50201) or did not answer in time (50401). The order exists. Query it, and do not
 * assume that it is unpaid.
 */
export class UpstreamError extends ApiError {
  override readonly name = 'UpstreamError';
  declare readonly code: CodeOf<'upstream'>;
}

/**
 * The service could not process the request now. Only reads throw this. A create throws OutcomeUnknownError instead.
 */
export class ServiceError extends ApiError {
  override readonly name = 'ServiceError';
  declare readonly code: CodeOf<'service'>;
}

/**
 * The service could not be reached, or the connection broke. `cause` is the network's own error. A create throws this
 * only if no request was sent, otherwise OutcomeUnknownError.
 */
export class ConnectionError extends TidegateError {
  override readonly name = 'ConnectionError';
}

/** No complete answer arrived within `timeoutMs`. */
export class TimeoutError extends TidegateError {
  override readonly name = 'TimeoutError';
}

/**
 * An answer that the service cannot have sent for this request. It comes from a proxy or a wrong base URL, or is about
 * another order.
 */
export class UnexpectedAnswerError extends TidegateError {
  override readonly name = 'UnexpectedAnswerError';
}

/**
 * It is unknown whether the order was created: an answer was lost, and later answers did not clear it up. Never create the
 * order again under another number. Repeat the same create with the same number and `{ resume: true }`. If the service does not know the order after ten minutes, it was never created. By
 * then the service refuses the lost request, because its timestamp is too old.
 */
export class OutcomeUnknownError extends TidegateError {
  override readonly name = 'OutcomeUnknownError';
  readonly merchantOrderNo: string;

  constructor(merchantOrderNo: string, cause: unknown) {
    super(
      `it is not known whether order ${merchantOrderNo} was created (${cause instanceof Error ? cause.message : String(cause)}): call create again later with the same request and { resume: true }; never with another number`,
      { cause },
    );
    this.merchantOrderNo = merchantOrderNo;
  }
}
