import type { SandboxPorts } from './configuration.ts';

/** The environment of a sandbox, for its seed and its processes. */
export interface SandboxEnvironment {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Absolute; files written here have mode 0600. */
  readonly dataDir: string;
  readonly ports: SandboxPorts;
  /** Without a slash at the end, e.g. http://127.0.0.1:8080. */
  readonly urls: Readonly<Record<keyof SandboxPorts, string>>;
  /** TIDEGATE_SECRET: 32 bytes in hex. */
  readonly secret: string;
  /** SANDBOX_UPSTREAM_SECRET: shared by the sandbox channel and the sandbox upstream for their signatures. */
  readonly upstreamSecret: string;
  readonly scheduleScale: number;
  /** The channels that talk to fakes of providers. */
  readonly channels: readonly SandboxChannel[];
  /** Whether it begins with empty data. The old data is already deleted. */
  readonly fresh: boolean;
}

/** A channel that talks to the fake of a provider. Its id and its adapter have the provider's name. */
export interface SandboxChannel {
  readonly channelId: string;
  readonly carries: readonly { country: string; kind: 'payin' | 'payout' }[];
  readonly baseUrl: string;
  readonly credentials: Record<string, string>;
}

/** The content of the database after migration and seed. */
export interface SeededSandbox {
  /** An operator token with every role. */
  readonly adminToken: string;
  /** A second operator, for decisions that need two. */
  readonly approverToken: string;
  /** An operator who looks things up and helps merchants, and decides nothing about money. */
  readonly supportToken: string;
  readonly merchants: readonly DemoMerchant[];
}

export interface DemoMerchant {
  readonly merchantNo: string;
  readonly country: string;
  readonly currency: string;
  readonly privateKeyPem: string;
  /** The service key that signs this merchant's notifications, and its X-Key-Id. */
  readonly servicePublicKeyPem: string;
  readonly serviceKeyId: string;
}
