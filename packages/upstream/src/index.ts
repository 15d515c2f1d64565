import { type CallLimiter, type ChannelAdapters, type ChannelSettings, networks } from '@tidegate/domain/channels';
import type { EnvironmentName } from '@tidegate/settings';
import { alipay } from './alipay/index.ts';
import { jazzcash } from './jazzcash/index.ts';
import { opn } from './opn/index.ts';
import { createHttpClient } from './provider/http-client.ts';
import type { ProviderAdapter } from './provider/provider-adapter.ts';
import { razorpay } from './razorpay/index.ts';
import { sandboxAdapter } from './sandbox/adapter.ts';

export type { ProviderAdapter } from './provider/provider-adapter.ts';

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
export function adaptersFor({ environment, allowCidrs, limiter }: AdapterOptions): ChannelAdapters {
  const http = createHttpClient({ allowed: networks(allowCidrs) });
  const adapters = Object.fromEntries(
    providers.map(({ name, open, ...rest }) => [
      name,
      { ...rest, open: (settings: ChannelSettings) => open(settings, { http, limiter }) },
    ]),
  );
  return environment === 'sandbox' ? { ...adapters, sandbox: sandboxAdapter(http) } : adapters;
}
