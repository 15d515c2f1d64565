// What only the worker does: due work, deliveries, running audits, roll-ups, retention.

export { auditNew } from '../audit/audit-new.ts';
export { auditSeals } from '../audit/audit-seals.ts';
export { type AuditState, readAuditState } from '../audit/audit-state.ts';
export { auditWhole } from '../audit/audit-whole.ts';
export { openAuditDomain } from '../audit/open-audit-domain.ts';
export { openSealedRowsThreads } from '../audit/seals/read-in-threads.ts';
export type { ReadSealedRows } from '../audit/seals/read-sealed-rows.ts';
export { type SealFiles, sealFilesIn } from '../audit/seals/seal-files.ts';
export { countStuckRefunds } from '../cases/stuck-refunds.ts';
export { workOnRefund } from '../cases/work-on-refund.ts';
export { type CredentialExpiry, readCredentialExpiries } from '../channels/credential-expiries.ts';
export { rollUpCalls } from '../channels/health/roll-up-calls.ts';
export { isPayoutNo } from '../core/order-number.ts';
export { attemptsPerHost, breaker, workLease } from '../core/schedule.ts';
export { type Archive, type PurgeableKind, purgeableKinds, purgeOldRows } from '../database/purge-old-rows.ts';
export { longestExportWait } from '../exports/longest-wait.ts';
export { exportLimits } from '../exports/types.ts';
export { type ExportOutcome, writeNextExport } from '../exports/write-next-export.ts';
export { rollUpAccounts } from '../ledger/roll-up-accounts.ts';
export { rollUpEntries } from '../ledger/wallet-statement/roll-up-entries.ts';
export {
  type AttemptResult,
  type ClaimedNotification,
  claimNextParked,
  claimNotification,
  giveBackClaim,
  type NotificationClaim,
  type NotificationRef,
  parkAtHost,
  recordAttempt,
} from '../notifications/deliver-notification.ts';
export {
  type NotificationStates,
  notificationFigures,
  notificationStates,
  type WaitingFigures,
} from '../notifications/figures/notification-figures.ts';
export {
  type BacklogRound,
  backlogsOfHost,
  firstOfBacklogs,
  type HostBacklog,
  nextBacklogs,
  pauseBacklog,
  releaseResumed,
  releaseStranded,
} from '../notifications/host-backlog.ts';
export { rollUpAttempts } from '../notifications/hosts/roll-up-attempts.ts';
export { type DueRotation, dueWork } from '../orders/due-work.ts';
export { type OpenOrders, openOrderFigures } from '../orders/figures/open-order-figures.ts';
export { rollUpFacets, rollUpOrders } from '../orders/figures/roll-up/roll-up-orders.ts';
export { fillOrderSearch, orderSearchUntil } from '../orders/search/fill-order-search.ts';
export { countStuckPayouts } from '../orders/stuck-payouts.ts';
export { dueWatches, longestDueWatches, queryEndedOrder } from '../orders/watch/query-ended-order.ts';
export { dropOverWatches, watchEndedOrders } from '../orders/watch/watch-ended-orders.ts';
export { answerQuestions, expireOrder, pollOrder, submitOrder } from '../orders/work-on-order.ts';
export { countMissingStatements, fetchStatements } from '../reconciliation/fetching/fetch-statements.ts';
export { purgeStatementContent } from '../reconciliation/files/purge-content.ts';
export { readUnreconciled, reconcile, type Unreconciled } from '../reconciliation/reconcile.ts';
export { countStuckSettlements, workOnSettlement } from '../settlement/payment/work-on-settlement.ts';
export { proveSettlements } from '../settlement/proof/prove-settlements.ts';
export {
  countMissingDrafts,
  draftBySchedule,
  readUnannouncedHolidays,
} from '../settlement/schedule/draft-by-schedule.ts';
