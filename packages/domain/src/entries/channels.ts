// What a channel adapter implements, and which addresses it may call.

export type {
  CallbackResult,
  Channel,
  ChannelFactory,
  ChannelOrder,
  ChannelOrderRef,
  ChannelSettings,
} from '../channels/channel.ts';
export { mayReach, networks } from '../core/address.ts';
export type { ChannelAnswer } from '../core/channel-answer.ts';
export { isLocalhost, loopbackAddresses, readNotifyUrl } from '../core/notify-url.ts';
