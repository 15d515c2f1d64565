export type { ChannelAnswer, ChannelPayment } from './core/channel-answer.ts';
export { type Country, type Currency, countries, currencyOf } from './core/country.ts';
export { isInputAmount, signedSum, withTwoDecimals } from './core/money.ts';
export { problemOfNotifyUrl } from './core/notify-url.ts';
export type { Decision } from './core/operator.ts';
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
export type { MoneyCase } from './core/payment.ts';
export type { Rejection, Result } from './core/rejection.ts';
export { callDeadline, createDeadline, workLease } from './core/schedule.ts';
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
  Urls,
} from './countries/rules.ts';
export { type DomainOptions, openDomain } from './open-domain.ts';
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
export { jobIdOf, type Nudge, queueNames, type Work } from './ports/work.ts';
export { isConnectionLoss, SeamUnavailable } from './store/commit.ts';
export { migrateDatabase } from './store/database.ts';
export type { MerchantProfile } from './store/directory.ts';
export { ensureServiceKey } from './store/service-keys.ts';
export { addMerchantKey } from './usecases/add-merchant-key.ts';
export { type AuditReport, audit, type Violation } from './usecases/audit/audit.ts';
export {
  ChangeNotRecorded,
  type ConfigurationChange,
  changeConfiguration,
  platformTenant,
} from './usecases/change-configuration.ts';
export { type CheckoutView, findCheckout, payUrlOf } from './usecases/checkout.ts';
export { createFirstOperator, hasOperators } from './usecases/create-first-operator.ts';
export { createMerchant, type NewMerchant } from './usecases/create-merchant.ts';
export { addOperatorToken, createOperator, makeToken, type Role, roles } from './usecases/create-operator.ts';
export { createPayin } from './usecases/create-payin.ts';
export { createPayout } from './usecases/create-payout.ts';
export {
  type AttemptResult,
  type ClaimedNotification,
  claimNotification,
  type NotificationRef,
  recordAttempt,
} from './usecases/deliver-notification.ts';
export type { Domain } from './usecases/domain.ts';
export { dueWork } from './usecases/due-work.ts';
export { findBooking } from './usecases/find-booking.ts';
export { findOperator, type OperatorView } from './usecases/find-operator.ts';
export { findOrder, findOrderByNumber } from './usecases/find-order.ts';
export { mapBank } from './usecases/map-bank.ts';
export { bookWallet, type WalletBooking } from './usecases/operator/book-wallet.ts';
export { cancelOrder } from './usecases/operator/cancel-order.ts';
export { claimedTasks } from './usecases/operator/claimed-tasks.ts';
export { confirmFunds } from './usecases/operator/confirm-funds.ts';
export { decideCase, openCases } from './usecases/operator/decide-case.ts';
export { resolvePayout } from './usecases/operator/resolve-payout.ts';
export { availableTasks, type TaskAction, workOnTask } from './usecases/operator/work-on-task.ts';
export { type OperatorIdentity, operatorOfToken } from './usecases/operator-of-token.ts';
export { readOrderHistory } from './usecases/read-order-history.ts';
export { readWallet, readWalletPage, type WalletPage, type WalletView } from './usecases/read-wallet.ts';
export { removeRoute } from './usecases/remove-route.ts';
export { retireMerchantKey } from './usecases/retire-merchant-key.ts';
export { revokeTokens, tokenIdOf } from './usecases/revoke-tokens.ts';
export { type ChannelInput, setChannel } from './usecases/set-channel.ts';
export { setChannelEnabled } from './usecases/set-channel-enabled.ts';
export { setFeeRule } from './usecases/set-fee-rule.ts';
export { type MerchantSettings, setMerchant } from './usecases/set-merchant.ts';
export { setMerchantStatus } from './usecases/set-merchant-status.ts';
export { setOperatorEnabled } from './usecases/set-operator-enabled.ts';
export { setRoute } from './usecases/set-route.ts';
export { countStuckPayouts, stuckPayouts } from './usecases/stuck-payouts.ts';
export { takeCallback } from './usecases/take-callback.ts';
export { expireOrder, pollOrder, submitOrder, type WorkOutcome } from './usecases/work-on-order.ts';
