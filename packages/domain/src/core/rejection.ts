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
  | 'proof_reference_used'
  | 'case_not_found'
  | 'case_closed'
  | 'case_not_creditable'
  | 'booking_no_taken'
  | 'approval_decided'
  | 'approval_expired'
  | 'not_due'
  | 'not_this_channel';

/** Why an operator's wish is not done, besides what the domain itself says no to. Each has one GraphQL code and one text for people. */
export type OperatorRejection =
  | Rejection
  | 'forbidden'
  | 'invalid_input'
  | 'merchant_not_found'
  | 'merchant_exists'
  | 'channel_not_found'
  | 'key_not_found'
  | 'key_of_another_merchant'
  | 'common_key_not_found'
  | 'route_not_found'
  | 'operator_not_found'
  | 'operator_exists'
  | 'token_not_found'
  | 'own_access'
  | 'own_approval'
  | 'asker_disabled'
  | 'approval_not_found'
  | 'approval_outdated'
  | 'not_your_approval'
  | 'sign_in_refused'
  | 'invitation_not_found'
  | 'identity_linked'
  | 'identity_not_found'
  | 'finding_not_found'
  | 'finding_closed'
  | 'notification_not_found'
  | 'too_many_notifications'
  | 'request_key_taken'
  | 'time_range_wrong';

/** One field that was refused: its dotted path, and the reason, such as `must be an amount above 0`. */
export interface FieldProblem {
  path: string;
  reason: string;
}

/** `fields` only with `invalid_input`. */
export interface Refused {
  ok: false;
  rejection: OperatorRejection;
  detail?: string;
  fields?: FieldProblem[];
}

/** What an operator's wish came to. */
export type Outcome<T> = { ok: true; value: T } | Refused;

export type Result<T> = { ok: true; value: T } | { ok: false; rejection: Rejection; detail?: string };
