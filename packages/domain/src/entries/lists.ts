// Lists, look-ups by key and figures, for GraphQL and the command line.

export type { ListName } from '../reads/cursor.ts';
export {
  accountFilter,
  approvalFilter,
  auditFindingFilter,
  auditRecordFilter,
  figuresQuery,
  merchantFilter,
  moneyCaseFilter,
  notificationFilter,
  operatorFilter,
  orderFilter,
  payoutTaskFilter,
  stuckPayoutFilter,
  transferFilter,
} from '../reads/filters.ts';
export { type AttemptRecord, loadAttempts } from '../reads/load-attempts.ts';
export { loadChannels } from '../reads/load-channels.ts';
export { loadMerchants, loadOperators } from '../reads/load-configuration.ts';
export { loadLastNotifications } from '../reads/load-last-notifications.ts';
export { loadWallets } from '../reads/load-ledger.ts';
export { loadMoneyCases } from '../reads/load-money-cases.ts';
export { loadNotifications } from '../reads/load-notifications.ts';
export { loadOrders } from '../reads/load-orders.ts';
export { loadSetupWarnings } from '../reads/load-setup-warnings.ts';
export type { MerchantWithWallet, WantedMerchant } from '../reads/merchant-tables.ts';
export { largestPage, type Page, type PageArguments, type PageRequest, readPageRequest } from '../reads/page.ts';
export { pageApprovals } from '../reads/page-approvals.ts';
export { type FindingRecord, pageAuditFindings } from '../reads/page-audit-findings.ts';
export { pageAuditRecords } from '../reads/page-audit-records.ts';
export { type BankMappingRecord, pagesOfBankMappings } from '../reads/page-bank-mappings.ts';
export { type ChannelRecord, pageChannels } from '../reads/page-channels.ts';
export { type FeeRuleRecord, pagesOfFeeRules } from '../reads/page-fee-rules.ts';
export { type MerchantKeyRecord, pagesOfMerchantKeys } from '../reads/page-merchant-keys.ts';
export { type MerchantRecord, pageMerchants } from '../reads/page-merchants.ts';
export { pageMoneyCases } from '../reads/page-money-cases.ts';
export { pageNotifications, pagesOfNotifications } from '../reads/page-notifications.ts';
export { type OperatorTokenRecord, pagesOfOperatorTokens } from '../reads/page-operator-tokens.ts';
export { type OperatorRecord, pageOperators } from '../reads/page-operators.ts';
export { type OrderWithMerchant, pageOrders } from '../reads/page-orders.ts';
export { pagesOfPayments } from '../reads/page-payments.ts';
export { pagePayoutTasks } from '../reads/page-payout-tasks.ts';
export { pagesOfRoutes, type RouteRecord } from '../reads/page-routes.ts';
export { pagesOfServiceKeys, type ServiceKeyRecord } from '../reads/page-service-keys.ts';
export { pageStuckPayouts } from '../reads/page-stuck-payouts.ts';
export { pagesOfTransfers, pageTransfers } from '../reads/page-transfers.ts';
export { pagesOfWalletEntries } from '../reads/page-wallet-entries.ts';
export { type AccountBalance, readAccountBalances } from '../reads/read-account-balances.ts';
export { type Figures, readFigures } from '../reads/read-figures.ts';
export { readTimelines, type TimelineEvent } from '../reads/read-timeline.ts';
export { type Scope, unrestricted } from '../reads/scope.ts';
export type { WalletRecord } from '../reads/wallet-table.ts';
