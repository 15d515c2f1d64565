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
  | 'transition_impossible'
  | 'already_sent'
  | 'not_cancellable'
  | 'second_operator_needed'
  | 'task_not_available'
  | 'task_claimed'
  | 'not_your_task'
  | 'proof_pending'
  | 'proof_missing'
  | 'case_not_found'
  | 'case_closed'
  | 'case_not_creditable'
  | 'not_due'
  | 'not_this_channel';

export type Result<T> = { ok: true; value: T } | { ok: false; rejection: Rejection; detail?: string };
