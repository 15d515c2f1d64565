import type { Failure } from '../errors.ts';

/** When each failure is answered, for the reference and the guide (decisions 1). */
export const errorMeanings: Record<Failure, string> = {
  malformed_request:
    'The body is not a JSON object in UTF-8, has a duplicate, reserved or ambiguous key, or a query parameter appears twice.',
  invalid_parameter:
    'A field is missing, has a wrong form, or must not be sent. The message lists all bad fields by path, with the reasons.',
  missing_header: 'One of the four X- headers is missing or has a wrong form. The message names it.',
  signature_invalid:
    'The signature does not verify, or the merchant number is unknown. In the sandbox `data.signedContent` is the text that the service derived.',
  timestamp_out_of_range: "X-Timestamp is more than 300 seconds from the service's clock.",
  nonce_used: 'This nonce was used within the last 15 minutes.',
  merchant_disabled: 'The merchant is disabled.',
  ip_not_allowed: "The address of the request is not in the merchant's allow list.",
  operation_not_available:
    'A payout in China or Thailand, a product that is disabled for the merchant, or an order for which the merchant has no fee rule yet.',
  not_found: 'There is no such path.',
  order_not_found: 'The merchant has no such order.',
  method_not_allowed: 'The path does not support this method. `Allow` lists the supported ones.',
  merchant_order_no_exists: 'Another payin or payout of this merchant already has this merchantOrderNo.',
  request_too_large: 'The body is larger than 64 KiB.',
  unsupported_media_type: 'A POST whose Content-Type is not application/json.',
  balance_insufficient: 'The wallet has less available than the net amount of the payout.',
  bank_mapping_not_found: 'No enabled channel supports the bankCode of the payout.',
  amount_out_of_range: 'The amount is outside the limits, or not above its fee.',
  no_channel_available: 'No enabled channel can carry the order.',
  too_many_requests: 'Too many requests. Wait the seconds in `Retry-After`.',
  internal_error: 'An internal error. Give X-Request-Id to the support.',
  upstream_rejected: 'The channel refused the order. It exists, with status failed.',
  service_unavailable:
    'The service cannot process requests now. A create may have taken effect: query the order by merchantOrderNo.',
  upstream_timeout: 'The channel did not answer in time. The order exists. Query its status.',
};
