import type { ConsoleFiles } from './console-files.ts';
import type { OidcClientSettings } from './oidc-client.ts';

/** What the operators' console needs of the server. */
export interface ConsoleOptions {
  files: ConsoleFiles;
  /** Whether the cookie goes over TLS alone: in production. */
  secure: boolean;
  /** Where browsers reach it, for example `https://ops.example.com`; null: at the host that they name. */
  origin: string | null;
  /** How long a session lasts at most, in ms. */
  sessionMs: number;
  /** After how long without a request a session ends, in ms. */
  idleMs: number;
  /** Proxies of ours in front, for the limit of attempts by address. */
  trustedProxies: number;
  /** The sandbox's operators, by the token of each: a browser on this machine signs in without one. Never in production. */
  sandboxTokens: Partial<Record<SandboxRole, string>>;
  /** The identity provider that signs operators in; null where there is none. It needs `origin`. */
  provider: OidcClientSettings | null;
}

/** The operators of a sandbox with which one signs in by a click. */
export const sandboxRoles = ['admin', 'approver', 'support'] as const;
export type SandboxRole = (typeof sandboxRoles)[number];
