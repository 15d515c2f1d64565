import type { ChannelFactory } from '@tidegate/domain';
import { sandbox } from './sandbox/client.ts';

/** Every channel that can be used: the adapter name of a channel row leads to what makes its client. */
export const channelAdapters: Record<string, ChannelFactory> = { sandbox };
