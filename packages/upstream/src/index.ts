import { type ChannelFactory, networks } from '@tidegate/domain/channels';
import type { EnvironmentName } from '@tidegate/settings';
import { createHttpClient } from './http-client.ts';
import { sandboxChannels } from './sandbox/client.ts';

type Adapters = Record<string, ChannelFactory>;

/** All adapters: the adapter name of a channel row, and the function that makes its client. */
const channelAdapters: Adapters = {};

/**
 * The adapters that a process installs. They call public addresses and those in `allowCidrs`, with one connection pool.
 * Idle connections do not keep the process alive. Production has no sandbox adapter (decisions 9).
 */
export function adaptersFor(environment: EnvironmentName, allowCidrs: readonly string[]): Adapters {
  if (environment !== 'sandbox') return channelAdapters;
  const http = createHttpClient({ allowed: networks(allowCidrs) });
  return { ...channelAdapters, sandbox: sandboxChannels(http) };
}
