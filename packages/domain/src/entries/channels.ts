// What a channel adapter implements, and which addresses it may call.

export type {
  CallbackHeaders,
  CallbackReply,
  CallbackResult,
  Channel,
  ChannelFactory,
  ChannelMemory,
  ChannelOrder,
  ChannelOrderRef,
  ChannelRefund,
  ChannelSettings,
  CheckedStep,
  ExaminedStep,
  RefundAnswer,
} from '../channels/channel.ts';
export { mayReach, networks } from '../core/address.ts';
export type { ChannelAnswer } from '../core/channel-answer.ts';
export { isLocalhost, loopbackAddresses, readNotifyUrl } from '../core/notify-url.ts';
