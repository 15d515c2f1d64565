export { mayReach, networks } from './core/address.ts';
export type { ApprovalState } from './core/approval.ts';
export type { ChannelAnswer, ChannelPayment } from './core/channel-answer.ts';
export { type Country, type Currency, countries, currencyOf } from './core/country.ts';
export type { Transition } from './core/draft.ts';
export type { EntryType } from './core/entry-hash.ts';
export type { Account, Transfer, TransferCause } from './core/ledger.ts';
export { isInputAmount, signedSum, withTwoDecimals } from './core/money.ts';
export type { Notification as NotificationRecord, NotificationState } from './core/notification.ts';
export { isLocalhost, loopbackAddresses, problemOfNotifyUrl, readNotifyUrl } from './core/notify-url.ts';
export type { AuditRecord, Decision } from './core/operator.ts';
export {
  type Belongs,
  hasRole,
  mayTouch,
  type OperatorContext,
  type Role,
  roles,
  type SignIn,
} from './core/operator-rights.ts';
export {
  isTerminal,
  type NextAction,
  type Order,
  type OrderDetails,
  type OrderKind,
  type OrderMode,
  type OrderRef,
  type OrderStatus,
} from './core/order.ts';
export type { CaseKind, CaseState, MoneyCase, Payment, PaymentUse } from './core/payment.ts';
export type { FieldProblem, OperatorRejection, Outcome, Refused, Rejection, Result } from './core/rejection.ts';
export { attemptsPerHost, breaker, callDeadline, createDeadline, workLease } from './core/schedule.ts';
export { type Trigger, transition, transitionRules } from './core/transitions.ts';
export type { WalletEntry } from './core/wallet.ts';
export { countryRules } from './countries/index.ts';
export type {
  CountryRules,
  Parsed,
  ParseOptions,
  PayinRequest,
  PayinRules,
  PayoutRequest,
  Problem,
} from './countries/rules.ts';
export type { ShownField, Urls } from './countries/view.ts';
export { type Domain, type DomainOptions, openDomain } from './open-domain.ts';
export type { Announce, Change } from './ports/change.ts';
export type {
  CallbackResult,
  Channel,
  ChannelFactory,
  ChannelOrder,
  ChannelOrderRef,
  ChannelSettings,
} from './ports/channel.ts';
export type { Log, Observer } from './ports/log.ts';
export { noTracer, type SpanAttributes, type SpanFacts, type Tracer } from './ports/tracer.ts';
export { jobIdOf, type NotificationWork, type Nudge, queueNames, type Work } from './ports/work.ts';
export type { Key, ListName } from './reads/cursor.ts';
export {
  type AccountFilter,
  type ApprovalFilter,
  type AuditFindingFilter,
  type AuditRecordFilter,
  accountFilter,
  approvalFilter,
  auditFindingFilter,
  auditRecordFilter,
  type Dimension,
  dimensions,
  type FiguresQuery,
  figuresQuery,
  type MerchantFilter,
  type MoneyCaseFilter,
  merchantFilter,
  moneyCaseFilter,
  type NotificationFilter,
  notificationFilter,
  type OperatorFilter,
  type OrderFilter,
  operatorFilter,
  orderFilter,
  type PayoutTaskFilter,
  payoutTaskFilter,
  type StuckPayoutFilter,
  stuckPayoutFilter,
  type TransferFilter,
  transferFilter,
} from './reads/filters.ts';
export { type AttemptRecord, loadAttempts } from './reads/load-attempts.ts';
export { loadChannels } from './reads/load-channels.ts';
export { loadAuditRecords, loadMerchants, loadOperators } from './reads/load-configuration.ts';
export { loadLastNotifications } from './reads/load-last-notifications.ts';
export { loadPayments, loadTransfers, loadWalletEntries, loadWallets } from './reads/load-ledger.ts';
export { loadMoneyCases } from './reads/load-money-cases.ts';
export { loadNotifications } from './reads/load-notifications.ts';
export { loadOrders, loadOrdersByMerchantOrderNo } from './reads/load-orders.ts';
export { loadSetupWarnings } from './reads/load-setup-warnings.ts';
export type { MerchantWithWallet, WantedMerchant } from './reads/merchant-tables.ts';
export { largestPage, type Page, type PageArguments, type PageRequest, readPageRequest } from './reads/page.ts';
export { type ApprovalRecord, pageApprovals } from './reads/page-approvals.ts';
export { type FindingRecord, pageAuditFindings } from './reads/page-audit-findings.ts';
export { pageAuditRecords } from './reads/page-audit-records.ts';
export { type BankMappingRecord, pagesOfBankMappings } from './reads/page-bank-mappings.ts';
export { type ChannelRecord, pageChannels } from './reads/page-channels.ts';
export { type FeeRuleRecord, pagesOfFeeRules } from './reads/page-fee-rules.ts';
export { type MerchantKeyRecord, pagesOfMerchantKeys } from './reads/page-merchant-keys.ts';
export { type MerchantRecord, pageMerchants } from './reads/page-merchants.ts';
export { pageMoneyCases } from './reads/page-money-cases.ts';
export { pageNotifications, pagesOfNotifications } from './reads/page-notifications.ts';
export { type OperatorTokenRecord, pagesOfOperatorTokens } from './reads/page-operator-tokens.ts';
export { type OperatorRecord, pageOperators } from './reads/page-operators.ts';
export { type OrderWithMerchant, pageOrders } from './reads/page-orders.ts';
export { pagesOfPayments } from './reads/page-payments.ts';
export { pagePayoutTasks } from './reads/page-payout-tasks.ts';
export { pagesOfRoutes, type RouteRecord } from './reads/page-routes.ts';
export { pagesOfServiceKeys, type ServiceKeyRecord } from './reads/page-service-keys.ts';
export { pageStuckPayouts } from './reads/page-stuck-payouts.ts';
export { pagesOfTransfers, pageTransfers } from './reads/page-transfers.ts';
export { pagesOfWalletEntries } from './reads/page-wallet-entries.ts';
export { type AccountBalance, readAccountBalances } from './reads/read-account-balances.ts';
export { type FigureGroup, type Figures, readFigures } from './reads/read-figures.ts';
export { type ChannelCallEntry, readTimelines, type TimelineEvent } from './reads/read-timeline.ts';
export { type Scope, unrestricted } from './reads/scope.ts';
export type { WalletRecord } from './reads/wallet-table.ts';
export { isConnectionLoss, isUnavailable, SeamUnavailable } from './store/connection-loss.ts';
export { MerchantHeld } from './store/held-merchants.ts';
export { ensureServiceKeys } from './store/make-service-key.ts';
export { migrateDatabase } from './store/migrate-database.ts';
export { partitionTables } from './store/partition-tables.ts';
export type { MerchantProfile } from './store/read-merchants.ts';
export { SchemaTooOld } from './store/require-schema.ts';
export { addMerchantKey } from './usecases/add-merchant-key.ts';
export { type AuditReport, audit } from './usecases/audit/audit.ts';
export { auditNew } from './usecases/audit/audit-new.ts';
export { type AuditState, readAuditState } from './usecases/audit/audit-state.ts';
export { auditWhole } from './usecases/audit/audit-whole.ts';
export { closeFinding, type FindingOutcome } from './usecases/audit/close-finding.ts';
export { openAuditDomain } from './usecases/audit/open-audit-domain.ts';
export { type Finding, openFindings } from './usecases/audit/open-findings.ts';
export { requireChain } from './usecases/audit/require-chain.ts';
export { platformTenant } from './usecases/change-configuration.ts';
export { changeSecret } from './usecases/change-secret.ts';
export { channelsWithoutAdapter } from './usecases/channels-without-adapter.ts';
export { type CheckoutView, findCheckout, payUrlOf } from './usecases/checkout.ts';
export { createFirstOperator, hasTwoAdmins } from './usecases/create-first-operator.ts';
export { createMerchant, type NewMerchant } from './usecases/create-merchant.ts';
export { addOperatorToken, createOperator, makeToken, type OperatorInput } from './usecases/create-operator.ts';
export { createPayin } from './usecases/create-payin.ts';
export { createPayout } from './usecases/create-payout.ts';
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
} from './usecases/deliver-notification.ts';
export { dueWork } from './usecases/due-work.ts';
export { findOperator, type OperatorView } from './usecases/find-operator.ts';
export { findOrder, findOrderByNumber } from './usecases/find-order.ts';
export { type Archive, type ForgettableKind, forgetOldRows, forgettableKinds } from './usecases/forget-old-rows.ts';
export { mapBank } from './usecases/map-bank.ts';
export { isSandbox, markAsSandbox } from './usecases/mark-as-sandbox.ts';
export {
  type NotificationStates,
  notificationFigures,
  notificationStates,
  type WaitingFigures,
} from './usecases/notification-figures.ts';
export {
  firstInLines,
  type Line,
  pauseLine,
  releaseForgotten,
  releaseResumed,
  waitingLines,
} from './usecases/notification-lines.ts';
export { type OpenOrders, openOrderFigures } from './usecases/open-order-figures.ts';
export { type ApprovalView, pendingApprovals } from './usecases/operator/approvals.ts';
export { approve } from './usecases/operator/approve.ts';
export { bookWallet, type WalletBooking } from './usecases/operator/book-wallet.ts';
export { cancelOrder } from './usecases/operator/cancel-order.ts';
export { confirmFunds } from './usecases/operator/confirm-funds.ts';
export { creditCase, returnCase } from './usecases/operator/decide-case.ts';
export {
  type FieldForm,
  type InputField,
  inputFields,
  merchantId as merchantIdForm,
  orderNo as orderNoForm,
} from './usecases/operator/input-forms.ts';
export {
  listChannels,
  listCommonServiceKeys,
  listFeeRules,
  listMerchantKeys,
  listMerchants,
  listOperators,
  listRoutes,
  listServiceKeys,
} from './usecases/operator/list-configuration.ts';
export type { AnyOperation } from './usecases/operator/operation.ts';
export type { Invitation } from './usecases/operator/operations/access.ts';
export type { BookedWallet } from './usecases/operator/operations/wallets.ts';
export { type OperationName, type OperationValue, operations } from './usecases/operator/operations.ts';
export { reject } from './usecases/operator/reject.ts';
export { type Requested, requestOperation } from './usecases/operator/request-operation.ts';
export { resolvePayout } from './usecases/operator/resolve-payout.ts';
export { withdraw } from './usecases/operator/withdraw.ts';
export { type TaskAction, workOnTask } from './usecases/operator/work-on-task.ts';
export { type Identity, operatorOfIdentity } from './usecases/operator-of-identity.ts';
export { operatorOfToken } from './usecases/operator-of-token.ts';
export { pauseNotifications } from './usecases/pause-notifications.ts';
export { readOrderHistory } from './usecases/read-order-history.ts';
export { readWallet, readWalletPage, type WalletPage, type WalletView } from './usecases/read-wallet.ts';
export {
  fingerprintOf,
  makeCode,
  type RedeemedToken,
  redeemInvitation,
} from './usecases/redeem-invitation.ts';
export { removeRoute } from './usecases/remove-route.ts';
export type { ResendRequest, ResendResult, Resent } from './usecases/request-resend.ts';
export { resendNotification } from './usecases/resend-notification.ts';
export { type ResendRange, resendNotifications } from './usecases/resend-notifications.ts';
export { retireMerchantKey } from './usecases/retire-merchant-key.ts';
export { revokeTokens, tokenIdOf } from './usecases/revoke-tokens.ts';
export { rollUpAccounts } from './usecases/roll-up-accounts.ts';
export { rollUpOrders } from './usecases/roll-up-orders.ts';
export { type ChannelInput, setChannel } from './usecases/set-channel.ts';
export { setChannelEnabled } from './usecases/set-channel-enabled.ts';
export { setFeeRule } from './usecases/set-fee-rule.ts';
export { type MerchantSettings, setMerchant } from './usecases/set-merchant.ts';
export { setMerchantStatus } from './usecases/set-merchant-status.ts';
export { setOperatorEnabled } from './usecases/set-operator-enabled.ts';
export { setRoute } from './usecases/set-route.ts';
export { countStuckPayouts } from './usecases/stuck-payouts.ts';
export { takeCallback } from './usecases/take-callback.ts';
export { expireOrder, pollOrder, submitOrder, type WorkOutcome } from './usecases/work-on-order.ts';
