export { channelsWithoutAdapter } from './channels/channels-without-adapter.ts';
export { isSandbox } from './configuration/mark-as-sandbox.ts';
export type { MerchantProfile } from './configuration/read-merchants.ts';
export type { Announce, Change } from './core/change.ts';
export type { Country, Currency } from './core/country.ts';
export type { EntryType } from './core/entry-hash.ts';
export type { Transfer } from './core/ledger.ts';
export type { Log, Observer } from './core/log.ts';
export { signedSum } from './core/money.ts';
export type { Notification as NotificationRecord, NotificationState } from './core/notification.ts';
export { isTerminal, type Order, type OrderKind, type OrderRef, type OrderStatus } from './core/order.ts';
export {
  type CaseKind,
  type CaseProgress,
  type MoneyCase,
  type Payment,
  type PaymentUse,
  progressOfCase,
} from './core/payment.ts';
export { jobIdOf, type NotificationWork, queueNames, type WakeUp, type Work } from './core/queued-work.ts';
export type { Refund, RefundState } from './core/refund.ts';
export {
  commandRejections,
  type MerchantRejection,
  merchantRejections,
  type Rejection,
  type Result,
} from './core/rejection.ts';
export type { Settlement } from './core/settlement.ts';
export type { SpanAttributes, SpanFacts, Tracer } from './core/tracer.ts';
export type { WalletEntry } from './core/wallet.ts';
export type { CheckoutState, CheckoutWords } from './countries/checkout-words.ts';
export type { CountryDemo, PayinRequest, PayinRules, PayoutRequest, PayoutRules } from './countries/definition.ts';
export {
  countries,
  countryDefinitions,
  countryRules,
  currencyOf,
  timeZoneOf,
  transitionRules,
} from './countries/index.ts';
export type { ShownField } from './countries/view.ts';
export { isConnectionLoss, isTimeout, isUnavailable, LedgerUnavailable } from './database/connection-loss.ts';
export { SchemaTooOld } from './database/require-schema.ts';
export { readServerState, type ServerState } from './database/server-state.ts';
export { MerchantHeld } from './ledger/held-merchants.ts';
export { readWallet, readWalletPage, type WalletPage, type WalletView } from './ledger/read-wallet.ts';
export { type Domain, type DomainOptions, openDomain } from './open-domain.ts';
export { type CheckoutView, findCheckout, payUrlOf, readQrImage } from './orders/checkout.ts';
export { createPayin } from './orders/create-payin.ts';
export { createPayout } from './orders/create-payout.ts';
export { findOrder, findOrderByNumber } from './orders/find-order.ts';
export { takeCallback } from './orders/take-callback.ts';
