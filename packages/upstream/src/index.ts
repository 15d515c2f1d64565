import type { ChannelFactory } from '@tidegate/domain';
import type { EnvironmentName } from '@tidegate/settings';
import { sandbox } from './sandbox/client.ts';

type Adapters = Record<string, ChannelFactory>;

/** Every channel that can be used: the adapter name of a channel row leads to what makes its client. */
const channelAdapters: Adapters = {};

/** What there is in a sandbox beside them; production refuses it (decisions 9). */
const sandboxAdapters: Adapters = { sandbox };

/** The adapters that a process installs. */
export function adaptersFor(environment: EnvironmentName): Adapters {
  return environment === 'sandbox' ? { ...channelAdapters, ...sandboxAdapters } : channelAdapters;
}
