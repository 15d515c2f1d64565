import type { Rejection } from '@tidegate/domain';
import { type Answer, refused } from './answer.ts';

/** Why the domain said no, and what can be done about it. */
const words: Record<Rejection, string> = {
  merchant_order_no_exists: 'the merchant has used this merchant order number already',
  balance_insufficient: 'the wallet has not enough available: top it up first, or take a smaller amount',
  bank_mapping_not_found: 'no enabled channel maps this bank code: see map-bank',
  amount_out_of_range: 'the amount is not in the allowed range, or more than what is still due',
  no_channel_available: 'nothing enabled can carry such an order: see set-route and enable-channel',
  operation_not_available: 'this kind of order does not know this operation',
  order_not_found: 'there is no such order',
  upstream_rejected: 'the channel refused',
  upstream_timeout: 'the channel did not answer in time: try again later',
  transition_impossible: 'the order cannot go there from its status: see show-order',
  already_sent: 'the order was sent to its channel already',
  not_cancellable: 'the channel did not confirm that it is closed, so the order stays: see show-order',
  second_operator_needed: 'a second operator has to agree: give --approver-token-file, or let another operator do it',
  task_not_available: 'the task is not there to be had: see list-tasks',
  task_claimed: 'an operator has claimed the task: it has to be given back first',
  not_your_task: 'another operator has claimed this task',
  proof_pending: 'there is a proof of payment already: another operator has to judge it',
  proof_missing: 'there is no proof of payment yet: see prove-task',
  case_not_found: 'there is no such case: see list-cases',
  case_closed: 'the case was decided already',
  case_not_creditable: 'the money of this case cannot be credited: it can only be returned, see return-case',
  not_due: 'it is not due',
  not_this_channel: 'the order is with another channel',
};

/** `where` names what it was about. */
export function rejected(where: string, { rejection, detail }: { rejection: Rejection; detail?: string }): Answer {
  return refused(`${where}: ${words[rejection]}${detail === undefined ? '' : ` (${detail})`}`);
}
