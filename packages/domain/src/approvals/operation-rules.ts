import { hasRole, type OperatorContext } from '../core/operator-rights.ts';
import type { OperatorRejection, Refused } from '../core/rejection.ts';
import type { AnyOperation, NeedsSecond } from './operation.ts';

// Rules of every operation. They are used when an operation is executed, and for `allowedActions`.

/** Why an operator's roles do not allow an operation; null if they do. */
export function problemOfRole(
  operator: Pick<OperatorContext, 'operatorId' | 'roles'>,
  { roles }: Pick<AnyOperation, 'roles'>,
): Refused | null {
  if (hasRole(operator, roles)) return null;
  return { ok: false, rejection: 'forbidden', detail: `${operator.operatorId} lacks the role ${roles.join(' or ')}` };
}

/** The refusal for a restricted operator who requests an operation on the whole platform. */
export const platformOnly: Refused = {
  ok: false,
  rejection: 'forbidden',
  detail: 'you are restricted to certain countries or merchants',
};

/**
 * Whether a second operator has to approve the operation, after it was tried for one operator with the result
 * `rejection`; null: it was not refused.
 */
export function isForTwo(needsSecond: NeedsSecond, rejection: OperatorRejection | null): boolean {
  return rejection === null ? needsSecond === true : needsSecond !== false && rejection === 'second_operator_needed';
}
