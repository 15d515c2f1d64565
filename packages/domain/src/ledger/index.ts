// Exports for the other modules of the domain.

export { closeFinding } from './audit/close-finding.ts';
export type { Finding } from './audit/open-findings.ts';
export { makeSealKey, sealKeyContext } from './audit/seals/seal-keys.ts';
export type { RehearsalResult } from './batch.ts';
export { bookingCommand, bookWallet, type WalletBooking } from './book-wallet.ts';
export {
  type ChangeAccess,
  type ChangeTransaction,
  changeConfiguration,
  platformTenant,
} from './change-configuration.ts';
export { commitReference } from './commit-reference.ts';
export { MerchantHeld } from './held-merchants.ts';
export type { LedgerAccess, LedgerReadAccess } from './ledger-access.ts';
export { joinedWallet, type WalletRecord, type WantedWallet } from './load-wallets.ts';
export { openWallet } from './open-wallet.ts';
export type { OrderReadAccess } from './order-reads.ts';
export { readWallet } from './read-wallet.ts';
export type { RehearsalAccess, RehearsedChange } from './rehearse.ts';
export { notificationConditions } from './resend/statements.ts';
export { resendNotification, resendNotifications } from './resend-notifications.ts';
export { isStuck, stuckAfter } from './statements.ts';
export { configurationVersionsStatement } from './versions/statements.ts';
export { pageStatementEntries } from './wallet-statement/list-entries.ts';
export { readStatement, statementRequest } from './wallet-statement/read-statement.ts';
export { type MovementLimit, withinLimit } from './within-limit.ts';
