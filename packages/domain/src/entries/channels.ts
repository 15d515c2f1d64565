// What a channel adapter implements, which addresses it may call, and how channels are for new orders.

export { type CallContext, callContext, inCallContext } from '../channels/call-context.ts';
export type { CallLimiter, CallRate, CallTurns, LimitedAccount } from '../channels/call-limiter.ts';
export type {
  CallbackHeaders,
  CallbackReply,
  CallbackResult,
  Channel,
  ChannelMemory,
  ChannelOrder,
  ChannelOrderRef,
  ChannelRefund,
  ChannelSettings,
  CheckedStep,
  ExaminedStep,
  FetchedStatement,
  QrImage,
  StatementRequest,
} from '../channels/channel.ts';
export {
  type ChannelAdapter,
  type ChannelAdapters,
  type CredentialField,
  type ModeSettings,
  type PayeeToCarry,
  type SettingProblem,
  UnusableSettings,
} from '../channels/channel-adapter.ts';
export type { SharedOutcomes } from '../channels/channel-routing.ts';
export { mayReach, networks } from '../core/address.ts';
export type { ChannelAnswer } from '../core/channel-answer.ts';
export { type EndedWatch, maxWatchHours } from '../core/ended-watch.ts';
export { type ChannelMode, type DeclaredMode, type Environment, modeOfSigns } from '../core/environment.ts';
export { isLocalhost, isPrivateUrl, loopbackAddresses, readNotifyUrl } from '../core/notify-url.ts';
export type { PayeeProblem } from '../core/payee-problem.ts';
export type { RefundAnswer } from '../core/refund-answer.ts';
export {
  type BreakerState,
  type CreateOutcome,
  keptOutcomes,
  type RoutingHealth,
  weightFactorOf,
} from '../core/routing-health.ts';
