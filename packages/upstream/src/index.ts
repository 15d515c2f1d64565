import { type ChannelFactory, networks } from '@tidegate/domain/channels';
import type { EnvironmentName } from '@tidegate/settings';
import { createHttpClient } from './http-client.ts';
import { sandboxChannels } from './sandbox/client.ts';

type Adapters = Record<string, ChannelFactory>;

/** Every channel that can be used: the adapter name of a channel row leads to what makes its client. */
const channelAdapters: Adapters = {};

/**
 * The adapters that a process installs. They call public addresses and those in `allowCidrs`, over one pool of connections; idle ones do not
 * keep the process alive. The sandbox's adapter is not there in production (decisions 9).
 */
export function adaptersFor(environment: EnvironmentName, allowCidrs: readonly string[]): Adapters {
  if (environment !== 'sandbox') return channelAdapters;
  const http = createHttpClient({ allowed: networks(allowCidrs) });
  return { ...channelAdapters, sandbox: sandboxChannels(http) };
}
