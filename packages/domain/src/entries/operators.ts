// Who an operator is, what operators may do, and approvals.

export { pendingApprovals } from '../approvals/approvals.ts';
export { approve, temporary } from '../approvals/approve.ts';
export { countToDecide, mostToDecide } from '../approvals/count-to-decide.ts';
export { type AskedField, askedFields, type Foreseen, type ForeseenChange, foresee } from '../approvals/foresee.ts';
export {
  type InputField,
  inputFields,
  merchantId as merchantIdSchema,
  orderNo as orderNoSchema,
} from '../approvals/input-schemas.ts';
export { problemOfDeciding } from '../approvals/may-decide.ts';
export type { AnyOperation } from '../approvals/operation.ts';
export type { Invitation } from '../approvals/operations/access.ts';
export { type OperationName, type OperationValue, operations } from '../approvals/operations.ts';
export { operationNames, permittedOperations } from '../approvals/permitted-operations.ts';
export { reject } from '../approvals/reject.ts';
export { type Requested, requestOperation } from '../approvals/request-operation.ts';
export type { TypedValue } from '../approvals/typed-values.ts';
export { withdraw } from '../approvals/withdraw.ts';
export { beginSession, type SessionOrigin } from '../configuration/begin-session.ts';
export { endAllSessions, endSession } from '../configuration/end-sessions.ts';
export { listCommonServiceKeys } from '../configuration/list-configuration.ts';
export { type Identity, operatorOfIdentity } from '../configuration/operator-of-identity.ts';
export { hashToken, operatorOfToken } from '../configuration/operator-of-token.ts';
export {
  colourSchemes,
  type Preferences,
  preferencesInput,
  readPreferences,
  setPreferences,
} from '../configuration/preferences.ts';
export { fingerprintOf, makeCode, redeemInvitation } from '../configuration/redeem-invitation.ts';
export { tokenIdOf } from '../configuration/revoke-tokens.ts';
export {
  deleteView,
  listSavedViews,
  type SavedView,
  savedViewInput,
  saveView,
  viewLimits,
} from '../configuration/saved-views.ts';
export { openSessions, type Session, type Sessions } from '../configuration/sessions.ts';
export type { Approval, ApprovalState } from '../core/approval.ts';
export type { AuditRecord, Decision } from '../core/operator.ts';
export { hasRole, mayAccess, type OperatorContext, type Role, roles, type SignIn } from '../core/operator-rights.ts';
export { type FieldProblem, type OperatorRejection, type Refused, rejections } from '../core/rejection.ts';
export { type Screen, screens } from '../core/screens.ts';
