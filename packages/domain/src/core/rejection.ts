/** Every reason for which the domain says no. Each maps to exactly one REST and one GraphQL code, in a table that the compiler checks. */
export type Rejection =
  | 'merchant_order_no_exists'
  | 'balance_insufficient'
  | 'bank_mapping_not_found'
  | 'amount_out_of_range'
  | 'no_channel_available'
  | 'operation_not_available'
  | 'order_not_found'
  | 'upstream_rejected'
  | 'upstream_timeout'
  | 'not_due'
  | 'not_this_channel';

export type Result<T> = { ok: true; value: T } | { ok: false; rejection: Rejection; detail?: string };
