import type { DatabaseRoleUrls } from '@tidegate/domain/admin';
import type { RedisUser } from '@tidegate/queue/redis-users';
import type { SandboxPorts } from './configuration.ts';

/** What the seed and the processes of a sandbox need to know. */
export interface SandboxEnvironment {
  readonly databaseUrl: string;
  /** The same database with the role of each process. Left out in a database of the user. */
  readonly databaseRoles?: DatabaseRoleUrls;
  /** Each process connects to Redis as its own user, unless the Redis is the caller's. */
  readonly redisUrls: Readonly<Record<RedisUser, string>>;
  /** Absolute path. Files that are written there have mode 0600. */
  readonly dataDir: string;
  readonly ports: SandboxPorts;
  /** Base URLs without a slash at the end, e.g. http://127.0.0.1:8080. */
  readonly urls: Readonly<Record<keyof SandboxPorts, string>>;
  /** The key ring, as a key file. Each process gets its own keys of it. */
  readonly keys: string;
  /** SANDBOX_UPSTREAM_SECRET: the sandbox channel and the sandbox upstream sign with it. */
  readonly upstreamSecret: string;
  readonly scheduleScale: number;
  /** The channels to fakes of providers. */
  readonly channels: readonly SandboxChannel[];
  /** Whether the sandbox starts with empty data. The old data is deleted by then. */
  readonly fresh: boolean;
}

/** A channel to the fake of a provider. The provider's name is also the channel's id and its adapter. */
export interface SandboxChannel {
  readonly channelId: string;
  readonly carries: readonly { country: string; kind: 'payin' | 'payout' }[];
  readonly baseUrl: string;
  readonly credentials: Record<string, string>;
}

/** What the seed has put into the database. */
export interface SeededSandbox {
  /** Token of an operator with all roles. */
  readonly adminToken: string;
  /** Token of a second operator, for decisions that need two people. */
  readonly approverToken: string;
  /** Token of an operator who can read and help merchants, but cannot decide about money. */
  readonly supportToken: string;
  readonly merchants: readonly DemoMerchant[];
}

export interface DemoMerchant {
  readonly merchantNo: string;
  readonly country: string;
  readonly currency: string;
  readonly privateKeyPem: string;
  /** The service's key for notifications to this merchant, and its X-Key-Id. */
  readonly servicePublicKeyPem: string;
  readonly serviceKeyId: string;
}
