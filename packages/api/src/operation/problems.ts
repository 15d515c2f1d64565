import type { FieldProblem as DomainFieldProblem, OperatorRejection, Refused } from '@tidegate/domain/operators';
import { builder } from '../builder.ts';

/** What kind of no each rejection is, and how it is said. */
type Kind = 'invalid' | 'not_found' | 'not_allowed' | 'conflict';

/** Every reason for which an operation is not done; the compiler checks that none is missing. */
const rejections: Record<OperatorRejection, [Kind, string]> = {
  invalid_input: ['invalid', 'the input is not right'],
  forbidden: ['not_allowed', 'you may not do this'],
  own_access: ['not_allowed', 'nobody takes their own rights away'],
  own_approval: ['not_allowed', 'whoever asked for it cannot decide it: another operator has to'],
  second_operator_needed: ['not_allowed', 'a second operator has to agree'],
  not_your_approval: ['not_allowed', 'only whoever asked for it can withdraw it'],
  sign_in_refused: ['not_allowed', 'what needs two people is asked for and decided by one kind of sign-in'],
  not_your_task: ['not_allowed', 'another operator has claimed this task'],
  order_not_found: ['not_found', 'there is no such order'],
  merchant_not_found: ['not_found', 'there is no such merchant'],
  channel_not_found: ['not_found', 'there is no such channel'],
  key_not_found: ['not_found', 'there is no such key'],
  common_key_not_found: ['not_found', 'there is no common key any more: every merchant has its own'],
  key_of_another_merchant: [
    'conflict',
    'this public key is registered for another merchant: every merchant needs a key pair of its own',
  ],
  route_not_found: ['not_found', 'there is no such route'],
  operator_not_found: ['not_found', 'there is no such operator'],
  token_not_found: ['not_found', 'there is no such token that is still valid'],
  invitation_not_found: [
    'not_found',
    'the code is not right, or its invitation is over: 72 hours after it was approved, once used, or tried too often',
  ],
  identity_not_found: ['not_found', 'the operator has no identity'],
  approval_not_found: ['not_found', 'there is no such approval'],
  case_not_found: ['not_found', 'there is no such case'],
  notification_not_found: ['not_found', 'there is no such notification'],
  finding_not_found: ['not_found', 'there is no such finding'],
  merchant_exists: ['conflict', 'there is a merchant of this number already'],
  operator_exists: ['conflict', 'there is an operator of this id already'],
  identity_linked: ['conflict', 'the operator has an identity already: unlink it first'],
  asker_disabled: ['conflict', 'whoever asked for it may not ask any more'],
  request_key_taken: ['conflict', 'this request key was used for something else'],
  time_range_wrong: ['conflict', 'the time range is not right'],
  too_many_notifications: ['conflict', 'these are too many at once: choose a shorter time'],
  approval_decided: ['conflict', 'it was decided already'],
  approval_expired: ['conflict', 'its time is over'],
  approval_outdated: ['conflict', 'it does not fit what can be done any more: reject it, and ask for it anew'],
  finding_closed: ['conflict', 'the finding was closed already'],
  merchant_order_no_exists: ['conflict', 'the merchant has used this merchant order number already'],
  balance_insufficient: ['conflict', 'the wallet has not enough available'],
  bank_mapping_not_found: ['conflict', 'no enabled channel maps this bank code'],
  amount_out_of_range: ['conflict', 'the amount is not in the allowed range'],
  no_channel_available: ['conflict', 'nothing enabled can carry such an order'],
  operation_not_available: ['conflict', 'this kind of order does not know this operation'],
  upstream_rejected: ['conflict', 'the channel refused'],
  upstream_timeout: ['conflict', 'the channel did not answer in time: try again later'],
  transition_impossible: ['conflict', 'the order cannot go there from its status'],
  already_sent: ['conflict', 'the order was sent to its channel already'],
  not_cancellable: ['conflict', 'the channel did not confirm that it is closed, so the order stays as it is'],
  task_not_available: ['conflict', 'the task is not there to be had'],
  task_claimed: ['conflict', 'an operator has claimed the task: it has to be given back first'],
  proof_pending: ['conflict', 'there is a proof of payment already: another operator has to judge it'],
  proof_missing: ['conflict', 'there is no proof of payment yet'],
  proof_reference_used: ['conflict', 'this bank reference stands for the transfer of another order already'],
  case_closed: ['conflict', 'the case was decided already'],
  case_not_creditable: [
    'conflict',
    'the money cannot be credited to this order: name all cases that it needs, and no more, or a wallet; or return it',
  ],
  booking_no_taken: ['conflict', 'this booking number or reference was used for something else'],
  not_due: ['conflict', 'it is not due'],
  not_this_channel: ['conflict', 'the order is with another channel'],
};

/** Why an operation was not done, as a type of the schema. */
export class Problem extends Error {
  readonly reason: OperatorRejection;

  constructor({ rejection, detail }: Omit<Refused, 'ok'>) {
    const [, text] = rejections[rejection];
    super(detail === undefined ? text : `${text}: ${detail}`);
    this.reason = rejection;
  }
}

class InvalidInput extends Problem {
  readonly fields: DomainFieldProblem[];

  constructor(refused: Omit<Refused, 'ok'>) {
    const fields = refused.fields ?? [];
    const detail = fields.map(({ path, reason }) => `${path} ${reason}`).join('; ');
    super(detail === '' ? refused : { ...refused, detail });
    this.fields = fields;
  }
}

class NotFound extends Problem {}
class NotAllowed extends Problem {}
class Conflict extends Problem {}

const classes = { invalid: InvalidInput, not_found: NotFound, not_allowed: NotAllowed, conflict: Conflict } as const;

/** Every error type that a mutation can give. */
export const problemTypes = Object.values(classes);

/** The error type that a refusal is told by. */
export function problemOf(refused: Omit<Refused, 'ok'>): Problem {
  return new classes[rejections[refused.rejection][0]](refused);
}

const Reason = builder.enumType('ProblemReason', {
  description: 'Exactly why something was not done.',
  values: Object.fromEntries(
    Object.entries(rejections).map(([reason, [, description]]) => [
      reason.toUpperCase(),
      { value: reason as OperatorRejection, description },
    ]),
  ),
});

const ProblemInterface = builder.interfaceRef<Problem>('Problem').implement({
  description: 'Why a mutation was not done. Nothing was changed.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'For people: what was wrong, and where.' }),
    reason: t.field({ type: Reason, description: 'For programs.', resolve: ({ reason }) => reason }),
  }),
});

const FieldProblem = builder.objectRef<DomainFieldProblem>('FieldProblem').implement({
  description: 'One field of an input that is not right.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The field, by its dotted path.' }),
    reason: t.exposeString('reason', { description: 'What is wrong with it.' }),
  }),
});

builder.objectType(InvalidInput, {
  name: 'InvalidInput',
  description: 'The input is not right; every bad field is named.',
  interfaces: [ProblemInterface],
  isTypeOf: (value) => value instanceof InvalidInput,
  fields: (t) => ({
    fields: t.field({ type: [FieldProblem], description: 'Each bad field.', resolve: ({ fields }) => fields }),
  }),
});
builder.objectType(NotFound, {
  name: 'NotFound',
  description: 'What it is about is not there, or not yours to see.',
  interfaces: [ProblemInterface],
  isTypeOf: (value) => value instanceof NotFound,
});
builder.objectType(NotAllowed, {
  name: 'NotAllowed',
  description: 'Somebody else may, but not you.',
  interfaces: [ProblemInterface],
  isTypeOf: (value) => value instanceof NotAllowed,
});
builder.objectType(Conflict, {
  name: 'Conflict',
  description: 'As things stand now it cannot be done.',
  interfaces: [ProblemInterface],
  isTypeOf: (value) => value instanceof Conflict,
});
