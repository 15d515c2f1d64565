/**
 * Tidegate's client for merchants: calls, notifications, and the doctor that explains refused signatures. Start with
 * `createClient`. For notifications use `fastifyNotifications`, `expressHandler`, `honoHandler` or `fetchHandler`.
 *
 * Comments cite the interface as “contract” and the decisions on it by number. Both are in the service's repository, in
 * docs/contract.
 */
export {
  type Client,
  createClient,
  type PayinCalls,
  type PayoutCalls,
  type ReadOptions,
  type WalletCalls,
} from './client.ts';
export type { ClientOptions } from './client-options.ts';
export type { Country, PayoutCountry } from './country.ts';
export type { CreateOptions } from './create-order.ts';
export {
  type DoctorInput,
  diagnose,
  type Finding,
  type Severity,
  type Step,
} from './doctor.ts';
export { type CodeOf, ERROR_CODES, type ErrorCode, type ErrorGroup } from './errors/codes.ts';
export {
  ApiError,
  AuthenticationError,
  ConnectionError,
  OrderExistsError,
  OrderNotFoundError,
  OutcomeUnknownError,
  PermissionError,
  RateLimitError,
  RejectionError,
  RequestError,
  ServiceError,
  TidegateError,
  TimeoutError,
  UnexpectedAnswerError,
  UpstreamError,
} from './errors/errors.ts';
export type * from './interface.generated.ts';
export type { Json } from './json.ts';
export { expressHandler } from './notifications/express-handler.ts';
export { fastifyNotifications } from './notifications/fastify-plugin.ts';
export { fetchHandler, honoHandler } from './notifications/fetch-handler.ts';
export { memoryNonceStore, type NonceStore } from './notifications/nonce-store.ts';
export type { Notification } from './notifications/notification.ts';
export {
  type NotificationProblem,
  type OnNotification,
  type ReceiverOptions,
  type Reply,
  receiveNotification,
} from './notifications/receive-notification.ts';
export { fixedKeys, type ServiceKeys, type ServiceKeysOptions, serviceKeys } from './notifications/service-keys.ts';
export {
  type AnyHeaders,
  type Delivery,
  /** @deprecated Use `VerificationFailure`. */
  type NotificationRules,
  type VerificationFailure,
  type Verified,
  verifyNotification,
} from './notifications/verify-notification.ts';
export type {
  Created,
  OrderNumber,
  Payin,
  PayinMetadata,
  PayinRequest,
  PayinState,
  PayinStatus,
  Payout,
  PayoutRequest,
  PayoutState,
  PayoutStatus,
} from './orders.ts';
export type { PageRequest, WalletPage, WalletTransactionType } from './wallet.ts';
