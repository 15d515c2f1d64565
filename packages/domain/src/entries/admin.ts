// Setting up and looking after an installation: the command line, the sandbox, benchmarks.

export { ensureServiceKeys } from '../store/make-service-key.ts';
export { migrateDatabase } from '../store/migrate-database.ts';
export { partitionTables } from '../store/partition-tables.ts';
export { addMerchantKey } from '../usecases/add-merchant-key.ts';
export { type AuditReport, audit } from '../usecases/audit/audit.ts';
export { closeFinding } from '../usecases/audit/close-finding.ts';
export { type Finding, openFindings } from '../usecases/audit/open-findings.ts';
export { requireChain } from '../usecases/audit/require-chain.ts';
export { platformTenant } from '../usecases/change-configuration.ts';
export { changeSecret } from '../usecases/change-secret.ts';
export { createFirstOperator, hasTwoAdmins } from '../usecases/create-first-operator.ts';
export { createMerchant } from '../usecases/create-merchant.ts';
export { addOperatorToken, createOperator, makeToken, type OperatorInput } from '../usecases/create-operator.ts';
export { mapBank } from '../usecases/map-bank.ts';
export { markAsSandbox } from '../usecases/mark-as-sandbox.ts';
export { bookWallet } from '../usecases/operator/book-wallet.ts';
export { returnCase } from '../usecases/operator/decide-case.ts';
export {
  listChannels,
  listFeeRules,
  listMerchantKeys,
  listMerchants,
  listOperators,
  listRoutes,
  listServiceKeys,
} from '../usecases/operator/list-configuration.ts';
export { resolvePayout } from '../usecases/operator/resolve-payout.ts';
export { workOnTask } from '../usecases/operator/work-on-task.ts';
export { pauseNotifications } from '../usecases/pause-notifications.ts';
export { readOrderHistory } from '../usecases/read-order-history.ts';
export { revokeTokens } from '../usecases/revoke-tokens.ts';
export { setChannel } from '../usecases/set-channel.ts';
export { setFeeRule } from '../usecases/set-fee-rule.ts';
export { setMerchantStatus } from '../usecases/set-merchant-status.ts';
export { setRoute } from '../usecases/set-route.ts';
