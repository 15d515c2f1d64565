// Lists, look-ups by key and figures, for GraphQL and the command line.

export { approvalFilter, findApproval, loadApprovals, pageApprovals } from '../approvals/list-approvals.ts';
export { auditFindingFilter, type FindingRecord, pageAuditFindings } from '../audit/list-audit-findings.ts';
export { loadPayoutStops } from '../audit/payout-stops.ts';
export { moneyCaseFilter, pageMoneyCases } from '../cases/list-money-cases.ts';
export { loadMoneyCases } from '../cases/load-money-cases.ts';
export { loadLastRefunds } from '../cases/load-refunds.ts';
export { type AdapterDescription, describeAdapters } from '../channels/describe-adapters.ts';
export {
  type ChannelCalls,
  type ChannelHour,
  type ChannelNow,
  readChannelHistories,
  readChannelsNow,
} from '../channels/health/read-channel-health.ts';
export { type BankMappingRecord, pagesOfBankMappings } from '../channels/list-bank-mappings.ts';
export { type ChannelRecord, pageChannels } from '../channels/list-channels.ts';
export { loadChannels } from '../channels/load-channels.ts';
export { auditRecordFilter, pageAuditRecords } from '../configuration/list-audit-records.ts';
export { type ConfigurationVersion, pageConfigurationHistory } from '../configuration/list-configuration-history.ts';
export { type FeeRuleRecord, pagesOfFeeRules } from '../configuration/list-fee-rules.ts';
export { type MerchantKeyRecord, pagesOfMerchantKeys } from '../configuration/list-merchant-keys.ts';
export { type MerchantRecord, merchantFilter, pageMerchants } from '../configuration/list-merchants.ts';
export { type OperatorTokenRecord, pagesOfOperatorTokens } from '../configuration/list-operator-tokens.ts';
export { type OperatorRecord, operatorFilter, pageOperators } from '../configuration/list-operators.ts';
export { pagesOfRoutes, type RouteRecord } from '../configuration/list-routes.ts';
export { pagesOfServiceKeys, type ServiceKeyRecord } from '../configuration/list-service-keys.ts';
export { loadMerchants, loadOperators } from '../configuration/load-configuration.ts';
export { loadSetupWarnings } from '../configuration/load-setup-warnings.ts';
export { loadExports, pageExports } from '../exports/list-exports.ts';
export { type AccountBalance, accountFilter, readAccountBalances } from '../ledger/list-account-balances.ts';
export { pagesOfPayments } from '../ledger/list-payments.ts';
export { pagesOfTransfers, pageTransfers, transferFilter } from '../ledger/list-transfers.ts';
export { pagesOfWalletEntries } from '../ledger/list-wallet-entries.ts';
export type { WalletRecord } from '../ledger/load-wallets.ts';
export { loadWallets } from '../ledger/load-wallets.ts';
export { countResend, type ResendCount } from '../ledger/resend-notifications.ts';
export { pageStatementEntries, statementEntryFilter } from '../ledger/wallet-statement/list-entries.ts';
export {
  type Balance,
  type EntryTotal,
  readStatement,
  readStatementTotals,
  statementRequest,
  type WalletStatement,
} from '../ledger/wallet-statement/read-statement.ts';
export { type WorkSort, workSorts } from '../lists/assigned.ts';
export { merchantId as merchantIdSchema } from '../lists/filter-parts.ts';
export type { ListName } from '../lists/keys.ts';
export { largestPage, type Page, type PageArguments, type PageRequest, readPageRequest } from '../lists/page.ts';
export { type Scope, unrestricted } from '../lists/scope.ts';
export { pagePayoutTasks, payoutTaskFilter } from '../market/list-payout-tasks.ts';
export {
  type HostRecord,
  hostFilter,
  loadWaiting,
  pageHosts,
  type Waiting,
} from '../notifications/hosts/list-hosts.ts';
export { type AttemptRecord, loadAttempts } from '../notifications/list-attempts.ts';
export { loadLastNotifications } from '../notifications/list-last-notifications.ts';
export { notificationFilter, pageNotifications, pagesOfNotifications } from '../notifications/list-notifications.ts';
export { loadNotifications } from '../notifications/load-notifications.ts';
export { type FiguresQuery, figuresRequest, queriesOf } from '../orders/figures/figures-query.ts';
export { type FailureFigure, type Figures, readFailures, readFigures } from '../orders/figures/read-figures.ts';
export {
  type OrderFilter,
  orderFilter,
  orderLists,
  pageOrders,
  personalParts,
  type SearchedUntil,
  SearchTooWide,
} from '../orders/list-orders.ts';
export { pageStuckPayouts, stuckPayoutFilter } from '../orders/list-stuck-payouts.ts';
export { readTimelines, type TimelineEvent } from '../orders/list-timeline.ts';
export { loadOrderMoney, loadPaymentOutcomes, type PaymentRef } from '../orders/load-order-money.ts';
export { loadOrders } from '../orders/load-orders.ts';
export { explainDay, type SumPart, type SumReason } from '../reconciliation/days/explain-day.ts';
export { type DayDetail, type OpenBreaks, readReconciliationDay } from '../reconciliation/days/read-day.ts';
export { offeredFormats } from '../reconciliation/fetching/offered-formats.ts';
export {
  findCsvProfile,
  listCsvProfiles,
  listCsvProfileVersions,
  type StoredProfile,
} from '../reconciliation/formats/csv-profiles.ts';
export { type FormatAccess, listFormats, proposeFormats } from '../reconciliation/formats/formats.ts';
export {
  calendars,
  decimalSigns,
  delimiters,
  directionsBy,
  fieldsOf,
  meaningsOfMinus,
  type ProfileFields,
} from '../reconciliation/formats/profile-fields.ts';
export { nameOfProfile, profileVersionOf } from '../reconciliation/formats/profile-format.ts';
export { type CsvSettings, encodings, readCsvProfile } from '../reconciliation/formats/profile-schema.ts';
export {
  type BreakFilter,
  breakAgesFilter,
  breakFilter,
  countBreaksByAge,
  dayText,
  loadBreakOutcomes,
  loadBreaks,
  pageBreaks,
} from '../reconciliation/list-breaks.ts';
export { type ChannelReconciliation, loadChannelReconciliations } from '../reconciliation/list-channels.ts';
export { daysFilter, listReconciliationDays, maxDays } from '../reconciliation/list-days.ts';
export {
  type LineMatch,
  type LineOfStatement,
  pageLinesOfStatement,
  statementLineFilter,
} from '../reconciliation/list-lines-of-statement.ts';
export {
  loadExpectations,
  loadStatementLines,
  loadStatements,
  loadUnparsedRows,
  pageStatements,
  type StoredExpectation,
  type StoredLine,
  statementFilter,
  type UnparsedRow,
} from '../reconciliation/list-statements.ts';
export { pageWaitingDays, waitingDayFilter } from '../reconciliation/list-waiting-days.ts';
export {
  type Break,
  type BreaksOfAge,
  breakKinds,
  breakStates,
  fileStates,
  type ReconciliationDay,
  type StatementFile,
} from '../reconciliation/types.ts';
export type { SettlementFile } from '../settlement/bank-file/types.ts';
export { loadSettlementProofs } from '../settlement/list-proofs.ts';
export { pageSettlementFiles, settlementFileFilter } from '../settlement/list-settlement-files.ts';
export {
  loadAccountEndings,
  loadSettlementCycles,
  loadSettlements,
  openAccounts,
  pageSettlementCycles,
  pageSettlementEntries,
  pageSettlements,
  settlementCycleFilter,
  settlementEntryFilter,
  settlementFilter,
} from '../settlement/list-settlements.ts';
export type { BankAccount, SettlementCycle } from '../settlement/set-cycle.ts';
export { filesOf, loadAssignments, pagesOfNotes } from '../work/list-work.ts';
export { readWorkLists, type WorkList } from '../work-lists/read-work-lists.ts';
