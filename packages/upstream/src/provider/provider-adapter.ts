import type { CallLimiter, Channel, ChannelAdapter, ChannelSettings } from '@tidegate/domain/channels';
import type { HttpClient } from './http-client.ts';

/** What every adapter uses to reach its provider. */
export interface ChannelTools {
  http: HttpClient;
  limiter: CallLimiter;
}

/** A provider: what it carries, what an operator has to enter, and its client. */
export interface ProviderAdapter extends Omit<ChannelAdapter, 'open'> {
  /** The adapter name of a channel row, for example `alipay`. */
  name: string;
  /** The provider's addresses: for real money, and for tests with the provider. */
  baseUrls: { live: string; test: string };
  /** Throws `UnusableSettings` at once for settings that cannot be used. Calls nothing. */
  open(settings: ChannelSettings, tools: ChannelTools): Channel;
}
