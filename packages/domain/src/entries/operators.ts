// Who an operator is, what operators may do, and approvals.

export { allowedActions } from '../approvals/actions/allowed-actions.ts';
export { type ConfigurationNoun, configurationVersions } from '../approvals/actions/configuration-versions.ts';
export {
  type ActionName,
  type AllowedAction,
  approvalActions,
  type Noun,
  workActions,
} from '../approvals/actions/noun.ts';
export { pendingApprovals } from '../approvals/approvals.ts';
export { approve, temporary } from '../approvals/approve.ts';
export { countToDecide, findDecidable, maxToDecide } from '../approvals/count-to-decide.ts';
export { type AskedField, askedFields, type Foreseen, type ForeseenChange, foresee } from '../approvals/foresee.ts';
export {
  bookingNo as bookingNoSchema,
  type InputField,
  inputFields,
  merchantId as merchantIdSchema,
  orderNo as orderNoSchema,
} from '../approvals/input-schemas.ts';
export { problemOfDeciding } from '../approvals/may-decide.ts';
export { moneyOfApprovals } from '../approvals/money-of-approvals.ts';
export { openRequestedAccounts } from '../approvals/open-bank-accounts.ts';
export type { AnyOperation } from '../approvals/operation.ts';
export type { Invitation } from '../approvals/operations/access.ts';
export { type OperationName, type OperationValue, operations, titleOfApproval } from '../approvals/operations.ts';
export { ownerOfApproval } from '../approvals/owner-of-approval.ts';
export { operationNames, permittedOperations } from '../approvals/permitted-operations.ts';
export { reject } from '../approvals/reject.ts';
export { type Requested, requestOperation } from '../approvals/request-operation.ts';
export { type SecondOperatorRule, secondOperatorRule } from '../approvals/second-operator-rule.ts';
export type { TypedValue } from '../approvals/typed-values.ts';
export { withdraw } from '../approvals/withdraw.ts';
export { type CredentialRecord, loadCredentialNames } from '../channels/credentials.ts';
export { beginSession, type SessionOrigin } from '../configuration/begin-session.ts';
export { endAllSessions, endSession } from '../configuration/end-sessions.ts';
export { type CreatedBy, loadCreators } from '../configuration/list-creators.ts';
export { type Identity, operatorOfIdentity } from '../configuration/operator-of-identity.ts';
export { hashToken, operatorOfToken } from '../configuration/operator-of-token.ts';
export {
  colourSchemes,
  type Preferences,
  type PreferencesOfOperator,
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
export {
  hasRole,
  mayAccess,
  type OperatorContext,
  type Role,
  roles,
  type SignIn,
  workRoles,
} from '../core/operator-rights.ts';
export { type FieldProblem, type OperatorRejection, type Refused, rejections } from '../core/rejection.ts';
export { type Screen, screens } from '../core/screens.ts';
export {
  versionOfApproval,
  versionOfBreak,
  versionOfCase,
  versionOfNotification,
  versionOfOrder,
  versionOfReconciliation,
} from '../core/version.ts';
export { cancelExport } from '../exports/cancel-export.ts';
export { type Download, openDownload } from '../exports/open-download.ts';
export { requestExport } from '../exports/request-export.ts';
export {
  type DataExport,
  type ExportFormat,
  type ExportKind,
  type ExportState,
  exporters,
  exportFormats,
  exportKinds,
  exportLimits,
  exportRoles,
  exportStates,
} from '../exports/types.ts';
export { wipeEndedSecrets } from '../ledger/wipe-ended-secrets.ts';
export { openContent } from '../reconciliation/files/check-statement.ts';
export {
  findContent,
  previewStatement,
  proposeFormatsOf,
  type StatementPreview,
  type StoredContent,
} from '../reconciliation/files/preview-statement.ts';
export { receiveStatement } from '../reconciliation/files/receive-statement.ts';
export { largestUpload, problemOfUploads, uploadLimits } from '../reconciliation/files/upload-limits.ts';
export { largestStatement, startOfFile } from '../reconciliation/statement.ts';
export { type OpenedFile, openSettlementFile } from '../settlement/bank-file/open-settlement-file.ts';
export { addNote, type Note } from '../work/add-note.ts';
export {
  type AssignableItem,
  type Assignment,
  assignWork,
  isAssignable,
  releaseWork,
  takeWork,
} from '../work/assign-work.ts';
export {
  type AttachedFile,
  attachFile,
  type FileOwner,
  largestFile,
  maxFiles,
} from '../work/attach-file.ts';
export { mediaTypes } from '../work/media-type.ts';
export { problemOfWork } from '../work/prepare-work.ts';
export { purgeOrphanedFiles } from '../work/purge-files.ts';
export { type FileRef, readFile } from '../work/read-file.ts';
export type { WorkItem } from '../work/work-item.ts';
