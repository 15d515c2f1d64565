// What other folders of the domain may import.

export { type CalledOrder, callChannel, detailOf } from './call-channel.ts';
export { callRefund, canRefund } from './call-refund.ts';
export { callStatement } from './call-statement.ts';
export type {
  CallbackHeaders,
  CallbackReply,
  CallbackResult,
  ChannelRefund,
  ExaminedStep,
  QrImage,
} from './channel.ts';
export type { ChannelAccess, PublicAddress } from './channel-access.ts';
export type { RoutingAccess, RoutingView } from './channel-routing.ts';
export { canUse, withoutApi } from './channels-without-adapter.ts';
export { findChannel } from './find-channel.ts';
export type { ChannelRecord } from './list-channels.ts';
export { mapBank } from './map-bank.ts';
export { canKeepCredentials, problemsOfSettings } from './problems-of-settings.ts';
export { setChannel } from './set-channel.ts';
export { setChannelEnabled } from './set-channel-enabled.ts';
