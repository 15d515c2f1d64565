// Setting up and looking after an installation: the command line, the sandbox, benchmarks.

export { type AuditReport, audit } from '../audit/audit.ts';
export { closeFinding } from '../audit/close-finding.ts';
export { copySeals } from '../audit/copy-seals.ts';
export { type Finding, openFindings } from '../audit/open-findings.ts';
export { type SealsReport, verifyAllSeals } from '../audit/verify-all-seals.ts';
export { returnCase } from '../cases/close-case.ts';
export { checkChannel } from '../channels/check-channel.ts';
export { mapBank } from '../channels/map-bank.ts';
export { finishKeyChange } from '../channels/seal-again.ts';
export { setChannel } from '../channels/set-channel.ts';
export { setChannelEnabled } from '../channels/set-channel-enabled.ts';
export { addMerchantKey } from '../configuration/add-merchant-key.ts';
export { createFirstOperator, hasTwoAdmins } from '../configuration/create-first-operator.ts';
export { createMerchant } from '../configuration/create-merchant.ts';
export { addOperatorToken, createOperator, makeToken, type OperatorInput } from '../configuration/create-operator.ts';
export {
  listChannels,
  listFeeRules,
  listMerchantKeys,
  listMerchants,
  listOperators,
  listRoutes,
  listServiceKeys,
} from '../configuration/list-configuration.ts';
export { listConfigurationHistory } from '../configuration/list-configuration-history.ts';
export { generateServiceKey, type KeyPair } from '../configuration/make-service-key.ts';
export { markAsSandbox } from '../configuration/mark-as-sandbox.ts';
export { revokeTokens } from '../configuration/revoke-tokens.ts';
export { setFeeRule } from '../configuration/set-fee-rule.ts';
export { setMerchantStatus } from '../configuration/set-merchant-status.ts';
export { setRoute } from '../configuration/set-route.ts';
export { createRoles, type DatabaseRoleUrls } from '../database/create-roles.ts';
export { changeKeys, type KeyStep, nextStep } from '../database/keys/change-keys.ts';
export {
  type KeyRing,
  keysOf,
  makeKeyRing,
  readKeys,
  UnreadableKeys,
  writeKeys,
} from '../database/keys/key-ring.ts';
export {
  credentialPurposes,
  isPurpose,
  type ProcessKind,
  type Purpose,
  processKinds,
  purposes,
  sealedPurposes,
} from '../database/keys/purposes.ts';
export { migrateDatabase } from '../database/migrate-database.ts';
export { partitionTables } from '../database/partition-tables.ts';
export { restorePeriod } from '../database/restore-rows.ts';
export { readServerState, type ServerState } from '../database/server-state.ts';
export { openVault } from '../database/vault.ts';
export { bookWallet } from '../ledger/book-wallet.ts';
export { platformTenant } from '../ledger/change-configuration.ts';
export { workOnTask } from '../market/work-on-task.ts';
export { pauseNotifications } from '../notifications/pause-notifications.ts';
export { examineCallback } from '../orders/examine-callback.ts';
export { planOrder, standingsOf } from '../orders/plan-order.ts';
export { readOrderHistory } from '../orders/read-order-history.ts';
export { resolvePayout } from '../orders/resolve-payout.ts';
