import type { OperatorRejection, Refused } from '@tidegate/domain/operators';
import { type Answer, refused } from './answer.ts';

/** Why the domain said no, and what can be done about it. */
const words: Record<OperatorRejection, string> = {
  merchant_order_no_exists: 'the merchant has used this merchant order number already',
  balance_insufficient: 'the wallet has not enough available: top it up first, or take a smaller amount',
  bank_mapping_not_found: 'no enabled channel maps this bank code: see map-bank',
  amount_out_of_range: 'the amount is not in the allowed range',
  no_channel_available: 'nothing enabled can carry such an order: see set-route and enable-channel',
  operation_not_available: 'this kind of order does not know this operation',
  order_not_found: 'there is no such order',
  upstream_rejected: 'the channel refused',
  upstream_timeout: 'the channel did not answer in time: try again later',
  transition_impossible: 'the order cannot go there from its status: see show-order',
  already_sent: 'the order was sent to its channel already',
  not_cancellable: 'the channel did not confirm that it is closed, so the order stays: see show-order',
  second_operator_needed: 'a second operator has to agree: let another operator do it',
  task_not_available: 'the task is not there to be had: see list-tasks',
  task_claimed: 'an operator has claimed the task: it has to be given back first',
  not_your_task: 'another operator has claimed this task',
  proof_pending: 'there is a proof of payment already: another operator has to judge it',
  proof_missing: 'there is no proof of payment, or not the one that was meant: see list-tasks',
  proof_reference_used:
    'this bank reference stands for the transfer of another order already: look for the right one; what is over of one transfer is a case, see credit-case',
  case_not_found: 'there is no such case: see list-cases',
  case_closed: 'the case was decided already',
  case_not_creditable:
    'the money cannot be credited to this order: name all cases that it needs, and no more, or a wallet; or return-case',
  booking_no_taken: 'this booking number was used for something else: choose another number',
  not_due: 'it is not due',
  not_this_channel: 'the order is with another channel',
  forbidden: 'you may not do this',
  invalid_input: 'this cannot be done as it was said',
  merchant_not_found: 'there is no such merchant: see create-merchant',
  merchant_exists: 'the merchant number is taken: choose another, or change that merchant with set-merchant',
  channel_not_found: 'there is no such channel: see set-channel',
  key_not_found: 'the merchant has no such key: see list-keys',
  key_of_another_merchant:
    'this public key is registered for another merchant: every merchant needs a key pair of its own',
  common_key_not_found: 'there is no common key any more: every merchant has its own, see list-service-keys',
  route_not_found: 'the merchant has no such route: see list-routes',
  operator_not_found: 'there is no such operator: see create-operator',
  operator_exists: 'there is such an operator already: see change-operator',
  token_not_found: 'they have no such token that is still valid: see list-operators',
  invitation_not_found:
    'the code is not right, or its invitation is over: 72 hours after it was approved, once used, or tried too often',
  identity_linked: 'the operator has an identity already: see unlink-identity',
  identity_not_found: 'the operator has no identity: see list-operators',
  sign_in_refused: 'what needs two people is asked for and decided by one kind of sign-in',
  not_your_approval: 'only whoever asked for it can withdraw it: see reject',
  own_access: 'nobody can shut themselves out',
  own_approval: 'somebody else has to decide what you asked for',
  asker_disabled: 'whoever asked for it may not ask any more',
  approval_not_found: 'there is no such approval: see list-approvals',
  approval_decided: 'it was decided already',
  approval_expired: 'its time is over',
  approval_outdated: 'it does not fit what can be done any more: reject it, and ask for it anew',
  finding_not_found: 'there is no such finding: see list-findings',
  finding_closed: 'the finding was closed already',
  notification_not_found: 'there is no such notification',
  too_many_notifications: 'that is more than one request may send again: choose a shorter time',
  request_key_taken: 'this request key was used for something else: choose another',
  time_range_wrong: 'the time has to end after it begins, and to be no longer than 31 days',
};

/** `where` names what it was about; `flagOf` how a field is said on the command line. */
export function rejected(
  where: string,
  { rejection, detail, fields = [] }: Refused,
  flagOf: (path: string) => string = (path) => path,
): Answer {
  const problems = fields.map(({ path, reason }) => `${flagOf(path)} ${reason}`);
  const why = problems.length > 0 ? problems.join('; ') : words[rejection];
  const text = detail === undefined ? why : `${why} (${detail})`;
  return refused(where === '' ? text : `${where}: ${text}`);
}
