export { type Boundary, openBoundary } from './boundary/boundary.ts';
export { every, guarded } from './boundary/guarded.ts';
export { NotReady } from './boundary/not-ready.ts';
export { readJson } from './boundary/read-json.ts';
export { channelsWithoutAdapter } from './channels/channels-without-adapter.ts';
export { type ChannelProblem, refusedChannels } from './channels/refused-channels.ts';
export { isSandbox } from './configuration/mark-as-sandbox.ts';
export type { MerchantProfile } from './configuration/read-merchants.ts';
export { approvalStates } from './core/approval.ts';
export type { Announce, Change } from './core/change.ts';
export type { Country, Currency } from './core/country.ts';
export type { Transfer } from './core/ledger.ts';
export type { Log, Observer } from './core/log.ts';
export { signedSum } from './core/money.ts';
export {
  failureInWords,
  type Notification as NotificationRecord,
  type NotificationState,
} from './core/notification.ts';
export {
  isTerminal,
  type Order,
  type OrderKind,
  type OrderRef,
  type OrderStatus,
  orderStatuses,
} from './core/order.ts';
export {
  type AskingState,
  heldByCase,
  moneyOfOrder,
  type OperatorStep,
  type OrderMoney,
  type OrderMoneyReport,
  outcomeOfPayment,
  type PayerState,
  type PaymentOutcome,
  payerSentencesOf,
  payerStateOf,
} from './core/order-money.ts';
export {
  type CaseKind,
  type CaseProgress,
  caseStates,
  type MoneyCase,
  type Payment,
  type PaymentDirection,
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
export type { EntryType, WalletEntry } from './core/wallet.ts';
export type { CheckoutWords } from './countries/checkout-words.ts';
export type { CountryDemo, PayinRequest, PayinRules, PayoutRequest, PayoutRules } from './countries/definition.ts';
export {
  countries,
  countryDefinitions,
  countryRules,
  currencyOf,
  timeZoneOf,
  transitionRules,
} from './countries/index.ts';
export type { ShownField, ShownValue } from './countries/view.ts';
export type { ConnectionCounts, HasConnections } from './database/connection-counts.ts';
export { isConnectionLoss, isTimeout, isUnavailable, LedgerUnavailable } from './database/connection-loss.ts';
export { WrongEnvironment } from './database/environment.ts';
export { type KeyNeeds, problemsOfKeys } from './database/keys/require-keys.ts';
export { SchemaTooOld } from './database/require-schema.ts';
export { readServerState, type ServerState } from './database/server-state.ts';
export { type ErrorInWords, errorInWords } from './error-words.ts';
export { MerchantHeld } from './ledger/held-merchants.ts';
export { readWallet, readWalletPage, type WalletPage, type WalletView } from './ledger/read-wallet.ts';
export { type Domain, type DomainOptions, openDomain } from './open-domain.ts';
export { type CheckoutView, findCheckout, payUrlOf, readQrImage } from './orders/checkout.ts';
export { createPayin } from './orders/create-payin.ts';
export { createPayout } from './orders/create-payout.ts';
export { findOrder, findOrderByNumber } from './orders/find-order.ts';
export { takeCallback } from './orders/take-callback.ts';
