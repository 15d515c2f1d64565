import type { CallLimiter, Channel, ChannelSettings } from '@tidegate/domain/channels';
import type { HttpClient } from './http-client.ts';

/** A secret or an identifier that an operator enters for a channel. All of them are stored sealed and never shown. */
export interface CredentialField {
  /** The key in `ChannelSettings.credentials`, in camelCase. */
  name: string;
  /** What the provider calls it, for example `Secret key`. */
  label: string;
  isRequired: boolean;
  /** One sentence: where the operator finds it at the provider. */
  help: string;
}

/** What every adapter uses to reach its provider. */
export interface ChannelTools {
  http: HttpClient;
  limiter: CallLimiter;
}

/** A provider: what it carries, what an operator has to enter, and its client. */
export interface ProviderAdapter {
  /** The adapter name of a channel row, for example `alipay`. */
  name: string;
  /** The provider's own name, for people. */
  title: string;
  carries: readonly { country: string; kind: 'payin' | 'payout' }[];
  /** The provider's addresses: for real money, and for tests with the provider. */
  baseUrls: { live: string; test: string };
  credentials: readonly CredentialField[];
  /** Throws at once for settings that cannot be used: `channel ID: ` and the reason, without any secret. */
  open(settings: ChannelSettings, tools: ChannelTools): Channel;
}
