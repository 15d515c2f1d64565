// What other folders of the domain may import.

export { answerOfRecord, type CalledOrder, callChannel } from './call-channel.ts';
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
export type { ChannelStanding } from './channels.ts';
export { canUse, withoutApi } from './channels-without-adapter.ts';
export { isPacked, packed, sealCredentials } from './credentials.ts';
export { type ChannelTurn, enterChannel, takeTurn } from './enter-channel.ts';
export { findChannel } from './find-channel.ts';
export type { ChannelRecord } from './list-channels.ts';
export { loadChannels } from './load-channels.ts';
export { mapBank } from './map-bank.ts';
export { modeAfter, problemsOfModeAfter, seenOf } from './mode-of-channel.ts';
export { canKeepCredentials, problemsOfSettings } from './problems-of-settings.ts';
export { readEntered, setChannel } from './set-channel.ts';
export { setChannelEnabled } from './set-channel-enabled.ts';
export { withdrawDeclaration } from './withdraw-declaration.ts';
