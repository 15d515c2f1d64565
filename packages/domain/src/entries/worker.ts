// What only the worker does: due work, deliveries, running audits, roll-ups, retention.

export { attemptsPerHost, breaker, workLease } from '../core/schedule.ts';
export { auditNew } from '../usecases/audit/audit-new.ts';
export { type AuditState, readAuditState } from '../usecases/audit/audit-state.ts';
export { auditWhole } from '../usecases/audit/audit-whole.ts';
export { openAuditDomain } from '../usecases/audit/open-audit-domain.ts';
export {
  type AttemptResult,
  type ClaimedNotification,
  claimNextInLine,
  claimNotification,
  giveBackClaim,
  type NotificationClaim,
  type NotificationRef,
  recordAttempt,
  waitInLine,
} from '../usecases/deliver-notification.ts';
export { dueWork } from '../usecases/due-work.ts';
export { type Archive, type ForgettableKind, forgetOldRows, forgettableKinds } from '../usecases/forget-old-rows.ts';
export {
  type NotificationStates,
  notificationFigures,
  notificationStates,
  type WaitingFigures,
} from '../usecases/notification-figures.ts';
export {
  firstInLines,
  type Line,
  pauseLine,
  releaseForgotten,
  releaseResumed,
  waitingLines,
} from '../usecases/notification-lines.ts';
export { type OpenOrders, openOrderFigures } from '../usecases/open-order-figures.ts';
export { rollUpAccounts } from '../usecases/roll-up-accounts.ts';
export { rollUpOrders } from '../usecases/roll-up-orders.ts';
export { countStuckPayouts } from '../usecases/stuck-payouts.ts';
export { expireOrder, pollOrder, submitOrder } from '../usecases/work-on-order.ts';
