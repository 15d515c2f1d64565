// Exports for the other modules of the domain.

export type { RehearsalResult } from './batch.ts';
export { bookingCommand, bookWallet, reversalCommand, type WalletBooking } from './book-wallet.ts';
export {
  type ChangeAccess,
  type ChangeTransaction,
  changeConfiguration,
  platformTenant,
} from './change-configuration.ts';
export { claimInTime } from './claim-in-time.ts';
export { commitReference } from './commit-reference.ts';
export { MerchantHeld } from './held-merchants.ts';
export type { LedgerAccess, LedgerReadAccess } from './ledger-access.ts';
export type { WalletRecord } from './load-wallets.ts';
export { openWallet } from './open-wallet.ts';
export type { OrderReadAccess } from './order-reads.ts';
export { isItsLastEntry } from './payout-stops/queries.ts';
export { isStuck, moneySums, stuckAfter } from './queries.ts';
export { readWallet } from './read-wallet.ts';
export type { RehearsalAccess, RehearsedChange } from './rehearse.ts';
export { notificationConditions } from './resend/queries.ts';
export { resendNotification, resendNotifications } from './resend-notifications.ts';
export { configurationVersionsStatement } from './versions/queries.ts';
export { pageStatementEntries } from './wallet-statement/list-entries.ts';
export { readStatement, statementRequest } from './wallet-statement/read-statement.ts';
export { beginWithholding, releaseMoney, type Withheld, withholdAll } from './withheld/withhold-money.ts';
export { type MovementLimit, withinLimit } from './within-limit.ts';
