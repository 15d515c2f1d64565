import type { SandboxPorts } from './configuration.ts';

/** What the seeding and the processes need to know of the sandbox that they are part of. */
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
  /** SANDBOX_UPSTREAM_SECRET: what the sandbox channel and the sandbox upstream sign to each other with. */
  readonly upstreamSecret: string;
  readonly scheduleScale: number;
  /** Begin with empty data; what the data folder held is gone already. */
  readonly fresh: boolean;
}

/** What there is after the database was migrated and the demo merchants stand in it. */
export interface SeededSandbox {
  /** An operator token with every role. */
  readonly adminToken: string;
  /** A second operator, for decisions that need two. */
  readonly approverToken: string;
  readonly merchants: readonly DemoMerchant[];
}

export interface DemoMerchant {
  readonly merchantNo: string;
  readonly country: string;
  readonly currency: string;
  readonly privateKeyPem: string;
  /** The service's key with which this merchant's notifications are signed, and its X-Key-Id. */
  readonly servicePublicKeyPem: string;
  readonly serviceKeyId: string;
}
