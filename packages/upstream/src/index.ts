import { type CallLimiter, type ChannelFactory, networks } from '@tidegate/domain/channels';
import type { EnvironmentName } from '@tidegate/settings';
import { alipay } from './alipay/index.ts';
import { createHttpClient } from './http-client.ts';
import { jazzcash } from './jazzcash/index.ts';
import { opn } from './opn/index.ts';
import type { ProviderAdapter } from './provider-adapter.ts';
import { razorpay } from './razorpay/index.ts';
import { sandboxChannels } from './sandbox/client.ts';

export type { CredentialField, ProviderAdapter } from './provider-adapter.ts';

type Adapters = Record<string, ChannelFactory>;

/** All providers. Add a new one here. */
export const providers: readonly ProviderAdapter[] = [alipay, jazzcash, opn, razorpay];

export interface AdapterOptions {
  environment: EnvironmentName;
  /** Private networks in which channels are allowed, as CIDRs. */
  allowCidrs: readonly string[];
  limiter: CallLimiter;
}

/**
 * The adapters that a process installs, by the adapter name of a channel row. They call public addresses and those in
 * `allowCidrs`, with one connection pool. Idle connections do not keep the process alive. Production has no sandbox
 * adapter (decisions 9).
 */
export function adaptersFor({ environment, allowCidrs, limiter }: AdapterOptions): Adapters {
  const http = createHttpClient({ allowed: networks(allowCidrs) });
  const adapters: Adapters = {};
  for (const { name, open } of providers) adapters[name] = (settings) => open(settings, { http, limiter });
  return environment === 'sandbox' ? { ...adapters, sandbox: sandboxChannels(http) } : adapters;
}
