/** Type of problem that the GraphQL API reports. */
export type RejectionKind = 'invalid' | 'not_found' | 'not_allowed' | 'conflict';

/** The type of problem, and the text for people. */
type Row = readonly [kind: RejectionKind, text: string];

/** Rejections that a merchant's request can get. Each has its own code in the REST adapter's table of failures; the compiler checks it. */
export const merchantRejections = {
  merchant_order_no_exists: ['conflict', 'the merchant has used this merchant order number already'],
  balance_insufficient: ['conflict', 'the available balance of the wallet is too low'],
  bank_mapping_not_found: ['conflict', 'no enabled channel maps this bank code'],
  invalid_parameter: ['invalid', 'no channel of the merchant can carry this payee'],
  amount_out_of_range: ['conflict', 'the amount is not in the allowed range'],
  no_channel_available: ['conflict', 'no enabled channel can process such an order'],
  operation_not_available: ['conflict', 'this operation does not apply to this kind of order'],
  order_not_found: ['not_found', 'there is no such order'],
  upstream_rejected: ['conflict', 'the channel refused'],
  upstream_timeout: ['conflict', 'the channel did not answer in time: try again later'],
  too_many_requests: ['conflict', 'too many requests of this merchant are waiting: nothing was done, try again later'],
} as const satisfies Record<string, Row>;

/** Rejections of commands that operators, the worker and channels send. */
export const commandRejections = {
  payouts_stopped: [
    'conflict',
    'the payouts of this merchant are stopped, because the audit found an error in its ledger: close its findings, then two operators release its payouts',
  ],
  transition_impossible: ['conflict', 'the status of the order does not allow this'],
  already_sent: ['conflict', 'the order was sent to its channel already'],
  bank_word_needed: [
    'conflict',
    'its bank file was downloaded, so it may be paid: give the evidence that the bank has not paid it',
  ],
  money_left: ['conflict', 'money is known to have left for it: two operators have to resolve it by evidence'],
  not_cancellable: ['conflict', 'the channel did not confirm that it is closed, so the order stays as it is'],
  second_operator_needed: ['not_allowed', 'a second operator has to approve it'],
  task_not_available: ['conflict', 'the task is not available'],
  task_claimed: ['conflict', 'an operator has claimed the task and has to give it back first'],
  not_your_task: ['not_allowed', 'another operator has claimed this task'],
  proof_pending: ['conflict', 'there is a proof of payment already: another operator has to review it'],
  proof_missing: ['conflict', 'there is no proof of payment, or the operator has sent another one since'],
  proof_reference_used: ['conflict', 'this bank reference was already used for the transfer of another order'],
  case_not_found: ['not_found', 'there is no such case'],
  booking_not_found: ['not_found', 'there is no such booking, and none waits for a second operator'],
  case_closed: ['conflict', 'the case was decided already'],
  case_not_creditable: [
    'conflict',
    'the money cannot be credited to this order: name all cases that it needs, and no more, or a wallet; or return it',
  ],
  case_not_chargeable: [
    'conflict',
    'only money of a payout that has ended can be charged or written off: resolve the payout first',
  ],
  refund_under_way: ['conflict', 'its money is being sent back through the channel: wait for the result'],
  refund_not_found: ['not_found', 'there is no such refund'],
  case_not_refundable: ['conflict', 'the money cannot be refunded through the channel: return it by hand'],
  booking_reversed: ['conflict', 'the booking was reversed already'],
  booking_not_reversible: [
    'conflict',
    'this booking cannot be reversed: it is a reversal, or belongs to a settlement or a case, which end in other ways',
  ],
  channel_of_variance: ['invalid', 'an adjustment against a variance names its channel, any other names none'],
  booking_no_taken: ['conflict', 'this booking number or reference was used for something else'],
  settlement_not_found: ['not_found', 'there is no such settlement'],
  settlement_not_there: ['conflict', 'the state of the settlement does not allow this'],
  settlement_partly_paid: [
    'conflict',
    'the channel has reported other payments of it, which have cases: fail it by evidence, then charge these cases to the merchant',
  ],
  nothing_to_settle: ['conflict', 'there is nothing to settle: it is below the minimum, or no day is closed'],
  no_bank_account: ['conflict', 'the merchant has no bank account for settlements'],
  approval_decided: ['conflict', 'it was decided already'],
  approval_expired: ['conflict', 'it has expired'],
  approval_waits: [
    'conflict',
    'another request about the same object waits for its second operator: decide that one first',
  ],
  not_due: ['conflict', 'it is not due'],
  not_this_channel: ['conflict', 'the order is with another channel'],
  effect_changed: ['conflict', 'its effect on the money has changed since it was requested: request it again'],
  version_outdated: ['conflict', 'it has changed since you saw it: look again before you decide'],
} as const satisfies Record<string, Row>;

/** Further rejections of operators' operations. */
export const operationRejections = {
  invalid_input: ['invalid', 'the input is invalid'],
  forbidden: ['not_allowed', 'you may not do this'],
  own_access: ['not_allowed', 'you cannot remove your own access'],
  own_approval: ['not_allowed', 'you requested this: another operator has to decide it'],
  not_your_approval: ['not_allowed', 'only the operator who requested it can withdraw it'],
  sign_in_refused: ['not_allowed', 'an operation that needs two operators requires one kind of sign-in'],
  merchant_not_found: ['not_found', 'there is no such merchant'],
  channel_not_found: ['not_found', 'there is no such channel'],
  key_not_found: ['not_found', 'the merchant has no such key'],
  route_not_found: ['not_found', 'the merchant has no such route'],
  operator_not_found: ['not_found', 'there is no such operator'],
  token_not_found: ['not_found', 'there is no such valid token'],
  invitation_not_found: [
    'not_found',
    'the code is wrong, or its invitation has ended: 72 hours after its approval, after its use, or after too many tries',
  ],
  session_not_found: ['not_found', 'the session no longer exists'],
  identity_not_found: ['not_found', 'the operator has no identity'],
  approval_not_found: ['not_found', 'there is no such approval'],
  notification_not_found: ['not_found', 'there is no such notification'],
  finding_not_found: ['not_found', 'there is no such finding'],
  merchant_exists: ['conflict', 'a merchant with this number exists already'],
  operator_exists: ['conflict', 'an operator with this id exists already'],
  identity_linked: ['conflict', 'the operator has an identity already: unlink it first'],
  key_of_another_merchant: [
    'conflict',
    'this public key belongs to another merchant or to the service: every merchant needs its own key pair',
  ],
  asker_disabled: ['conflict', 'the operator who requested it no longer has the right to'],
  request_key_taken: ['conflict', 'this request key was used for something else'],
  time_range_wrong: ['conflict', 'the time range must end after it begins, and be at most 31 days long'],
  too_many_notifications: ['conflict', 'too many notifications match: choose a shorter time'],
  approval_outdated: ['conflict', 'the operation is no longer possible as requested: reject it, and request it again'],
  file_not_found: ['not_found', 'there is no such file'],
  too_many_files: ['conflict', 'it has the maximum number of files'],
  too_many_notes: ['conflict', 'it has the maximum number of notes'],
  already_assigned: ['conflict', 'it is assigned to another operator'],
  not_assigned: ['conflict', 'it is not assigned'],
  not_your_assignment: ['not_allowed', 'it is assigned to another operator: only they or an admin can release it'],
  finding_closed: ['conflict', 'the finding was closed already'],
  payouts_not_stopped: ['conflict', 'the payouts of this merchant are not stopped'],
  findings_open: ['conflict', 'the merchant has open findings: close them first'],
  wallet_not_its_entries: ['conflict', 'the wallet differs from its last entry: repair it first'],
  break_not_found: ['not_found', 'there is no such break'],
  break_closed: ['conflict', 'the break has already ended'],
  break_not_resolvable: [
    'conflict',
    'this break cannot be resolved this way: a link needs another break of the same channel whose amount cancels it out',
  ],
  day_closed: ['conflict', 'the day is closed: reopen it first'],
  day_not_closed: ['conflict', 'the day is not closed'],
  day_not_matched: ['conflict', 'the day was opened again and is not matched yet: try again in a minute'],
  day_not_closable: ['conflict', 'the day cannot be closed yet'],
  day_not_fetchable: ['conflict', 'the statement of this day cannot be fetched'],
  statement_not_found: ['not_found', 'there is no such statement'],
  statement_not_waiting: ['conflict', 'the statement is imported already, or its import is pending'],
  statement_fetched: ['conflict', 'the statement was fetched from the channel: it needs no confirmation'],
  own_upload: ['not_allowed', 'you uploaded this statement or had it imported: another operator has to confirm it'],
  format_not_found: ['not_found', 'there is no such statement format'],
  preview_not_possible: ['conflict', 'the file cannot be previewed now'],
  settlement_file_not_found: ['not_found', 'there is no such bank file'],
  settlement_file_not_ready: ['conflict', 'the bank file is not ready: create it again to continue'],
  settlement_file_void: [
    'conflict',
    'a payment of the bank file failed, so it must not be uploaded again. What is left of it is paid one by one, or by evidence',
  ],
  export_not_found: ['not_found', 'there is no such export'],
  export_not_ready: ['conflict', 'the export has no file: it is not written yet, or was cancelled, or failed'],
  export_expired: ['conflict', 'the export has expired and its file is deleted: request it again'],
  export_ended: ['conflict', 'the export has ended already'],
  too_many_exports: ['conflict', 'you have the maximum number of open exports: cancel one, or wait'],
  cycle_not_found: ['not_found', 'the merchant has no settlement cycle'],
  holidays_unknown: ['conflict', 'the holidays of that year are not known: add the file of the country and year'],
  view_not_found: ['not_found', 'there is no such saved view'],
  view_exists: ['conflict', 'you have a saved view with this name on this screen already'],
  too_many_views: ['conflict', 'the maximum number of saved views is reached: delete one'],
} as const satisfies Record<string, Row>;

export type MerchantRejection = keyof typeof merchantRejections;

/** Every reason for which the domain rejects a command. */
export type Rejection = MerchantRejection | keyof typeof commandRejections;

/** Every reason for which an operator's operation is not done. */
export type OperatorRejection = Rejection | keyof typeof operationRejections;

/** The one list of all rejections: the texts of the GraphQL API and of the operators' command line come from here. */
export const rejections: Readonly<Record<OperatorRejection, Row>> = {
  ...merchantRejections,
  ...commandRejections,
  ...operationRejections,
};

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
  /**
   * The last change of the object of the refusal: by whom and when (Unix ms). It was an operator, a channel, the market
   * or the merchant.
   */
  changed?: { by: string; at: number };
}

/** The result of an operator's request. */
export type Outcome<T> = { ok: true; value: T } | Refused;

/** `retryAfterMs`: when to try again, if it was refused because too much waits. */
export type Result<T> =
  | { ok: true; value: T }
  | { ok: false; rejection: Rejection; detail?: string; retryAfterMs?: number };
