import type { Failure } from '../request/errors.ts';

/** When each failure is answered, for the reference and the guide (decisions 1). */
export const errorMeanings: Record<Failure, string> = {
  malformed_request:
    'The body is not a JSON object in UTF-8, has a duplicate, reserved or ambiguous key, or a query parameter appears twice.',
  invalid_parameter:
    'A field is missing, has a wrong form, must not be sent, or no channel of the merchant can carry it, for example a letter in the name of a payee. The message lists all bad fields by path, with the reasons.',
  missing_header: 'One of the four X- headers is missing or has a wrong form. The message names it.',
  signature_invalid:
    'The signature does not verify, or the merchant number is unknown. In the sandbox `data.signedContent` is the text that the service derived.',
  timestamp_out_of_range: "X-Timestamp is more than 300 seconds from the service's clock.",
  nonce_used: 'This nonce was used within the last 15 minutes.',
  merchant_disabled: 'The merchant is disabled.',
  ip_not_allowed: "The address of the request is not in the merchant's allow list.",
  operation_not_available:
    'A payout in China or Thailand, a product that is disabled for the merchant, or an order for which the merchant has no fee rule yet. Also a payout while the payouts of the merchant are stopped: nothing was created, and it can be sent later.',
  not_found: 'There is no such path.',
  order_not_found: 'The merchant has no such order.',
  method_not_allowed: 'The path does not support this method. `Allow` lists the supported ones.',
  merchant_order_no_exists:
    'Another payin or payout of this merchant already has this merchantOrderNo. The message ends with `same request` if that order was created by this request, and with `another request` if any field differs. Without either, query the order and compare.',
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

/** What the merchant does about each failure, for the guide. */
export const errorActions: Record<Failure, string> = {
  malformed_request: 'Correct the request: the message says what is wrong. Let a JSON library write the body.',
  invalid_parameter: 'Correct the fields that the message names. Sent unchanged, it is refused again.',
  missing_header: 'Send all four headers in the form of the signing guide.',
  signature_invalid:
    'Compare your signed text with `data.signedContent`, or let the doctor find the mistake. If both are equal, check the merchant number and the key.',
  timestamp_out_of_range: 'Set the clock of your server (NTP). Send Unix seconds, and sign again before each repeat.',
  nonce_used: 'Make a new nonce for each request, also for a repeat. If the first answer was lost, query the order.',
  merchant_disabled: 'Ask the operator of the service.',
  ip_not_allowed: 'Ask the operator to add the address from which your server calls.',
  operation_not_available:
    'Ask the operator whether the product is enabled for you. Stopped payouts: send the same request later.',
  not_found: 'Check method, base URL and path. Paths begin with `/api/v1/merchant`.',
  order_not_found:
    'Check the number and the merchant. After a create without an answer: send the same create again, newly signed.',
  method_not_allowed: 'Use a method that `Allow` lists.',
  merchant_order_no_exists:
    'With `same request`: the order exists, so query it. With `another request`: use a new merchantOrderNo.',
  request_too_large: 'Send less: only the fields of the interface.',
  unsupported_media_type: 'Send `Content-Type: application/json`.',
  balance_insufficient: 'Nothing was created. Wait for payins, or ask the operator for a top-up, then send it again.',
  bank_mapping_not_found: 'Use another bankCode, or ask the operator for the list of yours.',
  amount_out_of_range: 'Send an amount within your limits. The operator tells you the limits and the fees.',
  no_channel_available: 'Nothing was created. Try again later. If it stays so, ask the operator.',
  too_many_requests: 'Nothing was created. Send it again after that, newly signed.',
  internal_error: 'Query the order by merchantOrderNo before you create it again.',
  upstream_rejected: 'The order is over. Tell the payer, or try again with a new merchantOrderNo.',
  service_unavailable: 'If the order does not exist, send the same create again after the seconds in `Retry-After`.',
  upstream_timeout:
    'Wait for the notification, or query until the status is final. Do not create it with another number before.',
};
