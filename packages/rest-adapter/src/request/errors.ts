import { type MerchantRejection, merchantRejections, type Rejection } from '@tidegate/domain';

/** Every failure of this adapter: code, HTTP status and the start of `msg` (decisions 1). */
export const failures = {
  malformed_request: { code: 40000, http: 400, msg: 'malformed request' },
  invalid_parameter: { code: 40001, http: 400, msg: 'invalid parameter' },
  missing_header: { code: 40100, http: 401, msg: 'missing header' },
  signature_invalid: { code: 40101, http: 401, msg: 'signature invalid' },
  timestamp_out_of_range: { code: 40102, http: 401, msg: 'timestamp out of range' },
  nonce_used: { code: 40103, http: 401, msg: 'nonce already used' },
  merchant_disabled: { code: 40301, http: 403, msg: 'merchant disabled' },
  ip_not_allowed: { code: 40302, http: 403, msg: 'ip not allowed' },
  operation_not_available: { code: 40303, http: 403, msg: 'operation not available' },
  not_found: { code: 40400, http: 404, msg: 'not found' },
  order_not_found: { code: 40401, http: 404, msg: 'order not found' },
  method_not_allowed: { code: 40500, http: 405, msg: 'method not allowed' },
  merchant_order_no_exists: { code: 40901, http: 409, msg: 'merchant order no already exists' },
  request_too_large: { code: 41300, http: 413, msg: 'request too large' },
  unsupported_media_type: { code: 41500, http: 415, msg: 'unsupported media type' },
  balance_insufficient: { code: 42201, http: 422, msg: 'merchant balance insufficient' },
  bank_mapping_not_found: { code: 42202, http: 422, msg: 'upstream bank mapping not found' },
  amount_out_of_range: { code: 42203, http: 422, msg: 'amount out of range' },
  no_channel_available: { code: 42204, http: 422, msg: 'no channel available' },
  too_many_requests: { code: 42900, http: 429, msg: 'too many requests' },
  internal_error: { code: 50000, http: 500, msg: 'internal error' },
  upstream_rejected: { code: 50201, http: 502, msg: 'upstream rejected' },
  service_unavailable: { code: 50300, http: 503, msg: 'service unavailable' },
  upstream_timeout: { code: 50401, http: 504, msg: 'upstream timeout' },
} as const satisfies Record<string, { code: number; http: number; msg: string }>;

export type Failure = keyof typeof failures;

// Each rejection of a merchant's request has its own row, of the same name.
failures satisfies Record<MerchantRejection, object>;

/** The failure for a rejection of the domain. Rejections that a merchant's request cannot cause are internal errors. */
export function failureOf(rejection: Rejection): Failure {
  return rejection in merchantRejections ? (rejection as MerchantRejection) : 'internal_error';
}
