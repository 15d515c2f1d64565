import type { ServerOptions } from './http-server.ts';

/** A stateful server that behaves as a provider's public documentation says. Adapters never import it. */
export interface ProviderFake {
  /** The adapter name of the channel that talks to it, for example `alipay`. */
  provider: string;
  /** The country and kinds that it carries. */
  carries: readonly { country: string; kind: 'payin' | 'payout' }[];
  /**
   * A new account at this provider. `credentials` are what an operator enters for the channel; `account` is what the
   * fake has to know of it. Both are JSON, so that a sandbox can store them.
   */
  makeAccount(): { credentials: Record<string, string>; account: Record<string, string> };
  start(options: FakeOptions): Promise<RunningFake>;
}

export interface FakeOptions extends ServerOptions {
  account: Record<string, string>;
  /** URL of the account's webhooks, for providers whose address is set in their dashboard. */
  webhookUrl?: string;
  /** File that stores the state. Without it the state ends with the process. */
  stateFile?: string;
  /** Multiplies the waits of payers and of webhook retries. Default 1. */
  timeFactor?: number;
}

export interface RunningFake {
  url: string;
  close(): Promise<void>;
}
