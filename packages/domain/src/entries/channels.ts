// What a channel adapter implements, and which addresses it may call.

export { mayReach, networks } from '../core/address.ts';
export type { ChannelAnswer } from '../core/channel-answer.ts';
export { isLocalhost, loopbackAddresses, readNotifyUrl } from '../core/notify-url.ts';
export type {
  CallbackResult,
  Channel,
  ChannelFactory,
  ChannelOrder,
  ChannelOrderRef,
  ChannelSettings,
} from '../ports/channel.ts';
