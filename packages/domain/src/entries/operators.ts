// Who an operator is, what operators may do, and approvals.

export type { ApprovalState } from '../core/approval.ts';
export type { AuditRecord, Decision } from '../core/operator.ts';
export { hasRole, mayTouch, type OperatorContext, type Role, roles, type SignIn } from '../core/operator-rights.ts';
export type { FieldProblem, OperatorRejection, Refused } from '../core/rejection.ts';
export { type ApprovalView, pendingApprovals } from '../usecases/operator/approvals.ts';
export { approve } from '../usecases/operator/approve.ts';
export {
  type InputField,
  inputFields,
  merchantId as merchantIdForm,
  orderNo as orderNoForm,
} from '../usecases/operator/input-forms.ts';
export { listCommonServiceKeys } from '../usecases/operator/list-configuration.ts';
export type { AnyOperation } from '../usecases/operator/operation.ts';
export type { Invitation } from '../usecases/operator/operations/access.ts';
export { type OperationName, type OperationValue, operations } from '../usecases/operator/operations.ts';
export { reject } from '../usecases/operator/reject.ts';
export { type Requested, requestOperation } from '../usecases/operator/request-operation.ts';
export { withdraw } from '../usecases/operator/withdraw.ts';
export { operatorOfIdentity } from '../usecases/operator-of-identity.ts';
export { operatorOfToken } from '../usecases/operator-of-token.ts';
export { fingerprintOf, makeCode, redeemInvitation } from '../usecases/redeem-invitation.ts';
export { tokenIdOf } from '../usecases/revoke-tokens.ts';
