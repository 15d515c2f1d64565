import { ERROR_CODES, type ErrorCode, type ErrorGroup } from './codes.ts';
import {
  ApiError,
  AuthenticationError,
  OrderExistsError,
  OrderNotFoundError,
  PermissionError,
  RateLimitError,
  type Refusal,
  RejectionError,
  RequestError,
  ServiceError,
  UpstreamError,
} from './errors.ts';

const CLASSES: Record<ErrorGroup, new (refusal: Refusal) => ApiError> = {
  request: RequestError,
  authentication: AuthenticationError,
  permission: PermissionError,
  orderNotFound: OrderNotFoundError,
  orderExists: OrderExistsError,
  rejection: RejectionError,
  rateLimit: RateLimitError,
  upstream: UpstreamError,
  service: ServiceError,
};

/** Makes the error for a refusal. An unknown code becomes a plain ApiError. */
export function errorOf(refusal: Refusal): ApiError {
  const group = groupOf(refusal.code);
  return group === undefined ? new ApiError(refusal) : new CLASSES[group](refusal);
}

export function groupOf(code: number): ErrorGroup | undefined {
  return isErrorCode(code) ? ERROR_CODES[code].group : undefined;
}

/** Whether this version knows the code. */
function isErrorCode(code: number): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}
