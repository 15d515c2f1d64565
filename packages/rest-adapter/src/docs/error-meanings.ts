import type { Failure } from '../errors.ts';

/** When each failure is answered, for the reference and the guide (decisions 1). */
export const errorMeanings: Record<Failure, string> = {
  malformed_request:
    'The body is not a JSON object in UTF-8, has a duplicate, reserved or ambiguous key, or a query parameter appears twice.',
  invalid_parameter:
    'A field is missing, of the wrong form, or must not be sent. All bad fields are named by their path, each with the reason.',
  missing_header: 'One of the four X- headers is absent or of the wrong form; the message names it.',
  signature_invalid:
    'The signature does not verify, or the merchant number is unknown. In the sandbox `data.signedContent` is the text that the service derived.',
  timestamp_out_of_range: "X-Timestamp is more than 300 seconds from the service's clock.",
  nonce_used: 'This nonce was used within the last 15 minutes.',
  merchant_disabled: 'The merchant is disabled.',
  ip_not_allowed: 'The merchant has an allow list, and the request came from elsewhere.',
  operation_not_available:
    'Payouts in China and Thailand; a product that is switched off for the merchant; or an order for which the merchant has no fee rule yet.',
  not_found: 'There is no such path.',
  order_not_found: 'The merchant has no such order.',
  method_not_allowed: 'The path has other methods; `Allow` names them.',
  merchant_order_no_exists: 'An order of this merchant, payin or payout, already has the number.',
  request_too_large: 'The body is larger than 64 KiB.',
  unsupported_media_type: 'A POST whose Content-Type is not application/json.',
  balance_insufficient: 'The wallet has less available than the net amount of the payout.',
  bank_mapping_not_found: 'No enabled channel knows the bankCode of the payout.',
  amount_out_of_range: 'The amount is outside the limits, or not above its fee.',
  no_channel_available: 'No enabled channel can carry the order.',
  too_many_requests: 'Too many requests; `Retry-After` says how many seconds to wait.',
  internal_error: 'Something unexpected happened. Give X-Request-Id to the support.',
  upstream_rejected: 'The channel refused the order. It exists, with status failed.',
  service_unavailable:
    'Something that the request needs is down. Whether a create took effect is open: query the order by merchantOrderNo.',
  upstream_timeout: 'The channel did not answer in time. The order exists: query it.',
};
